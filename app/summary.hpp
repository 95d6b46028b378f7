#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bermuda/dataset/figures.hpp"
#include "bermuda/probe/filter.hpp"

namespace bermuda::app {

/// Counts and means of a data set, a split at a time: what `info` shows.
nlohmann::ordered_json summary_json(const DataSetFigures& data);
std::string summary_text(const DataSetFigures& data);

/// The undermanned classifier before and after, hit buckets, isomorphs.
std::string filter_text(const FilterReport& report);

}  // namespace bermuda::app
