#include "stale_places.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

using TablePlace =
    std::tuple<std::string, std::string, int, std::uint64_t>;  // row, column, fold, seed
using CellName = std::pair<std::string, std::string>;          // row, column

auto tied(const GridAsk& ask) {
  return std::tie(ask.name, ask.rounds, ask.path, ask.pairs, ask.count, ask.task_options);
}

auto tied(const GridControls& controls) {
  return std::tie(controls.shuffle_nodes, controls.permute_labels, controls.unfiltered_test);
}

/// What graphs it has and what models are asked about it, whatever it is called.
bool same_data(const GridData& a, const GridData& b) {
  const auto made_of = [](const GridData& data) {
    return std::tie(data.path, data.task, data.seed, data.candidates, data.filter,
                    data.task_options, data.filter_options, data.test_nodes);
  };
  return made_of(a) == made_of(b) && tied(a.controls) == tied(b.controls) &&
         std::ranges::equal(a.asks, b.asks,
                            [](const auto& x, const auto& y) { return tied(x) == tied(y); });
}

bool same_method(const GridCell& a, const GridCell& b) {
  return std::tie(a.method, a.options, a.folding, a.same_as) ==
         std::tie(b.method, b.options, b.folding, b.same_as);
}

/// The cells of a grid by name, with their data.
class Cells {
 public:
  explicit Cells(const Grid& grid) {
    for (const GridData& data : grid.data) data_.emplace(data.name, &data);
    for (const GridCell& cell : grid.cells) cells_.emplace(CellName(cell.row, cell.data), &cell);
  }
  const GridCell* find(const CellName& name) const {
    const auto found = cells_.find(name);
    return found == cells_.end() ? nullptr : found->second;
  }
  const GridData* data_of(const GridCell& cell) const {
    const auto found = data_.find(cell.runs_on());
    return found == data_.end() ? nullptr : found->second;
  }

 private:
  std::map<std::string, const GridData*> data_;
  std::map<CellName, const GridCell*> cells_;
};

/// What a text says; the grid itself where that is no configuration, as in a store of another kind.
Grid grid_of(const std::string& text, const Grid& grid) {
  try {
    return parse_stored_grid(text, grid.name + ".toml");
  } catch (const InputError&) {
    return grid;
  }
}

/// Whether two runs may stand in one mean: they differ in fold and seed at most.
bool same_but_for_fold(const RunSpec& a, const RunSpec& b) {
  return a.method == b.method && a.data_checksum == b.data_checksum && a.folding == b.folding &&
         a.asks == b.asks && options_of_key(a.options) == options_of_key(b.options);
}

}  // namespace

std::vector<GridEntry> stale_places(const std::vector<GridEntry>& places,
                                    const std::map<std::int64_t, RunRecord>& known,
                                    const Grid& whole, const std::string& before,
                                    const std::vector<PlannedRun>& runs) {
  const Grid told = grid_of(whole.text, whole);  // with its own folds, whatever --folds says
  const Grid once = grid_of(before, whole);
  const Cells now_wanted(whole);
  const Cells told_cells(told);
  const Cells once_cells(once);
  std::set<TablePlace> planned;
  std::map<CellName, const RunSpec*> like;
  std::map<std::string, const RunSpec*> of_data;
  for (const PlannedRun& run : runs) {
    const std::string& column = run.column.empty() ? run.spec.data : run.column;
    planned.emplace(run.row, column, run.spec.fold, run.spec.seed);
    like.emplace(CellName(run.row, column), &run.spec);
    of_data.emplace(run.spec.data, &run.spec);
  }
  const auto is_stale = [&](const GridEntry& entry) {
    if (planned.contains({entry.row, entry.data, entry.fold, entry.seed})) return false;
    const CellName name(entry.row, entry.data);
    const GridCell* wanted = now_wanted.find(name);
    if (wanted == nullptr || entry.seed - wanted->seed >= wanted->seeds) return true;
    const RunRecord& run = known.at(entry.run);
    if (run.key != run.spec.key()) return true;  // of another version of the program
    const GridCell* cell = told_cells.find(name);
    const GridCell* earlier = once_cells.find(name);
    if (cell != nullptr && earlier != nullptr) {
      const GridData* data = told_cells.data_of(*cell);
      const GridData* earlier_data = once_cells.data_of(*earlier);
      if (!same_method(*cell, *earlier)) return true;
      if (data != nullptr && earlier_data != nullptr && !same_data(*data, *earlier_data)) {
        return true;
      }
    }
    if (cell != nullptr && run.state != RunState::kDone &&
        std::ranges::find(cell->folds, entry.fold) == cell->folds.end()) {
      return true;
    }
    const auto other = like.find(name);
    if (other != like.end() && !same_but_for_fold(*other->second, run.spec)) return true;
    const auto graphs = of_data.find(run.spec.data);
    return graphs != of_data.end() && graphs->second->data_checksum != run.spec.data_checksum;
  };
  std::vector<GridEntry> stale;
  std::ranges::copy_if(places, std::back_inserter(stale), is_stale);
  return stale;
}

}  // namespace bermuda
