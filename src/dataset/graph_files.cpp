#include "graph_files.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"

namespace bermuda {
namespace {

constexpr const char* kClassesFile = "classes.tsv";

/// What stands before one of the endings; the whole where there is none.
std::string_view stem(std::string_view file, Endings endings) {
  for (const std::string_view ending : endings) {
    if (file.size() > ending.size() && file.ends_with(ending)) {
      return file.substr(0, file.size() - ending.size());
    }
  }
  return file;
}

bool is_graph_file(std::string_view file, Endings endings) {
  return !file.starts_with('.') && stem(file, endings) != file;
}

/// Which file has which graph, and what the table says of it.
class GraphTable {
 public:
  struct Entry {
    std::string id;
    std::string split = kUnsplit;
    int label = Sample::kNoClass;
    bool is_told = false;
    std::string file;
    std::string path;
  };

  GraphTable(std::string file, Endings endings, const ReadOptions& options)
      : file_(std::move(file)), endings_(endings), options_(options) {}

  void add_file(const std::string& file, const std::string& path) {
    Entry& entry = entries_.emplace_back();
    entry.file = file;
    entry.path = path;
    entry.id = stem(file, endings_);
    try {
      check_field_text(entry.id, "a file name that can be an id:");
    } catch (const Fault& fault) {
      throw fault.at(path, 0);
    }
    if (!places_.emplace(entry.id, entries_.size() - 1).second) {
      throw InputError(path, 0, fmt::format("a second file of graph {}", in_quotes(entry.id)),
                       "one");
    }
  }

  void read(std::string_view text, ClassNames& classes) {
    LineReader lines(text, options_.stop);
    std::string_view line;
    try {
      while (lines.next(line)) {
        if (trimmed(line).empty() || line.starts_with('#')) continue;
        read_line(line, classes);
      }
    } catch (const Fault& fault) {
      throw fault.at(file_, lines.number());
    }
  }

  /// In the order of the table, those behind that it does not name; throws InputError for these
  /// where a class is needed.
  std::vector<Entry> finish(bool has_table) {
    std::vector<Entry> ordered;
    for (const std::size_t place : told_) ordered.push_back(entries_[place]);
    for (Entry& entry : entries_) {
      if (entry.is_told) continue;
      try {
        entry.label = no_class(
            options_, has_table ? "no line for " + in_quotes(entry.id)
                                : fmt::format("no class, for there is no {}", kClassesFile));
      } catch (const Fault& fault) {
        throw fault.at(has_table ? file_ : entry.path, 0);
      }
      ordered.push_back(std::move(entry));
    }
    return ordered;
  }

 private:
  void read_line(std::string_view line, ClassNames& classes) {
    const std::vector<std::string_view> fields = split_fields(line, '\t');
    if (fields.size() != 2 && fields.size() != 3) {
      throw Fault{fmt::format("{} columns", fields.size()),
                  "the graph's file, its class and perhaps its split, tabs between"};
    }
    const auto place = places_.find(stem(fields[0], endings_));
    if (place == places_.end()) {
      throw Fault{fmt::format("graph {}", in_quotes(fields[0])),
                  fmt::format("a file of this folder ({})", fmt::join(endings_, ", "))};
    }
    Entry& entry = entries_[place->second];
    if (entry.is_told) {
      throw Fault{fmt::format("graph {} again", in_quotes(entry.id)), "every graph once"};
    }
    entry.is_told = true;
    told_.push_back(place->second);
    if (fields[1] == kUnknownClass) {
      entry.label = no_class(options_, in_quotes(fields[1]));
    } else {
      check_field_text(fields[1], "a class");
      entry.label = classes.add(fields[1]);
    }
    if (fields.size() < 3) return;
    if (!is_plain_name(fields[2])) throw Fault{in_quotes(fields[2]), "the name of a split"};
    entry.split = fields[2];
  }

  std::string file_;
  Endings endings_;
  const ReadOptions& options_;
  std::vector<Entry> entries_;
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<std::size_t> told_;
};

}  // namespace

bool has_graph_files(const Place& place, Endings endings) {
  if (!place.is_folder) return is_graph_file(place.path.filename().string(), endings);
  return std::ranges::any_of(place.files,
                             [&](const std::string& file) { return is_graph_file(file, endings); });
}

std::string folder_of(const std::filesystem::path& path) {
  return (is_folder(path) ? path : path.parent_path()).string();
}

FileTexts load_graph_files(const std::filesystem::path& path, Endings endings) {
  if (!is_folder(path)) return {{path.filename().string(), read_file(path)}};
  FileTexts files;
  for (const std::string& file : files_in(path)) {
    if (file == kClassesFile || is_graph_file(file, endings)) files[file] = read_file(path / file);
  }
  return files;
}

DataSet parse_graph_files(const FileTexts& files, const std::string& place, const std::string& name,
                          Endings endings, const ParseGraph& parse, const ReadOptions& options) {
  const auto path_of = [&](const std::string& file) {
    return (std::filesystem::path(place) / file).string();
  };
  const auto told = files.find(kClassesFile);
  const bool has_table = told != files.end();
  if (files.size() == (has_table ? 1U : 0U)) {
    throw InputError(place, 0, "no graph",
                     fmt::format("files that end in {}", fmt::join(endings, " or ")));
  }
  GraphTable table(path_of(kClassesFile), endings, options);
  for (const auto& [file, text] : files) {
    if (file != kClassesFile) table.add_file(file, path_of(file));
  }
  ClassNames classes;
  if (has_table) table.read(told->second, classes);

  DataSet data;
  data.name = name;
  NodeBudget budget(options, size_of(files));
  for (GraphTable::Entry& entry : table.finish(has_table)) {
    Sample sample;
    try {
      sample.graph = parse(files.at(entry.file), entry.id, budget);
    } catch (const Fault& fault) {
      throw fault.at(entry.path, 0);
    }
    sample.id = std::move(entry.id);
    sample.label = entry.label;
    auto split = std::ranges::find(data.splits, entry.split, &Split::name);
    if (split == data.splits.end()) split = data.splits.insert(split, Split{entry.split, {}});
    split->samples.push_back(std::move(sample));
  }
  classes.settle(data);
  return data;
}

}  // namespace bermuda
