#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "bermuda/bench/grid.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "bermuda/generate/generate.hpp"
#include "bermuda/method/evaluation.hpp"
#include "bermuda/method/program_method.hpp"
#include "bermuda/run/asked.hpp"
#include "toml_reader.hpp"

namespace bermuda {
namespace {

constexpr const char* kMinutes = "expected_minutes";
constexpr const char* kEarlierMinutes = "minutes";
constexpr double kMostSeeds = 1000;

/// Reads what a configuration may hold, and says where it does not.
class GridReader : private TomlReader {
 public:
  /// `stored`: the earlier name of a key is understood, too.
  GridReader(const toml::table& root, std::string file, bool stored)
      : TomlReader(std::move(file), stored ? kEarlierMinutes : ""), root_(root), stored_(stored) {}

  Grid read() {
    Grid grid;
    check_keys(root_, {"title", "metric", "folds", "folding", "seed", "seeds", "data", "ask", "run",
                       "paper"});
    grid.name = std::filesystem::path(file()).stem().string();
    grid.title = text(root_, "title", grid.name);
    grid.metric = usage_at(root_, "metric", [&] {
      return metric_of_key(text(root_, "metric", std::string(metric_key(TableMetric::kAccuracy))));
    });
    const toml::table& data = section(root_, "data");
    for (const auto& [name, node] : data) {
      grid.data.push_back(read_data(std::string(name.str()), table_at(node)));
    }
    std::ranges::sort(grid.data, {}, [&](const GridData& d) { return line_of(data, d.name); });
    const toml::node* runs = root_.get("run");
    if (runs == nullptr || !runs->is_array()) fail(runs, "no [[run]]", "at least one");
    for (const toml::node& node : *runs->as_array()) {
      if (!table_at(node).contains("same_as")) read_run(table_at(node), grid);
    }
    for (const toml::node& node : *runs->as_array()) {
      if (table_at(node).contains("same_as")) read_taken(table_at(node), grid);
    }
    read_paper(grid);
    return grid;
  }

 private:
  std::vector<int> folds(const toml::table& table, const std::vector<int>& otherwise) const {
    const toml::node* node = table.get("folds");
    if (node == nullptr) return otherwise;
    return usage_at(table, "folds", [&] { return parse_folds(value_text(*node)); });
  }

  Folding folding(const toml::table& table, Folding otherwise) const {
    return usage_at(table, "folding", [&] {
      return folding_named(text(table, "folding", std::string(folding_name(otherwise))));
    });
  }

  GridData read_data(const std::string& name, const toml::table& table) const {
    check_keys(table, {"path", "task", "seed", "candidates", "filter", "options", "audit",
                       "shuffle_nodes", "permute_labels", "unfiltered_test", "test_nodes", "ask"});
    GridData data;
    data.name = name;
    data.line = static_cast<long>(table.source().begin.line);
    data.path = text(table, "path", "");
    data.task = text(table, "task", "");
    if (data.path.empty() == data.task.empty()) {
      fail(&table, "neither or both of path and task", "one of them");
    }
    for (const char* key : {"candidates", "options", "filter"}) {
      if (data.path.empty() || stored_ || !table.contains(key)) continue;
      fail(table.get(key), fmt::format("{} for data by its path", key), "data that a task makes");
    }
    data.seed = number(table, "seed", data.seed, 0);
    data.candidates =
        number(table, "candidates", data.candidates, 2, static_cast<double>(kMostCandidates));
    if (!stored_) {
      usage_at(table, "candidates", [&] { check_candidates("candidates", data.candidates); });
    }
    data.task_options = options(table, "options");
    const toml::node* filter = table.get("filter");
    if (filter != nullptr && filter->is_boolean()) {
      data.filter = filter->as_boolean()->get();
    } else {
      data.filter_options = options(table, "filter");
    }
    data.controls = {flag(table, "shuffle_nodes", false), flag(table, "permute_labels", false),
                     flag(table, "unfiltered_test", false)};
    if (data.controls.unfiltered_test && (data.task.empty() || !data.filter)) {
      fail(table.get("unfiltered_test"),
           data.task.empty() ? "unfiltered_test for data by its path"
                             : "unfiltered_test for data without a filter",
           "data that a task makes and the filter splits");
    }
    if (const toml::node* sizes = table.get("test_nodes")) {
      const char* flaw = data.task.empty()               ? "test_nodes for data by its path"
                         : !data.filter                  ? "test_nodes for data without a filter"
                         : data.controls.unfiltered_test ? "test_nodes and unfiltered_test"
                                                         : nullptr;
      if (flaw != nullptr) fail(sizes, flaw, "data that a task makes and the filter splits");
      data.test_nodes = usage_at(table, "test_nodes", [&] {
        return parse_sizes("test_nodes", text(table, "test_nodes", ""));
      });
    }
    data.audit = flag(table, "audit", data.audit);
    data.asks = asks(table, data);
    return data;
  }

  /// What all data sets are asked, and what this one is asked besides, instead, or not.
  std::vector<GridAsk> asks(const toml::table& table, const GridData& data) const {
    static const toml::table kNone;
    const auto asked_by = [&](const toml::table& owner) -> const toml::table& {
      const toml::node* node = owner.get("ask");
      return node == nullptr ? kNone : table_at(*node);
    };
    const toml::table& everybody = asked_by(root_);
    const toml::table& own = asked_by(table);
    std::vector<GridAsk> all;
    for (const auto& [key, value] : everybody) {
      if (own.contains(key)) continue;
      all.push_back(read_ask(std::string(key.str()), table_at(value), data));
    }
    for (const auto& [key, value] : own) {
      const bool left_out = value.is_boolean() && !value.as_boolean()->get();
      if (left_out && !everybody.contains(key)) {
        fail(&value, fmt::format("{} left out", in_quotes(key.str())), "one that [ask] has");
      }
      if (!left_out) all.push_back(read_ask(std::string(key.str()), table_at(value), data));
    }
    std::ranges::sort(all, {}, &GridAsk::name);  // keys shall not depend on the order of lines
    if (all.size() > kMostAsks) {
      fail(&table, fmt::format("{} asked sets", all.size()), fmt::format("at most {}", kMostAsks));
    }
    if (!all.empty() && data.controls.permute_labels) {
      fail(table.get("permute_labels"), "permuted labels and something to ask", "one of them");
    }
    return all;
  }

  GridAsk read_ask(const std::string& name, const toml::table& table, const GridData& data) const {
    check_keys(table, {"rounds", "path", "pairs", "count", "options"});
    GridAsk ask;
    ask.name = name;
    ask.line = static_cast<long>(table.source().begin.line);
    ask.rounds = number(table, "rounds", 0, 1, kMostAskedRounds);
    ask.path = text(table, "path", "");
    ask.pairs = text(table, "pairs", "");
    ask.count = number(table, "count", ask.count, 1, static_cast<double>(kMostCandidates));
    ask.task_options = options(table, "options");
    if (table.contains("rounds") || table.contains("path")) {
      if (table.size() > 1) fail(&table, "more than one thing to ask", "rounds or path alone");
      return ask;
    }
    if (!table.contains("pairs") && !table.contains("count") && !table.contains("options")) {
      fail(&table, "nothing to ask", "rounds, path, pairs, or options and count");
    }
    if (data.task.empty()) {
      fail(&table, "graphs of a task, for data by its path", "rounds or path");
    }
    if (ask.pairs.empty() && ask.count % 2 != 0) {
      fail(table.get("count"), fmt::format("{} graphs", ask.count), "an even number");
    }
    return ask;
  }

  /// Every combination of the values under `vary`, each with the words for the row's name. Those of
  /// a program are JSON, as program_options() wants them.
  std::vector<std::pair<std::string, Options>> variants(const toml::table& run) const {
    const bool program = run.contains("command");
    std::vector<std::pair<std::string, Options>> all = {
        {"", program ? json_options(run) : options(run, "options")}};
    const toml::node* vary = run.get("vary");
    if (vary == nullptr) return all;
    for (const auto& [key, values] : table_at(*vary)) {
      if (!values.is_array() || values.as_array()->empty()) {
        fail(&values, "something else", "a list of values");
      }
      std::vector<std::pair<std::string, Options>> next;
      for (const auto& [words, given] : all) {
        for (const toml::node& value : *values.as_array()) {
          Options more = given;
          const std::string told = value_text(value);
          more[std::string(key.str())] = program ? value_json(value).dump() : told;
          next.emplace_back(fmt::format("{} {}={}", words, key.str(), told), std::move(more));
        }
      }
      all = std::move(next);
    }
    return all;
  }

  Options json_options(const toml::table& run) const {
    Options out;
    const toml::node* node = run.get("options");
    if (node == nullptr) return out;
    for (const auto& [name, value] : table_at(*node)) {
      out[std::string(name.str())] = value_json(value).dump();
    }
    return out;
  }

  /// What the method "command" is set to for a [[run]] with a command.
  Options program_options(const toml::table& run, const Options& given) const {
    nlohmann::ordered_json settings = nlohmann::ordered_json::object();
    for (const auto& [name, json] : given) settings[name] = nlohmann::ordered_json::parse(json);
    Options all = {{"command", text(run, "command", "")}, {"settings", settings.dump()}};
    if (const toml::node* node = run.get("time_limit")) all["time_limit"] = value_text(*node);
    for (const std::string& file : names(run, "files")) {
      if (file.find(',') != std::string::npos) {
        fail(run.get("files"), in_quotes(file), "names without commas");
      }
      all["files"] += (all["files"].empty() ? "" : ",") + file;
    }
    return all;
  }

  void read_run(const toml::table& run, Grid& grid) const {
    const toml::node* earlier = run.get(kEarlierMinutes);
    if (earlier != nullptr && !stored_) {
      fail(earlier, in_quotes(kEarlierMinutes),
           fmt::format("{}, as it is called now: it only orders the runs", kMinutes));
    }
    check_keys(run, {"methods", "data", "options", "vary", "folds", "folding", "seed", "seeds",
                     kMinutes, "name", "same_as", "command", "time_limit", "files", "recorded"});
    const std::vector<std::string> methods = method_names(run);
    std::vector<std::string> on = data_names(run, "data", grid);
    if (on.empty()) {
      for (const GridData& data : grid.data) on.push_back(data.name);
    }
    const std::string name = text(run, "name", "");
    if (!name.empty() && methods.size() > 1) {
      fail(run.get("name"), "one name for several methods", "one method");
    }
    for (const std::string& method : methods) {
      for (const auto& [words, given] : variants(run)) {
        for (const std::string& data : on) {
          GridCell cell;
          cell.row = (name.empty() ? method : name) + words;
          cell.method = method;
          cell.data = data;
          cell.options = method == kCommandMethod && run.contains("command")
                             ? program_options(run, given)
                             : given;
          cell.folds = folds(run, folds(root_, parse_folds("0-9")));
          cell.folding = folding(run, folding(root_, Folding::kUsual));
          cell.seed = number(run, "seed", number<std::uint64_t>(root_, "seed", 1, 0), 0);
          cell.seeds = number<std::uint64_t>(
              run, "seeds", number<std::uint64_t>(root_, "seeds", 1, 1, kMostSeeds), 1, kMostSeeds);
          cell.expected_minutes = number(run, earlier == nullptr ? kMinutes : kEarlierMinutes,
                                         cell.expected_minutes, 0);
          cell.line = static_cast<long>(run.source().begin.line);
          cell.place = static_cast<int>(grid.cells.size());
          check_new(cell, grid, run);
          grid.cells.push_back(std::move(cell));
        }
      }
    }
  }

  std::vector<std::string> method_names(const toml::table& run) const {
    const bool program = run.contains("command");
    const bool recorded = flag(run, "recorded", false);
    std::vector<std::string> methods = names(run, "methods");
    if (!program && !recorded) {
      if (methods.empty()) {
        fail(&run, "no methods", "methods = [\"svm-wl\", ...], a command or recorded = true");
      }
      for (const char* key : {"time_limit", "files"}) {
        if (const toml::node* node = run.get(key)) fail(node, in_quotes(key), "a command with it");
      }
      if (std::ranges::find(methods, kRecordedMethod) != methods.end()) {
        fail(run.get("methods"), in_quotes(kRecordedMethod), "recorded = true and a name");
      }
      return methods;
    }
    if (!methods.empty() || (program && recorded)) {
      fail(&run, "several of methods, command and recorded", "one of them");
    }
    if (text(run, "name", "").empty()) {
      fail(&run, "a run without a name", "name = \"...\", which the table calls it by");
    }
    if (recorded && (run.contains("options") || run.contains("vary"))) {
      fail(&run, "options of what is done elsewhere", "none");
    }
    return {recorded ? kRecordedMethod : kCommandMethod};
  }

  std::vector<std::string> data_names(const toml::table& run, const char* key,
                                      const Grid& grid) const {
    std::vector<std::string> known;
    for (const GridData& data : grid.data) known.push_back(data.name);
    std::vector<std::string> on = names(run, key);
    for (const std::string& name : on) {
      if (std::ranges::find(known, name) != known.end()) continue;
      fail(run.get(key), in_quotes(name), "a data set that [data] has" + did_you_mean(name, known));
    }
    return on;
  }

  /// Cells that show the runs of another column: what these are stands there.
  void read_taken(const toml::table& run, Grid& grid) const {
    check_keys(run, {"methods", "data", "same_as"});
    const std::vector<std::string> methods = method_names(run);
    const std::vector<std::string> columns = data_names(run, "data", grid);
    const std::vector<std::string> from = data_names(run, "same_as", grid);
    if (from.size() != 1 || columns.empty() ||
        std::ranges::find(columns, from[0]) != columns.end()) {
      fail(run.get("same_as"), "same_as without another column",
           "data = \"a column\" and same_as = \"the one whose runs it shows\"");
    }
    for (const std::string& method : methods) {
      std::vector<GridCell> there;
      std::vector<std::string> known;
      for (const GridCell& cell : grid.cells) {
        if (cell.data != from[0] || !cell.same_as.empty()) continue;
        known.insert(known.end(), {cell.row, cell.method});
        if (cell.row == method || cell.method == method) there.push_back(cell);
      }
      if (there.empty()) {
        fail(run.get("methods"), in_quotes(method),
             fmt::format("a method that a [[run]] has on {}{}", from[0],
                         did_you_mean(method, known)));
      }
      for (GridCell cell : there) {
        for (const std::string& column : columns) {
          cell.data = column;
          cell.same_as = from[0];
          cell.line = static_cast<long>(run.source().begin.line);
          cell.place = static_cast<int>(grid.cells.size());
          check_new(cell, grid, run);
          grid.cells.push_back(cell);
        }
      }
    }
  }

  void check_new(const GridCell& cell, const Grid& grid, const toml::table& run) const {
    for (const GridCell& other : grid.cells) {
      if (other.row == cell.row && other.data == cell.data) {
        fail(&run, fmt::format("{} on {} a second time", in_quotes(cell.row), cell.data),
             "another name");
      }
    }
  }

  void read_paper(Grid& grid) const {
    const toml::node* node = root_.get("paper");
    if (node == nullptr) return;
    for (const auto& [key, figures] : table_at(*node)) {
      if (key.str() == "source") {
        grid.paper = text(*node->as_table(), "source", "");
        continue;
      }
      for (const auto& [row, figure] : table_at(figures)) {
        const double value = about(figure);
        if (!std::isfinite(value)) fail(&figure, "something else", "a figure in per cent");
        grid.published[std::string(key.str())][std::string(row.str())] = value;
      }
    }
  }

  const toml::table& root_;
  bool stored_;
};

Grid read_grid(std::string_view text, const std::string& file, bool stored) {
  try {
    const toml::table root = toml::parse(text, file);
    Grid grid = GridReader(root, file, stored).read();
    grid.text = text;
    return grid;
  } catch (const toml::parse_error& error) {
    throw InputError(file, static_cast<long>(error.source().begin.line),
                     std::string(error.description()), "a TOML configuration");
  }
}

}  // namespace

Grid parse_grid(std::string_view text, const std::string& file) {
  return read_grid(text, file, false);
}

Grid parse_stored_grid(std::string_view text, const std::string& file) {
  return read_grid(text, file, true);
}

}  // namespace bermuda
