#include "bermuda/report/table_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"

namespace bermuda {
namespace {

/// In per cent: what is reached by saying anything at random of classes that are equally frequent.
constexpr double kChanceOfGraphs = 50;
constexpr double kChanceOfPairs = 25;
constexpr double kAll = 100;
constexpr std::size_t kShortNames = 6;  // of so many columns, names still stand upright

struct Heat {
  double mean = 0;
  double low = 0;  // NaN: unknown
  double high = 0;
  std::size_t runs = 0;
  double accuracy = std::nan("");  // of single graphs, where the mean is of something else
};

HeatCell heat_cell(const std::string& row, const std::string& column, const std::string& what,
                   const Heat& heat) {
  HeatCell cell;
  cell.value = heat.mean;
  cell.text = fmt::format("{:.0f}", heat.mean);
  cell.hover = fmt::format("{} on {}\n{:.1f} % {}", row, column, heat.mean, what);
  if (!std::isnan(heat.low)) {
    cell.hover += fmt::format("\n95 % interval {:.1f} to {:.1f}", heat.low, heat.high);
  }
  if (heat.runs > 1) cell.hover += fmt::format("\nmean of {} runs", heat.runs);
  if (!std::isnan(heat.accuracy)) {
    cell.hover += fmt::format("\n{:.1f} % of single graphs right", heat.accuracy);
  }
  return cell;
}

/// A map with its names and scale, and no figures yet.
HeatMap empty_map(const ResultTable& table, const std::string& title, const std::string& what,
                  double chance) {
  HeatMap map;
  map.title = title;
  map.columns = table.columns;
  map.slanted_columns = table.columns.size() > kShortNames;
  map.low = chance;
  map.high = kAll;
  map.low_text = fmt::format("{:.0f} %", chance);
  map.high_text = "100 %";
  map.scale = what;
  for (const TableRow& row : table.rows) {
    map.rows.push_back(row.name);
    map.cells.emplace_back(table.columns.size());
  }
  return map;
}

/// What stands in front of a drawing's "0 0 WIDTH HEIGHT".
constexpr std::string_view kViewBox = "viewBox=\"0 0 ";

std::pair<double, double> size_of_drawing(const std::string& svg) {
  const std::size_t begin = svg.find(kViewBox);
  if (begin == std::string::npos) throw Error("a drawing without its size");
  const std::size_t end = svg.find('"', begin + kViewBox.size());
  const auto fields = split_fields(
      std::string_view(svg).substr(begin + kViewBox.size(), end - begin - kViewBox.size()), ' ');
  const auto width = parse_number<double>(fields.front());
  const auto height = parse_number<double>(fields.back());
  if (fields.size() != 2 || !width || !height) throw Error("a drawing of no size");
  return {*width, *height};
}

}  // namespace

std::vector<HeatMap> table_maps(const ResultTable& table) {
  std::vector<HeatMap> maps;
  const std::string tested(metric_name(table.metric));
  maps.push_back(empty_map(table, fmt::format("{}: {}", table.title, tested), tested,
                           table.metric == TableMetric::kAccuracy ? kChanceOfGraphs : 0));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      const TableCell& cell = table.rows[r].cells[c];
      if (cell.runs.empty()) continue;
      maps[0].cells[r][c] = heat_cell(table.rows[r].name, table.columns[c], tested,
                                      {cell.mean, cell.low, cell.high, cell.runs.size()});
    }
  }
  for (std::size_t i = 0; i < table.asked.size(); ++i) {
    const AskedColumn& asked = table.asked[i];
    if (asked.kind == AskedColumn::Kind::kRenumbered) continue;
    const bool pairs = asked.kind == AskedColumn::Kind::kPairs;
    const std::string what = asked_words(asked.kind);
    HeatMap& map = maps.emplace_back(empty_map(table, fmt::format("{}: {}", asked.name, what), what,
                                               pairs ? kChanceOfPairs : kChanceOfGraphs));
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
      for (std::size_t c = 0; c < table.columns.size(); ++c) {
        const std::optional<AskedFigure>& figure = table.rows[r].cells[c].asked[i];
        if (!figure) continue;
        map.cells[r][c] = heat_cell(table.rows[r].name, table.columns[c], what,
                                    {figure->mean, figure->low, figure->high, figure->runs,
                                     pairs ? figure->accuracy : std::nan("")});
      }
    }
  }
  return maps;
}

std::string stacked_maps_svg(const std::vector<HeatMap>& maps) {
  constexpr double kBetween = 14;
  if (maps.empty()) throw Error("no heat map to draw");
  std::string body;
  double width = 0;
  double height = 0;
  for (const HeatMap& map : maps) {
    std::string svg = heat_map_svg(map);
    const auto [wide, high] = size_of_drawing(svg);
    if (height > 0) height += kBetween;
    svg.insert(svg.find(' '), fmt::format(" y=\"{:.0f}\"", height));
    body += svg;
    width = std::max(width, wide);
    height += high;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\">\n"
      "<!-- Drawn by bermuda -->\n{2}</svg>\n",
      width, height, body);
}

}  // namespace bermuda
