// A result store of somebody else, read by all that read stores. The input is either the file
// itself or one change per line: TABLE.COLUMN=VALUE sets that column in all rows, TABLE.COLUMN@N=
// in the N-th; a value is a text, or behind # an integer, behind ~ a real number, ! for none.
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "bench_status.hpp"
#include "bermuda/bench/records.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/report/collect.hpp"
#include "bermuda/report/table.hpp"
#include "fuzz.hpp"

namespace {

using namespace bermuda;
namespace fs = std::filesystem;

DataSet data() {
  DataSet made;
  made.name = "tri";
  made.class_names = {"0", "1"};
  const Graph triangle(4, {{0, 1}, {1, 2}, {0, 2}, {2, 3}}, {7, 8, 9, 7});
  const Witness witness{{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}};
  made.splits = {
      {"train", {{"a", 0, Graph(2, {}), {}, -1, ""}}},
      {"test", {{"b", 1, triangle, witness, -1, ""}, {"c", 0, Graph(3, {{0, 1}}), {}, -1, ""}}}};
  return made;
}

RunResult result() {
  RunResult made;
  made.epochs = 2;
  made.validation_accuracy = 0.5;
  made.test = {2, 0.5, 0.25, 0.75, {{1, 0}, {1, 0}}};
  made.train_graphs = 20;
  made.chosen = {{"C", 3}};
  made.curve = {{1, 0.1, 0.7, 0.5, 0.6, 0.5, 1}, {2, 0.1, 0.6, 0.5, 0.5, 0.5, 1}};
  made.answers = {{0, 0, 1}, {1, 0, 0}};
  made.last = LastEpoch{{2, 1, 1, 1, {{1, 0}, {0, 1}}}, {{0, 1, 1}, {1, 0, 0}}};
  made.asked = {{"twins", {4, 0.75, 0.7, 0.8, {{2, 0}, {1, 1}}}, 1, {}},
                {"renumbered", {6, 1, 1, 1, {{3, 0}, {0, 3}}}, {}, 2}};
  return made;
}

void sql(sqlite3* handle, const char* text) {
  sqlite3_exec(handle, text, nullptr, nullptr, nullptr);
}

/// A store with a data set and a grid of two runs on three folds, most of them done.
std::string store_bytes(const fs::path& file) {
  {
    Store store(file, Store::Mode::kCreate);
    const Grid grid = parse_grid(
        "[data.tri]\npath='x'\n[[run]]\nmethods=['m', 'n']\nfolds='0-2'\n"
        "[paper]\nsource='P'\n[paper.tri]\nm = 50\n",
        "g.toml");
    std::vector<PlannedRun> runs;
    for (const char* method : {"m", "n"}) {
      for (int fold = 0; fold < 3; ++fold) {
        PlannedRun& run = runs.emplace_back();
        run.row = method;
        run.spec = {method, {{"width", 3}}, "tri", "sum", fold, 1};
        run.spec.asks = {{"twins", "twins", true, 0}, {"renumbered", "", false, 3}};
      }
    }
    store.put_audit(store.put_data(data(), "path", "sum", {"none", "one"}),
                    {{"probes", nlohmann::ordered_json::array()}, {"summary", "s"}});
    store.plan(grid, "bermuda bench g", runs);
    for (std::size_t i = 0; i + 1 < runs.size(); ++i) {
      store.claim(runs[i].spec.key(), "one");
      store.finish(runs[i].spec.key(), result());
    }
    store.fail(runs.back().spec.key(), "why");
  }
  sqlite3* handle = nullptr;
  sqlite3_open(file.c_str(), &handle);
  sql(handle, "PRAGMA journal_mode = DELETE");
  sqlite3_close(handle);
  return read_file(file);
}

void apply(sqlite3* handle, std::string_view line) {
  const std::size_t equals = line.find('=');
  if (equals == line.npos) return;
  std::string_view place = line.substr(0, equals);
  const std::string value(line.substr(equals + 1));
  const std::size_t at = place.find('@');
  const std::string row(at == place.npos ? "" : place.substr(at + 1));
  place = place.substr(0, at);
  const std::size_t dot = place.find('.');
  // Names only: the rest of SQL is not what is tested here.
  const auto is_name = [](std::string_view text) {
    return !text.empty() &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == text.npos;
  };
  if (dot == place.npos || !is_name(place.substr(0, dot)) || !is_name(place.substr(dot + 1)))
    return;
  const std::string table(place.substr(0, dot));
  const bool with_number = table == "runs" || table == "grids" || table == "data_sets";
  const std::string update = "UPDATE OR IGNORE " + table + " SET " +
                             std::string(place.substr(dot + 1)) + " = ?" +
                             (!row.empty() && with_number ? " WHERE rowid = ?" : "");
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(handle, update.c_str(), -1, &statement, nullptr) != SQLITE_OK) return;
  if (value == "!") {
    sqlite3_bind_null(statement, 1);
  } else if (value.starts_with('#')) {
    sqlite3_bind_int64(statement, 1, std::strtoll(value.c_str() + 1, nullptr, 10));
  } else if (value.starts_with('~')) {
    sqlite3_bind_double(statement, 1, std::strtod(value.c_str() + 1, nullptr));
  } else {
    sqlite3_bind_text64(statement, 1, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  if (!row.empty() && with_number) {
    sqlite3_bind_int64(statement, 2, std::strtoll(row.c_str(), nullptr, 10));
  }
  sqlite3_step(statement);
  sqlite3_finalize(statement);
}

void read_all(const fs::path& file) {
  const Records records = read_records_file(file);
  app::status_text(records);
  app::status_json(records);
  for (const auto& grid : records.grids) {
    const ResultTable table = make_table(records, grid);
    table_text(table);
    table_markdown(table);
    table_latex(table);
  }
  export_csv(records);
  using Json = nlohmann::ordered_json;
  const std::string text =
      export_json(records).dump(-1, ' ', false, Json::error_handler_t::replace);
  fuzz::run([&] { parse_export(text, "fuzz"); });
  const Store store(file, Store::Mode::kRead);
  ReportOptions options;
  options.most_drawn = 1;
  collect_model(records, &store, options, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static const fs::path file =
      fs::temp_directory_path() / ("bermuda-fuzz-store-" + std::to_string(::getpid()) + ".sqlite");
  static const std::string good = store_bytes(file);
  const std::string_view input = fuzz::text_of(bytes, size);
  for (const char* end : {"-wal", "-shm", "-journal"}) fs::remove(file.string() + end);
  const bool whole = input.starts_with("SQLite format 3");
  std::ofstream(file, std::ios::binary) << (whole ? input : std::string_view(good));
  if (!whole) {
    sqlite3* handle = nullptr;
    sqlite3_open(file.c_str(), &handle);
    sql(handle, "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN");
    LineReader lines(input);
    for (std::string_view line; lines.next(line);) apply(handle, line);
    sql(handle, "COMMIT");
    sqlite3_close(handle);
  }
  return fuzz::run([&] { read_all(file); });
}
