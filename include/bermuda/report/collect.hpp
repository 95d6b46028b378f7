#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "bermuda/bench/records.hpp"
#include "bermuda/bench/store.hpp"
#include "bermuda/core/execution.hpp"

namespace bermuda {

struct ReportOptions {
  std::string title = {};                ///< empty: that of the first grid
  std::string made = {};                 ///< the day, for people
  std::string source = {};               ///< the name of the store, for people
  WhichEpoch epoch = WhichEpoch::kKept;  ///< what the page shows first, and comparisons are of
  std::size_t most_drawn = 12;           ///< graphs a method gets wrong, for each data set
};

/// Everything the report's page shows (docs/report.md has the form). Tables need the records only;
/// data sets and graphs come from the store, and are left out where there is none, as with an
/// exported file, which has the curves itself. Drawing takes most of the time, up to 0.1 s per
/// graph.
nlohmann::ordered_json collect_model(const Records& records, const Store* store,
                                     const ReportOptions& options, const Execution& execution);

}  // namespace bermuda
