#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/bench/store.hpp"
#include "bermuda/core/execution.hpp"

namespace bermuda {

/// Places of test graphs that are isomorphic to each other, a list per group of two and more: what
/// a method says of one it will say of all, so that they count as one where chance is reckoned.
using TwinPlaces = std::vector<std::vector<int>>;

/// What tables are made from: a store's grids and runs, read at once, or a file that --export
/// wrote.
struct Records {
  struct GridWithEntries {
    GridRecord grid;
    std::vector<GridEntry> entries;
  };
  std::vector<GridWithEntries> grids;
  std::map<std::int64_t, RunRecord> runs;        ///< by number; with answers, curves where wanted
  std::map<std::string, TwinPlaces> twins = {};  ///< by the checksum of the data

  const RunRecord& run(const GridEntry& entry) const { return runs.at(entry.run); }
};

struct WantedRecords {
  bool curves = false;
  std::optional<Execution> twins =
      {};  ///< how they are looked for, in silence; nothing: not at all
};

Records read_records(const Store& store, const WantedRecords& wanted = {});

/// All of it but the graphs, ordered by key. Of each run "details" has answers and curve, packed;
/// what differs between two equal runs is under "timing", but the seconds of its epochs.
nlohmann::ordered_json export_json(const Records& records);
/// One line per run.
std::string export_csv(const Records& records);
/// One line per epoch of each run that is done, from records with curves.
std::string export_curves(const Records& records);
/// Reads this or an earlier version's, which may be somebody else's. Throws InputError.
Records parse_export(std::string_view text, const std::string& file);

/// What a killed process had claimed waits: it becomes so here, as the next start will have it in
/// the store, which is not touched. `owner` still says who had it. `work` is the folder of locks.
void release_dead(Records& records, const std::filesystem::path& work);

/// A store or an exported file, told apart by what is in it. A file always gives all it has.
Records read_records_file(const std::filesystem::path& path, const WantedRecords& wanted = {});

}  // namespace bermuda
