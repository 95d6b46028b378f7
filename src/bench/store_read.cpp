#include "bermuda/bench/store.hpp"
#include "bermuda/graph/graph6.hpp"
#include "schema.hpp"
#include "store_rows.hpp"

namespace bermuda {
namespace {

using Json = nlohmann::ordered_json;

}  // namespace

std::vector<std::string> Store::owners() const {
  std::vector<std::string> owners;
  Statement& query = rows_->statement("SELECT DISTINCT owner FROM runs WHERE state = 'running'");
  query.with();
  while (query.step()) owners.push_back(query.text(0));
  return owners;
}

std::vector<GridRecord> Store::grids() const {
  std::vector<GridRecord> grids;
  Statement& query = rows_->statement(
      "SELECT id, name, title, metric, paper, published, config, command FROM grids ORDER BY id");
  query.with();
  while (query.step()) {
    GridRecord& grid = grids.emplace_back();
    grid.id = query.integer(0);
    grid.name = query.text(1);
    grid.title = query.text(2);
    grid.metric = metric_of_key(query.text(3));
    grid.paper = query.text(4);
    const Json published = Json::parse(query.text(5));
    for (const auto& [data, rows] : published.items()) {
      grid.published[data] = rows.get<std::map<std::string, double>>();
    }
    grid.config = query.text(6);
    grid.command = query.text(7);
  }
  return grids;
}

std::vector<GridEntry> Store::entries(std::int64_t grid) const {
  std::vector<GridEntry> entries;
  Statement& query = rows_->statement(
      "SELECT row, data, fold, run FROM entries WHERE grid = ? ORDER BY place, fold");
  query.with(grid);
  while (query.step()) {
    entries.push_back(
        {query.text(0), query.text(1), static_cast<int>(query.integer(2)), query.integer(3)});
  }
  return entries;
}

std::vector<RunRecord> Store::runs() const {
  std::vector<RunRecord> runs;
  Statement& query = rows_->statement(
      "SELECT id, key, method, options, data, data_checksum, fold, seed, state, owner, error, "
      "finished, epochs, best_epoch, validation_accuracy, accuracy, macro_f1, positive_f1, "
      "confusion, train_graphs, validation_graphs, test_graphs, chosen, seconds, cpu_seconds, "
      "host, program_version FROM runs ORDER BY id");
  query.with();
  while (query.step()) {
    RunRecord& run = runs.emplace_back();
    run.id = query.integer(0);
    run.key = query.text(1);
    run.spec.method = query.text(2);
    run.spec.options = Json::parse(query.text(3));
    run.spec.data = query.text(4);
    run.spec.data_checksum = query.text(5);
    run.spec.fold = static_cast<int>(query.integer(6));
    run.spec.seed = static_cast<std::uint64_t>(query.integer(7));
    run.state = state_named(query.text(8));
    run.owner = query.text(9);
    run.error = query.text(10);
    run.finished = query.text(11);
    if (run.state != RunState::kDone) continue;
    RunResult& result = run.result;
    result.epochs = static_cast<int>(query.integer(12));
    result.best_epoch = static_cast<int>(query.integer(13));
    result.validation_accuracy = query.real(14);
    result.test.accuracy = query.real(15);
    result.test.macro_f1 = query.real(16);
    result.test.positive_f1 = query.real(17);
    result.test.confusion =
        Json::parse(query.text(18)).get<std::vector<std::vector<std::size_t>>>();
    result.train_graphs = static_cast<std::size_t>(query.integer(19));
    result.validation_graphs = static_cast<std::size_t>(query.integer(20));
    result.test.count = static_cast<std::size_t>(query.integer(21));
    result.chosen = Json::parse(query.text(22));
    result.seconds = query.real(23);
    result.cpu_seconds = query.real(24);
    result.host = query.text(25);
    result.program_version = query.text(26);
  }
  return runs;
}

std::vector<EpochRecord> Store::curve(std::int64_t run) const {
  std::vector<EpochRecord> curve;
  Statement& query = rows_->statement("SELECT epoch" + epoch_columns_sql() +
                                      " FROM epochs WHERE run = ? ORDER BY epoch");
  query.with(run);
  while (query.step()) {
    EpochRecord& record = curve.emplace_back();
    record.epoch = static_cast<int>(query.integer(0));
    int place = 1;
    for (const EpochColumn& column : kEpochColumns) record.*column.field = query.real(place++);
  }
  return curve;
}

std::vector<Answer> Store::answers(std::int64_t run) const {
  std::vector<Answer> answers;
  Statement& query =
      rows_->statement("SELECT place, said, truth FROM answers WHERE run = ? ORDER BY place");
  query.with(run);
  while (query.step()) {
    answers.push_back({static_cast<int>(query.integer(0)), static_cast<int>(query.integer(1)),
                       static_cast<int>(query.integer(2))});
  }
  return answers;
}

std::vector<DataRecord> Store::data_sets() const {
  std::vector<DataRecord> sets;
  Statement& query = rows_->statement(
      "SELECT id, name, path, checksum, classes, meanings, splits, provenance, audit "
      "FROM data_sets ORDER BY id");
  query.with();
  while (query.step()) {
    DataRecord& data = sets.emplace_back();
    data.id = query.integer(0);
    data.name = query.text(1);
    data.path = query.text(2);
    data.checksum = query.text(3);
    data.class_names = Json::parse(query.text(4)).get<std::vector<std::string>>();
    data.meanings = Json::parse(query.text(5)).get<std::vector<std::string>>();
    data.splits = Json::parse(query.text(6));
    data.provenance = Json::parse(query.text(7));
    if (!query.is_null(8)) data.audit = Json::parse(query.text(8));
  }
  return sets;
}

std::vector<Sample> Store::graphs(std::int64_t data) const {
  std::vector<Sample> samples;
  Statement& query = rows_->statement(
      "SELECT id, class, graph6, witness, node_labels FROM graphs WHERE data = ? ORDER BY place");
  query.with(data);
  while (query.step()) {
    Sample& sample = samples.emplace_back();
    sample.id = query.text(0);
    sample.label = static_cast<int>(query.integer(1));
    const Graph topology = decode_graph6(query.text(2));
    std::vector<int> labels;
    if (!query.is_null(4)) labels = Json::parse(query.text(4)).get<std::vector<int>>();
    sample.graph = Graph(topology.node_count(), topology.edges(), std::move(labels));
    if (query.is_null(3)) continue;
    const Json witness = Json::parse(query.text(3));
    sample.witness.nodes = witness.at("nodes").get<std::vector<int>>();
    for (const Json& edge : witness.at("edges")) {
      sample.witness.edges.push_back({edge.at(0).get<int>(), edge.at(1).get<int>()});
    }
  }
  return samples;
}

}  // namespace bermuda
