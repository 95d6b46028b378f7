#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bermuda/dataset/dataset.hpp"
#include "bermuda/probe/filter.hpp"

namespace bermuda::app {

/// Counts and means of a data set, a split at a time: what `info` shows.
nlohmann::ordered_json summary_json(const DataSet& data);
std::string summary_text(const DataSet& data);

/// The undermanned classifier before and after, hit buckets, isomorphs.
std::string filter_text(const FilterReport& report);

}  // namespace bermuda::app
