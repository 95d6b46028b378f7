#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bermuda {

/// A field of a heat map.
struct HeatCell {
  std::optional<double> value = {};  ///< its colour; nothing: the field stays empty
  std::string text = {};             ///< in it, short: "97"
  std::string hover = {};            ///< all there is to say, a line each; the first is its title
  bool marked = false;               ///< marked fields that touch are framed together
};

/// A table whose figures are colours: from dark blue to yellow, which the colour-blind tell apart
/// as well and which both paper and screen keep in order.
struct HeatMap {
  std::string title = {};
  std::string row_axis = {};           ///< what rows differ in: "mean degree"; may be empty
  std::string column_axis = {};        ///< what columns differ in
  std::vector<std::string> rows = {};  ///< from top to bottom
  std::vector<std::string> columns = {};
  std::vector<std::vector<HeatCell>> cells = {};  ///< [row][column]
  double low = 0;                                 ///< what the first colour stands for, and below
  double high = 1;                                ///< what the last colour stands for, and above
  std::string low_text = {};                      ///< beside the scale: "50 %"
  std::string high_text = {};
  std::string scale = {};        ///< what the colours show: "accuracy"; empty: no scale is drawn
  std::string mark_text = {};    ///< what the frame means; told beside the scale where one is drawn
  bool slanted_columns = false;  ///< names of columns are long: written at an angle
};

/// One <svg> element that stands alone (a README's picture) or in a page. A field is a
/// <g class="cell"> with its hover text as <title>; lines follow the reader's light or dark scheme.
/// Throws Error unless there is a cell for each row and column.
std::string heat_map_svg(const HeatMap& map);

/// "#rrggbb" of a share 0..1 of the scale.
std::string heat_colour(double share);

}  // namespace bermuda
