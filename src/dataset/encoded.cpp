#include "bermuda/dataset/encoded.hpp"

#include <cstdint>
#include <limits>
#include <utility>

#include "bermuda/core/error.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "native.hpp"

namespace bermuda {
namespace {

std::size_t header_size(std::string_view text) { return text.find('\n') + 1; }

// The lines of a part that goes behind this header.
std::string_view lines_behind(std::string_view header, const std::string& part) {
  const std::size_t size = header_size(part);
  if (!header.starts_with(std::string_view(part).substr(0, size))) {
    throw Error("parts of a split with different columns");
  }
  return std::string_view(part).substr(size);
}

}  // namespace

void EncodedSplit::append(const EncodedSplit& part) {
  text += lines_behind(text, part.text);
  figures.merge(part.figures);
}

// Within the same memory: pages that are fetched anew for every part cost more than moving.
std::string EncodedSplit::to_bytes() && {
  text.insert(0, figures.to_json().dump() + "\n");
  return std::move(text);
}

EncodedSplit EncodedSplit::from_bytes(std::string bytes) {
  const std::size_t header = header_size(bytes);
  EncodedSplit split;
  split.figures =
      SplitFigures::from_json(nlohmann::json::parse(std::string_view(bytes).substr(0, header)));
  bytes.erase(0, header);
  split.text = std::move(bytes);
  return split;
}

EncodedSplit encode_split(const Split& split, std::size_t class_count) {
  check_writable(split, class_count);
  return {figures_of(split, class_count), split_text(split)};
}

EncodedDataSet encode_dataset(const DataSet& data) {
  EncodedDataSet encoded{figures_of(data), {}};
  for (const Split& split : data.splits) encoded.texts.push_back(split_text(split));
  return encoded;
}

DataSet decode_dataset(const EncodedDataSet& encoded) {
  const DataSetFigures& figures = encoded.figures;
  DataSet data{figures.name, figures.class_names, {}, figures.provenance};
  for (std::size_t i = 0; i < encoded.texts.size(); ++i) {
    const std::string& name = figures.splits[i].name;
    // What we made ourselves has no budget.
    NodeBudget budget({.max_nodes = kMostNodes}, std::numeric_limits<std::uint32_t>::max());
    data.splits.push_back({name, parse_split(encoded.texts[i], name, data.class_names.size(),
                                             budget, {.may_lack_class = true})});
  }
  return data;
}

SplitWriter::SplitWriter(DataSetFigures head, const std::filesystem::path& path, bool overwrite)
    : head_(std::move(head)), folder_(path, overwrite) {}

void SplitWriter::add(const EncodedSplit& part) {
  std::string_view bytes = part.text;
  if (columns_.empty()) {
    columns_ = bytes.substr(0, header_size(bytes));
    figures_ = part.figures;
  } else {
    bytes = lines_behind(columns_, part.text);
    figures_.merge(part.figures);
  }
  sha256_.add(bytes);
  folder_.append(split_file(figures_.name), bytes);
}

DataSetFigures SplitWriter::finish() {
  Manifest manifest{head_.name, head_.class_names, {}, head_.provenance};
  manifest.splits.push_back(summarise(figures_, sha256_.digits()));
  folder_.write(kManifestFile, manifest_text(manifest));
  folder_.commit();
  head_.splits = {std::move(figures_)};
  return std::move(head_);
}

}  // namespace bermuda
