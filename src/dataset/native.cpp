#include "native.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "fields.hpp"
#include "formats.hpp"

namespace bermuda {
namespace {

bool is_near(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(a)); }

/// What the manifest says and the file does not bear out. An edited file differs in everything
/// at once: the first difference is enough for read_dataset, all of them go to the verifier.
std::vector<InputError> differences(const SplitSummary& told, const SplitSummary& real,
                                    const std::string& manifest, const std::string& file) {
  std::vector<InputError> out;
  if (told.sha256 != real.sha256) {
    out.push_back(checksum_error(file, real.sha256, told.sha256));
  }
  const auto compare = [&](const char* what, const auto& a, const auto& b, bool equal) {
    if (equal) return;
    out.emplace_back(manifest, 0, fmt::format("{} {} of split {}", what, a, in_quotes(told.name)),
                     fmt::format("{} (as in the file)", b));
  };
  compare("graphs", told.graphs, real.graphs, told.graphs == real.graphs);
  compare("class_counts", told.class_counts, real.class_counts,
          told.class_counts == real.class_counts);
  compare("mean_nodes", told.mean_nodes, real.mean_nodes,
          is_near(told.mean_nodes, real.mean_nodes));
  compare("mean_edges", told.mean_edges, real.mean_edges,
          is_near(told.mean_edges, real.mean_edges));
  return out;
}

DataSet assemble(Manifest manifest, const FileTexts& files, const std::string& place,
                 std::vector<std::string>* problems, const ReadOptions& options) {
  NodeBudget budget(options, size_of(files));
  DataSet data;
  data.name = std::move(manifest.name);
  data.class_names = std::move(manifest.class_names);
  data.provenance = std::move(manifest.provenance);
  const std::string manifest_path = place + "/" + kManifestFile;
  for (const SplitSummary& told : manifest.splits) {
    const auto text = files.find(told.file);
    if (text == files.end()) {
      throw missing_file_error(manifest_path, told.file);
    }
    const std::string file = place + "/" + told.file;
    options.stop.now();
    // A checksum that differs explains whatever else is wrong with the file, so it goes first.
    const std::string checksum = sha256(text->second);
    if (problems == nullptr && checksum != told.sha256) {
      throw checksum_error(file, checksum, told.sha256);
    }
    data.splits.push_back(
        {told.name, parse_split(text->second, file, data.class_names.size(), budget, options)});
    const SplitSummary real =
        summarise(figures_of(data.splits.back(), data.class_names.size()), checksum);
    for (const InputError& difference : differences(told, real, manifest_path, file)) {
      if (problems == nullptr) throw difference;
      problems->push_back(difference.what());
    }
  }
  return data;
}

}  // namespace

InputError checksum_error(const std::string& file, const std::string& found,
                          const std::string& told) {
  return InputError(file, 0, "sha256 " + found,
                    fmt::format("sha256 {} (as in the manifest)", in_quotes(told)));
}

InputError missing_file_error(const std::string& manifest, const std::string& file) {
  return InputError(manifest, 0, fmt::format("no file {}", in_quotes(file)),
                    "the files that the manifest names");
}

std::string split_file(const std::string& split) { return split + ".tsv"; }

SplitSummary summarise(const SplitFigures& figures, std::string sha256) {
  SplitSummary summary;
  summary.name = figures.name;
  summary.file = split_file(figures.name);
  summary.graphs = figures.graphs;
  summary.class_counts = figures.classes;
  summary.mean_nodes = figures.mean_nodes();
  summary.mean_edges = figures.mean_edges();
  summary.sha256 = std::move(sha256);
  return summary;
}

DataSet parse_native(const FileTexts& files, const std::string& place,
                     std::vector<std::string>* problems, const ReadOptions& options) {
  const auto manifest = files.find(kManifestFile);
  if (manifest == files.end()) {
    throw InputError(place, 0, "no manifest.json", "a native data set");
  }
  return assemble(parse_manifest(manifest->second, place + "/" + kManifestFile), files, place,
                  problems, options);
}

namespace {

DataSet read_native(const std::filesystem::path& folder, const ReadOptions& options,
                    std::vector<std::string>* problems) {
  check_folder(folder);
  const std::filesystem::path path = folder / kManifestFile;
  std::error_code error;
  if (!std::filesystem::exists(path, error)) {
    throw InputError(folder.string(), 0, "no manifest.json", "a native data set");
  }
  Manifest manifest = parse_manifest(read_file(path), path.string());
  FileTexts files;
  for (const SplitSummary& split : manifest.splits) {
    const std::filesystem::path file = folder / split.file;
    if (std::filesystem::exists(file, error)) files[split.file] = read_file(file);
  }
  return assemble(std::move(manifest), files, folder.string(), problems, options);
}

}  // namespace

Manifest manifest_of(const EncodedDataSet& encoded) {
  const DataSetFigures& figures = encoded.figures;
  Manifest manifest{figures.name, figures.class_names, {}, figures.provenance};
  for (std::size_t i = 0; i < encoded.texts.size(); ++i) {
    manifest.splits.push_back(summarise(figures.splits[i], sha256(encoded.texts[i])));
  }
  return manifest;
}

FileTexts native_files(const DataSet& data) {
  EncodedDataSet encoded = encode_dataset(data);
  const Manifest manifest = manifest_of(encoded);
  FileTexts files;
  files[kManifestFile] = manifest_text(manifest);
  for (std::size_t i = 0; i < encoded.texts.size(); ++i) {
    files[manifest.splits[i].file] = std::move(encoded.texts[i]);
  }
  return files;
}

const Format kNative = {
    "native",
    "our own folder (manifest.json)",
    "",
    [](const Place& place) {
      return place.is_folder &&
             std::binary_search(place.files.begin(), place.files.end(), kManifestFile);
    },
    read_native,
    [](const DataSet& data, const std::filesystem::path& path, bool overwrite) {
      write_folder(native_files(data), path, overwrite);
    },
    [](const DataSet&) { return std::vector<std::string>{}; },
};

}  // namespace bermuda
