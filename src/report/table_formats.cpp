#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "bermuda/report/table.hpp"
#include "escapes.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

/// What differs between the ways to write a table.
struct Marks {
  const char* best;
  const char* same;
  const char* neither;
  const char* plus_minus;
  const char* dead;
};

bool run_counts_differ(const ResultTable& table) {
  std::set<std::size_t> counts;
  for (const TableRow& row : table.rows) {
    for (const TableCell& cell : row.cells) {
      if (!cell.runs.empty()) counts.insert(cell.runs.size());
    }
  }
  return counts.size() > 1;
}

std::string with_deviation(double mean, double deviation, const Marks& marks) {
  const int digits = figure_digits(mean);
  const std::string text = fmt::format("{:.{}f}", mean, digits);
  if (std::isnan(deviation)) return text;
  return fmt::format("{}{}{:.{}f}", text, marks.plus_minus, deviation, digits);
}

std::string figure(const TableCell& cell, const Marks& marks, bool with_runs) {
  if (cell.runs.empty()) return cell.failed > 0 ? "failed" : "";
  std::string text = with_deviation(cell.mean, cell.deviation, marks);
  if (cell.is_dead()) text += marks.dead;
  if (with_runs) text += fmt::format(" ({})", cell.runs.size());
  if (cell.mark == CellMark::kBest) text += marks.best;
  if (cell.mark == CellMark::kSame) text += marks.same;
  if (cell.mark == CellMark::kNone) text += marks.neither;
  return text;
}

std::string paper_figure(const TableCell& cell) {
  return cell.paper ? fmt::format("{:.1f}", *cell.paper) : "";
}

std::string difference(const TableCell& cell) {
  if (!cell.paper || cell.runs.empty()) return "";
  const int digits = figure_digits(cell.mean);
  const double scale = std::pow(10, digits);
  const double rounded = std::round((cell.mean - *cell.paper) * scale) / scale;
  return fmt::format("{:+.{}f}", rounded + 0.0, digits);  // no -0.0
}

/// Whether a paper has figures for it.
bool has_paper(const ResultTable& table, std::size_t column) {
  return std::ranges::any_of(
      table.rows, [&](const TableRow& row) { return row.cells[column].paper.has_value(); });
}

/// The table as texts, the first line its head.
std::vector<std::vector<std::string>> as_texts(const ResultTable& table, const Marks& marks) {
  std::vector<bool> paper;
  for (std::size_t c = 0; c < table.columns.size(); ++c) paper.push_back(has_paper(table, c));
  const bool with_runs = run_counts_differ(table);
  std::vector<std::vector<std::string>> lines;
  auto& head = lines.emplace_back();
  head.push_back("method");
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    head.push_back(table.columns[c]);
    if (!paper[c]) continue;
    head.push_back("paper");
    head.push_back("difference");
  }
  for (const TableRow& row : table.rows) {
    auto& line = lines.emplace_back();
    line.push_back(row.name);
    for (std::size_t c = 0; c < row.cells.size(); ++c) {
      const TableCell& cell = row.cells[c];
      line.push_back(figure(cell, marks, with_runs));
      if (!paper[c]) continue;
      line.push_back(paper_figure(cell));
      line.push_back(difference(cell));
    }
  }
  return lines;
}

using Lines = std::vector<std::vector<std::string>>;

/// What was asked beside, as texts, the first line its head.
Lines asked_texts(const ResultTable& table, std::size_t asked, const Marks& marks) {
  Lines lines;
  auto& head = lines.emplace_back();
  head.push_back("method");
  head.insert(head.end(), table.columns.begin(), table.columns.end());
  for (const TableRow& row : table.rows) {
    auto& line = lines.emplace_back();
    line.push_back(row.name);
    for (const TableCell& cell : row.cells) {
      const std::optional<AskedFigure>& figure = cell.asked[asked];
      line.push_back(figure ? with_deviation(figure->mean, figure->deviation, marks) : "");
    }
  }
  return lines;
}

std::string asked_caption(const AskedColumn& asked) {
  return fmt::format("{}: {}, %{}", asked.name, asked_words(asked.kind),
                     asked.kind == AskedColumn::Kind::kPairs ? " (chance 25)" : "");
}

std::string caption(const ResultTable& table) {
  return fmt::format("{}: {}, %{}", table.title, metric_name(table.metric),
                     table.paper.empty() ? "" : "; paper: " + table.paper);
}

// Characters, not bytes: the plus-minus sign has two.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

Json number(double value) { return std::isnan(value) ? Json() : Json(value); }

Json numbers(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(number(value));
  return list;
}

}  // namespace

int figure_digits(double percent) {
  constexpr int kMost = 4;
  int digits = 1;
  while (digits < kMost) {
    const double step = std::pow(10, -digits) / 2;  // half of the last digit
    const bool reads_0 = percent > 0 && percent < step;
    const bool reads_100 = percent < 100 && percent >= 100 - step;
    if (!reads_0 && !reads_100) break;
    ++digits;
  }
  return digits;
}

namespace {

std::string lines_text(const Lines& lines) {
  std::vector<std::size_t> widths(lines.front().size(), 0);
  for (const auto& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], width_of(line[i]));
    }
  }
  std::string text;
  for (const auto& line : lines) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string padding(widths[i] - width_of(line[i]), ' ');
      out += (i == 0 ? "" : "  ") + (i == 0 ? line[i] + padding : padding + line[i]);
    }
    text += out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string lines_markdown(const Lines& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text += "|";
    for (std::size_t j = 0; j < lines[i].size(); ++j) {
      const std::string& cell = lines[i][j];
      const bool figures = i > 0 && j > 0;
      text += fmt::format(" {} |", figures  ? cell
                                   : i == 0 ? escaped_markdown(cell)
                                            : markdown_code(cell));
    }
    text += "\n";
    if (i > 0) continue;
    text += "|---|";
    for (std::size_t j = 1; j < lines[i].size(); ++j) text += "--:|";
    text += "\n";
  }
  return text;
}

std::string lines_latex(const Lines& lines) {
  std::string text = "\\begin{table}\n\\centering\n\\begin{tabular}{l" +
                     std::string(lines.front().size() - 1, 'r') + "}\n\\hline\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t j = 0; j < lines[i].size(); ++j) {
      const bool plain = i == 0 || j == 0;
      text += (j == 0 ? "" : " & ") + (plain ? escaped_latex(lines[i][j]) : lines[i][j]);
    }
    text += i == 0 ? " \\\\\n\\hline\n" : " \\\\\n";
  }
  return text + "\\hline\n\\end{tabular}\n";
}

}  // namespace

std::string table_text(const ResultTable& table) {
  const Marks marks = {" *", " =", "  ", " ± ", "†"};
  std::string text = caption(table) + "\n" + lines_text(as_texts(table, marks));
  for (const std::string& note : table.notes) text += note + "\n";
  for (std::size_t i = 0; i < table.asked.size(); ++i) {
    text += fmt::format("\n{}\n{}", asked_caption(table.asked[i]),
                        lines_text(asked_texts(table, i, marks)));
  }
  return text;
}

std::string table_markdown(const ResultTable& table) {
  const Marks marks = {" \\*", " =", "", " ± ", "†"};
  std::string text = lines_markdown(as_texts(table, marks));
  text += "\n" + escaped_markdown(caption(table)) + ".";
  for (const std::string& note : table.notes) text += " " + escaped_markdown(note);
  text += "\n";
  for (std::size_t i = 0; i < table.asked.size(); ++i) {
    text += fmt::format("\n{}\n{}.\n", lines_markdown(asked_texts(table, i, marks)),
                        escaped_markdown(asked_caption(table.asked[i])));
  }
  return text;
}

std::string table_latex(const ResultTable& table) {
  const Marks marks = {"$^{*}$", "$^{=}$", "", " $\\pm$ ", "$^{\\dagger}$"};
  std::string text =
      lines_latex(as_texts(table, marks)) + "\\caption{" + escaped_latex(caption(table)) + ".";
  for (const std::string& note : table.notes) {
    std::string latex = escaped_latex(note);
    for (const auto& [sign, command] :
         {std::pair<std::string, std::string>("±", "$\\pm$"), {"†", "$\\dagger$"}}) {
      if (const auto place = latex.find(sign); place != latex.npos) {
        latex.replace(place, sign.size(), command);
      }
    }
    text += " " + latex;
  }
  text += "}\n\\end{table}\n";
  for (std::size_t i = 0; i < table.asked.size(); ++i) {
    text += fmt::format("\n{}\\caption{{{}.}}\n\\end{{table}}\n",
                        lines_latex(asked_texts(table, i, marks)),
                        escaped_latex(asked_caption(table.asked[i])));
  }
  return text;
}

namespace {

/// Null where the cell's models were not asked anything.
Json asked_json(const ResultTable& table, const TableCell& cell) {
  Json all = Json::object();
  for (std::size_t i = 0; i < cell.asked.size(); ++i) {
    const std::optional<AskedFigure>& figure = cell.asked[i];
    if (!figure) continue;
    all[table.asked[i].name] = {{"figure", figure->mean},
                                {"digits", figure_digits(figure->mean)},
                                {"sd", number(figure->deviation)},
                                {"low", number(figure->low)},
                                {"high", number(figure->high)},
                                {"accuracy", figure->accuracy},
                                {"runs", figure->runs}};
  }
  return all.empty() ? Json() : all;
}

}  // namespace

Json table_json(const ResultTable& table) {
  Json rows = Json::array();
  for (const TableRow& row : table.rows) {
    Json cells = Json::array();
    for (const TableCell& cell : row.cells) {
      if (cell.runs.empty()) {
        cells.push_back({{"mean", nullptr},
                         {"runs", Json::array()},
                         {"paper", cell.paper ? Json(*cell.paper) : Json()},
                         {"failed", cell.failed}});
        continue;
      }
      Json runs = Json::array();
      for (const CellRun& run : cell.runs) {
        runs.push_back({{"fold", run.fold}, {"seed", run.seed}, {"figure", run.figure}});
      }
      Json& json = cells.emplace_back();
      json = {{"mean", cell.mean},
              {"digits", figure_digits(cell.mean)},
              {"sd", number(cell.deviation)},
              {"low", number(cell.low)},
              {"high", number(cell.high)},
              {"runs", std::move(runs)},
              {"paper", cell.paper ? Json(*cell.paper) : Json()},
              {"difference", cell.paper ? Json(cell.mean - *cell.paper) : Json()},
              {"mark", cell.mark == CellMark::kBest   ? "best"
                       : cell.mark == CellMark::kSame ? "same"
                                                      : ""},
              {"one_class", cell.one_class},
              {"failed", cell.failed},
              {"taken_from", cell.taken_from.empty() ? Json() : Json(cell.taken_from)}};
      if (Json asked = asked_json(table, cell); !asked.is_null()) json["asked"] = std::move(asked);
    }
    rows.push_back({{"method", row.name}, {"cells", std::move(cells)}});
  }
  Json asked = Json::array();
  for (const AskedColumn& column : table.asked) {
    asked.push_back({{"name", column.name},
                     {"key", asked_key(column.kind)},
                     {"words", asked_words(column.kind)}});
  }
  return {{"title", table.title},
          {"metric", metric_key(table.metric)},
          {"metric_name", fmt::format("{}, %", metric_name(table.metric))},
          {"epoch", table.epoch == WhichEpoch::kKept ? "kept" : "last"},
          {"paper", table.paper.empty() ? Json() : Json(table.paper)},
          {"columns", table.columns},
          {"one_class", numbers(table.one_class)},
          {"rows", rows},
          {"asked", asked},
          {"notes", table.notes}};
}

Json comparison_json(const Comparison& comparison) {
  Json rows = Json::array();
  for (const auto& row : comparison.p) rows.push_back(numbers(row));
  return {{"data", comparison.data},
          {"test", comparison.test},
          {"methods", comparison.methods},
          {"p", rows}};
}

}  // namespace bermuda
