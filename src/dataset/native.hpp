#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/dataset/encoded.hpp"
#include "bermuda/dataset/source.hpp"
#include "fields.hpp"

namespace bermuda {

inline constexpr const char* kManifestFile = "manifest.json";

/// What the manifest says about one split; computed from a split in the same way, so that writer
/// and reader compare like with like.
struct SplitSummary {
  std::string name;
  std::string file;
  std::size_t graphs = 0;
  std::vector<std::size_t> class_counts;
  double mean_nodes = 0;
  double mean_edges = 0;
  std::string sha256;
};

struct Manifest {
  std::string name;
  std::vector<std::string> class_names;
  std::vector<SplitSummary> splits;
  nlohmann::ordered_json provenance;
};

Manifest parse_manifest(std::string_view text, const std::string& file);
std::string manifest_text(const Manifest& manifest);

/// One split, line by line.
std::vector<Sample> parse_split(std::string_view text, const std::string& file,
                                std::size_t class_count, NodeBudget& budget,
                                const ReadOptions& options);
/// Whether the lines of a split have attributes. Throws InputError when it begins otherwise.
bool parse_split_header(std::string_view text, const std::string& file);
/// Some lines of a split.
struct SampleLines {
  const std::string& file;
  long lines_before;
  bool has_attributes;
  std::size_t class_count;
};
std::vector<Sample> parse_samples(std::string_view text, const SampleLines& lines_of,
                                  NodeBudget& budget, const ReadOptions& options);
std::string split_text(const Split& split);

/// What read_dataset() would give, looked at where it stands: for what is too large to be held.
/// Checksums are compared first.
std::unique_ptr<SampleSource> open_native(const std::filesystem::path& folder,
                                          const ReadOptions& options);

/// What is said of a file that is not the one of the manifest, or missing.
InputError checksum_error(const std::string& file, const std::string& found,
                          const std::string& told);
InputError missing_file_error(const std::string& manifest, const std::string& file);

std::string split_file(const std::string& split);
SplitSummary summarise(const SplitFigures& figures, std::string sha256);
Manifest manifest_of(const EncodedDataSet& encoded);

}  // namespace bermuda
