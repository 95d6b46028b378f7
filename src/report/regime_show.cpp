#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

#include "bermuda/core/version.hpp"
#include "bermuda/report/regime_map.hpp"
#include "bermuda/statistics/intervals.hpp"
#include "page_parts.hpp"

namespace bermuda {
namespace {

/// How the fields of a map lie on paper: pictures x rows x columns.
struct RegimeLayout {
  explicit RegimeLayout(const RegimeGrid& grid) {
    const std::size_t degrees = std::max<std::size_t>(grid.degrees.size(), 1);
    const std::size_t nodes = std::max<std::size_t>(grid.nodes.size(), 1);
    const bool by_distance = !grid.distances.empty();
    for (const int n : grid.nodes) columns.push_back(std::to_string(n));
    if (columns.empty()) columns.emplace_back("all sizes");
    for (const double degree : grid.degrees) {
      (by_distance ? pictures : rows).push_back(fmt::format("{:g}", degree));
    }
    for (const int distance : grid.distances) rows.push_back(std::to_string(distance));
    row_axis = by_distance ? "distance" : grid.degrees.empty() ? "" : "mean degree";
    if (rows.empty()) rows.emplace_back("");
    if (pictures.empty()) pictures.emplace_back("");
    place = [=](std::size_t picture, std::size_t row, std::size_t column) {
      const std::size_t distance = by_distance ? row : 0;
      const std::size_t degree = by_distance ? picture : row;
      return (distance * degrees + degree) * nodes + column;
    };
  }

  std::vector<std::string> pictures;
  std::vector<std::string> rows;
  std::vector<std::string> columns;
  std::string row_axis;
  std::function<std::size_t(std::size_t picture, std::size_t row, std::size_t column)> place;
};

/// All there is to say of a field, a line each.
std::string told(const RegimeMap& map, const RegimeFigures& figures) {
  std::string text = figures.cell.regime.text();
  if (figures.count() == 0) return fmt::format("{}\n{}", text, figures.cell.empty_because);
  const Interval interval = wilson_interval(figures.right[0] + figures.right[1], figures.count());
  text += fmt::format("\naccuracy {:.1f} %, 95 % interval {:.1f} to {:.1f}",
                      100 * figures.accuracy(), 100 * interval.low, 100 * interval.high);
  for (std::size_t c = 0; c < 2; ++c) {
    if (figures.graphs[c] == 0) continue;
    text += fmt::format("\nclass {}: {} of {} right", c, figures.right[c], figures.graphs[c]);
  }
  text += fmt::format("\nmean degree reached {:.2f}", figures.cell.mean_degree);
  if (map.trained.is_known()) {
    text += figures.trained ? "\nwithin what training had" : "\nnever shown in training";
  }
  return text;
}

std::string title_of(const RegimeMap& map, const RegimeLayout& layout, std::size_t picture) {
  const std::string& degree = layout.pictures[picture];
  return degree.empty() ? map.name : fmt::format("{}, mean degree {}", map.name, degree);
}

std::string trained_text(const TrainedRange& trained) {
  std::vector<std::string> parts;
  if (trained.nodes) {
    parts.push_back(fmt::format("{} to {} nodes", (*trained.nodes)[0], (*trained.nodes)[1]));
  }
  if (trained.degree) {
    parts.push_back(
        fmt::format("mean degree {:.2f} to {:.2f}", (*trained.degree)[0], (*trained.degree)[1]));
  }
  if (trained.distance) {
    parts.push_back(
        fmt::format("distance {} to {}", (*trained.distance)[0], (*trained.distance)[1]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::vector<HeatMap> heat_maps(const RegimeMap& map) {
  const RegimeLayout layout(map.grid);
  std::vector<HeatMap> maps;
  const bool whole_scale = map.has_fields_of_one_class();
  for (std::size_t p = 0; p < layout.pictures.size(); ++p) {
    HeatMap heat{.title = title_of(map, layout, p),
                 .row_axis = layout.row_axis,
                 .column_axis = map.grid.nodes.empty() ? "" : "nodes"};
    heat.columns = layout.columns;
    heat.low = whole_scale ? 0 : 0.5;
    heat.low_text = whole_scale ? "0 %" : "50 %";
    heat.high_text = "100 %";
    heat.scale = "accuracy";
    heat.mark_text = "within what training had";
    for (std::size_t r = layout.rows.size(); r-- > 0;) {
      heat.rows.push_back(layout.rows[r]);
      std::vector<HeatCell>& row = heat.cells.emplace_back();
      for (std::size_t c = 0; c < layout.columns.size(); ++c) {
        const RegimeFigures& figures = map.cells[layout.place(p, r, c)];
        HeatCell cell{.hover = told(map, figures), .marked = figures.trained};
        if (figures.count() > 0) {
          cell.value = figures.accuracy();
          cell.text = fmt::format("{:.0f}", 100 * figures.accuracy());
        }
        row.push_back(std::move(cell));
      }
    }
    maps.push_back(std::move(heat));
  }
  return maps;
}

std::string regimes_text(std::span<const RegimeMap> maps) {
  constexpr std::size_t kRowNames = 6;
  std::string text;
  std::vector<std::pair<std::string, std::string>> empty;  // field, why
  for (const RegimeMap& map : maps) {
    const RegimeLayout layout(map.grid);
    for (std::size_t p = 0; p < layout.pictures.size(); ++p) {
      text += fmt::format("{}{} on {}: accuracy in per cent\n", text.empty() ? "" : "\n",
                          title_of(map, layout, p), map.task);
      const std::string corner = layout.row_axis.empty() ? "" : layout.row_axis + " \\ ";
      const std::size_t wide = std::max(kRowNames, corner.size() + 5);
      text += fmt::format("{:>{}}", corner + "nodes", wide);
      for (const std::string& column : layout.columns) text += fmt::format("{:>7}", column);
      text += '\n';
      for (std::size_t r = layout.rows.size(); r-- > 0;) {
        text += fmt::format("{:>{}}", layout.rows[r], wide);
        for (std::size_t c = 0; c < layout.columns.size(); ++c) {
          const RegimeFigures& figures = map.cells[layout.place(p, r, c)];
          if (figures.count() == 0) {
            text += fmt::format("{:>7}", "-");
            if (&map == &maps.front()) {
              empty.emplace_back(figures.cell.regime.text(), figures.cell.empty_because);
            }
          } else {
            text +=
                fmt::format("{:>6.1f}{}", 100 * figures.accuracy(), figures.trained ? "*" : " ");
          }
        }
        text += '\n';
      }
    }
    if (map.trained.is_known()) {
      text += fmt::format("* within what training had: {}\n", trained_text(map.trained));
    }
    if (map.has_fields_of_one_class()) {
      text += "some fields have graphs of one class only; means count both classes the same\n";
    }
    const auto inside = map.accuracy_inside();
    const auto outside = map.accuracy_outside();
    if (inside) text += fmt::format("mean of these fields: {:.1f} %\n", 100 * *inside);
    if (outside) text += fmt::format("mean of the others: {:.1f} %\n", 100 * *outside);
    if (map.relabelling) {
      text += fmt::format("answers that change when nodes are renumbered: {:.1f} %\n",
                          100 * *map.relabelling);
    }
    if (map.twins) {
      text += fmt::format("twins that agree in {}: {}", map.twins_agree_in, map.twins->text());
    }
  }
  if (empty.empty()) return text;
  constexpr std::size_t kTold = 5;
  text += "\nfields without graphs (-):\n";
  for (std::size_t i = 0; i < std::min(kTold, empty.size()); ++i) {
    text += fmt::format("  {}: {}\n", empty[i].first, empty[i].second);
  }
  if (empty.size() > kTold) {
    text += fmt::format("  and {} more; --json has all reasons\n", empty.size() - kTold);
  }
  return text;
}

std::string regimes_page(std::span<const RegimeMap> maps) {
  nlohmann::ordered_json models = nlohmann::ordered_json::array();
  for (const RegimeMap& map : maps) {
    nlohmann::ordered_json model = to_json(map);
    model["trained_text"] = trained_text(map.trained);
    model["pictures"] = nlohmann::ordered_json::array();
    for (const HeatMap& heat : heat_maps(map)) model["pictures"].push_back(heat_map_svg(heat));
    models.push_back(std::move(model));
  }
  return page_of(
      {.title = "Bermuda regimes",
       .without_script = "<code>bermuda regimes RUN --nodes 8:80</code> prints the same as text.",
       .script = regimes_script()},
      {{"program_version", kVersion}, {"models", std::move(models)}});
}

}  // namespace bermuda
