#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "bermuda/report/table.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kMostNamed = 4;

std::string counted(std::size_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// "a", "a and b", "a, b and c"; of many some, and how many more.
std::string enumerated(std::vector<std::string> names) {
  if (names.size() > kMostNamed + 1) {
    const std::size_t more = names.size() - kMostNamed;
    names.resize(kMostNamed);
    names.push_back(fmt::format("{} more", more));
  }
  const std::string last = names.back();
  names.pop_back();
  return names.empty() ? last : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

/// "51.7 % test accuracy in 2 runs".
std::string reached(const ResultTable& table, const TableCell& cell) {
  return fmt::format("{:.{}f} % {} in {}", cell.mean, figure_digits(cell.mean),
                     metric_name(table.metric), counted(cell.runs.size(), "run"));
}

/// How far that is from giving all graphs one class.
std::string beside_one_class(const TableCell& cell, double one_class) {
  if (std::isnan(one_class)) return ".";
  const std::string trivial =
      fmt::format("giving all graphs one class reaches {:.1f} %", one_class);
  if (!std::isnan(cell.low) && cell.low <= one_class && cell.mean > one_class) {
    return fmt::format("; {}, which its 95 % interval does not exclude.", trivial);
  }
  if (cell.mean <= one_class) return fmt::format(", no better than chance: {}.", trivial);
  return fmt::format("; {}.", trivial);
}

std::string finding(const ResultTable& table, std::size_t column) {
  const TableRow* best = nullptr;
  const TableRow* first = nullptr;  // the highest, whether or not it may be called the best
  std::vector<std::string> same;
  std::size_t methods = 0;
  std::size_t most = 0;  // runs of one
  for (const TableRow& row : table.rows) {
    const TableCell& cell = row.cells[column];
    if (cell.runs.empty()) continue;
    ++methods;
    most = std::max(most, cell.runs.size());
    if (first == nullptr || cell.mean > first->cells[column].mean) first = &row;
    if (cell.mark == CellMark::kBest) best = &row;
    if (cell.mark == CellMark::kSame) same.push_back(row.name);
  }
  const std::string& data = table.columns[column];
  if (methods == 0) return fmt::format("On {} no run is done yet.", data);
  const TableRow& told = best == nullptr ? *first : *best;
  const TableCell& cell = told.cells[column];
  const std::string end = beside_one_class(cell, table.one_class[column]);
  if (methods == 1) {
    return fmt::format("On {}, {} reaches {}{}", data, told.name, reached(table, cell), end);
  }
  if (best == nullptr) {
    return fmt::format("On {}, {} is ahead of {} with {}, but {}{}", data, told.name,
                       counted(methods - 1, "other"), reached(table, cell),
                       cell.runs.size() < most ? "has fewer runs than others"
                                               : "one with fewer runs is ahead where it has any",
                       end);
  }
  std::string text = fmt::format("On {}, {} is the best of {} with {}", data, told.name,
                                 counted(methods, "method"), reached(table, cell));
  if (!same.empty()) {
    text += fmt::format("; {} {} not differ from it significantly", enumerated(same),
                        same.size() == 1 ? "does" : "do");
  }
  return text + end;
}

}  // namespace

std::vector<std::string> findings(const ResultTable& table) {
  std::vector<std::string> lines;
  for (std::size_t column = 0; column < table.columns.size(); ++column) {
    lines.push_back(finding(table, column));
  }
  return lines;
}

}  // namespace bermuda
