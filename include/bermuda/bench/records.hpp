#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/bench/store.hpp"

namespace bermuda {

/// What tables are made from: a store's grids and runs, read at once, or a file that --export
/// wrote.
struct Records {
  struct GridWithEntries {
    GridRecord grid;
    std::vector<GridEntry> entries;
  };
  std::vector<GridWithEntries> grids;
  std::map<std::int64_t, RunRecord> runs;  ///< by number; with answers, without curves

  const RunRecord& run(const GridEntry& entry) const { return runs.at(entry.run); }
};

Records read_records(const Store& store);

/// All of it but the curves and the data, ordered by key; what differs between two equal runs, such
/// as seconds and host, is under "timing".
nlohmann::ordered_json export_json(const Records& records);
/// One line per run.
std::string export_csv(const Records& records);
/// Throws InputError.
Records parse_export(std::string_view text, const std::string& file);

/// A store or an exported file, told apart by what is in it.
Records read_records_file(const std::filesystem::path& path);

}  // namespace bermuda
