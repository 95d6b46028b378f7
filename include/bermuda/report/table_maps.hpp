#pragma once

#include <string>
#include <vector>

#include "bermuda/report/heat_map.hpp"
#include "bermuda/report/table.hpp"

namespace bermuda {

/// A table as heat maps: methods by data sets, one map of the test graphs and one of each thing
/// that was asked beside, but renumbered graphs. Colours begin at chance.
std::vector<HeatMap> table_maps(const ResultTable& table);

/// Maps one below the other in one picture. Throws Error when there is none.
std::string stacked_maps_svg(const std::vector<HeatMap>& maps);

}  // namespace bermuda
