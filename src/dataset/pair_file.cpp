#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/graph/graph6.hpp"
#include "fields.hpp"
#include "formats.hpp"

namespace bermuda {
namespace {

constexpr std::string_view kPairsEnding = ".tsv";
/// They become the columns of a table.
constexpr std::size_t kMostCategories = 1000;

class PairParser {
 public:
  PairParser(const ReadOptions& options, std::size_t bytes) : budget_(options, bytes) {}

  void read_line(std::string_view line) {
    std::array<std::string_view, 3> fields;
    const std::size_t count = split_into(fields, line, '\t');
    if (count != fields.size()) {
      throw Fault{fmt::format("{} column{}", count, count == 1 ? "" : "s"),
                  "category, graph6 and graph6, with tabs between"};
    }
    check_field_text(fields[0], "a category");
    const std::string category(fields[0]);
    if (std::ranges::find(categories_, category) == categories_.end()) {
      if (categories_.size() == kMostCategories) {
        throw Fault{fmt::format("category {}, one more", in_quotes(category)),
                    fmt::format("at most {} of them", kMostCategories)};
      }
      categories_.push_back(category);
    }
    const std::string id = fmt::format("{}-{}", category, samples_.size() / 2 + 1);
    add(fields[1], id + "-a", category);
    add(fields[2], id + "-b", category);
  }

  DataSet finish(const std::string& name) {
    DataSet data;
    data.name = name;
    data.provenance["pairs"] = {{"count", samples_.size() / 2}, {"categories", categories_}};
    data.splits.push_back({kUnsplit, std::move(samples_)});
    return data;
  }

 private:
  void add(std::string_view text, std::string id, const std::string& category) {
    Sample sample;
    try {
      sample.graph = decode_graph6(text, kMostNodes);
    } catch (const Graph6Error& error) {
      throw Fault{error.what(), "a simple graph as graph6 or sparse6"};
    }
    budget_.take(sample.graph.node_count(), id);
    sample.id = std::move(id);
    sample.label = Sample::kNoClass;
    sample.origin = category;
    samples_.push_back(std::move(sample));
  }

  NodeBudget budget_;
  std::vector<std::string> categories_;
  std::vector<Sample> samples_;
};

}  // namespace

DataSet parse_pairs(std::string_view text, const std::string& file, const std::string& name,
                    const ReadOptions& options) {
  PairParser parser(options, text.size());
  LineReader lines(text, options.stop);
  long first = 0;
  bool at_end = false;
  try {
    for (std::string_view line; lines.next(line);) {
      if (line.empty() || line.starts_with('#')) continue;
      parser.read_line(line);
      if (first == 0) first = lines.number();
    }
    if (first == 0) throw InputError(file, 0, "no pair", "one pair of graphs per line");
    // Not before: what is wrong with the file itself is told first.
    at_end = true;
    if (!options.may_lack_class) no_class(options, "a pair of graphs, which have no class");
  } catch (const Fault& fault) {
    throw fault.at(file, at_end ? first : lines.number());
  }
  return parser.finish(name);
}

const Format kPairFile = {
    "pairs",
    ".tsv file of pairs (category, graph6, graph6)",
    "",
    [](const Place& place) { return !place.is_folder && place.path.extension() == kPairsEnding; },
    [](const std::filesystem::path& path, const ReadOptions& options, std::vector<std::string>*) {
      return parse_pairs(read_file(path), path.string(), name_of(path), options);
    },
    nullptr,
    nullptr,
};

}  // namespace bermuda
