// First vectors of nodes: fused against the reference and finite differences, and against the
// general machinery of bermuda::tensor, which knows nothing of graphs.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <algorithm>
#include <optional>

#include "bermuda/core/index.hpp"
#include "bermuda/nn/transformer.hpp"
#include "bermuda/tensor/run.hpp"
#include "gradient_check.hpp"
#include "graphs.hpp"

namespace bermuda::nn {
namespace {

/// Which labels graphs have, and whether all of these are known.
struct Labels {
  bool nodes;
  bool edges;

  FeatureSpec spec(bool all_known) const {
    FeatureSpec result;
    if (nodes) result.node_labels = all_known ? std::vector{0, 1, 2} : std::vector{0, 2};
    if (edges) result.edge_labels = all_known ? std::vector{0, 1, 2} : std::vector{1, 2};
    return result;
  }
  std::vector<Sample> samples() const {
    return edges ? with_edge_labels(awkward_graphs(nodes)) : awkward_graphs(nodes);
  }
};

TopologyShape shape_of(const FeatureSpec& spec, int indices, int width, int node_width,
                       int edge_width) {
  TopologyShape shape;
  shape.indices = indices;
  shape.width = width;
  shape.node_labels = static_cast<int>(spec.node_labels.size());
  shape.node_width = shape.node_labels > 0 ? node_width : 0;
  shape.edge_labels = static_cast<int>(spec.edge_labels.size());
  shape.edge_width = shape.edge_labels > 0 ? edge_width : 0;
  return shape;
}

torch::Tensor tables_of(const TopologyShape& shape) {
  return numbers({static_cast<std::int64_t>(TopologyLayout(shape).size)}, 1);
}

class Topologies : public testing::TestWithParam<Labels> {};

TEST_P(Topologies, FusedReferenceAndFiniteDifferencesAgree) {
  for (const bool all_known : {true, false}) {
    const FeatureSpec spec = GetParam().spec(all_known);
    for (const std::vector<int>& chosen :
         std::vector<std::vector<int>>{{}, {0}, {1}, {7}, {4, 1, 0, 3}}) {
      const Batch batch = whole_graphs(GetParam().samples(), spec, chosen);
      for (const auto& [width, node_width, edge_width] :
           {std::tuple{16, 4, 2}, {5, 3, 1}, {1, 1, 1}, {8, 9, 0}}) {
        const TopologyShape shape = shape_of(spec, 6, width, node_width, edge_width);
        for (const bool all_in_table : {true, false}) {
          // A row may serve several nodes.
          torch::Tensor rows = torch::arange(batch.nodes, torch::kInt).mul(5).remainder(6);
          if (!all_in_table) rows.masked_fill_(rows == 3, -1);
          check([&](const Inputs& in,
                    Engine engine) { return embed_topology(in[0], shape, rows, batch, engine); },
                {tables_of(shape)}, all_in_table ? "all in the table" : "some beyond the table",
                {.exact = 1e-12});
        }
      }
    }
  }
}

TEST(Topology, SumsOuterProductsOverNeighbours) {
  std::vector<Sample> samples(1);
  samples[0].graph = Graph(4, {{0, 1}, {1, 2}}, {0, 1, 1, 0}, {0, 1});  // node 3 is isolated
  FeatureSpec spec;
  spec.node_labels = {0, 1};
  spec.edge_labels = {0, 1};
  const Batch batch = whole_graphs(samples, spec);
  const TopologyShape shape = shape_of(spec, 3, 1, 1, 1);
  // E = 2, 3, 5; edge labels 7, 11; neighbours' labels 13, 17; own labels 19, 23.
  const torch::Tensor tables = torch::tensor({2, 3, 5, 7, 11, 13, 17, 19, 23}, torch::kDouble);
  const torch::Tensor rows = torch::tensor({2, 0, 1, -1}, torch::kInt);
  const torch::Tensor expected = torch::tensor({{2, 7 * 2, 17 * 2, 19, 5},
                                                {5 + 3, 7 * 5 + 11 * 3, 13 * 5 + 17 * 3, 23, 2},
                                                {2, 11 * 2, 17 * 2, 23, 3},
                                                {0, 0, 0, 19, 0}})
                                     .to(torch::kDouble);
  for (const Engine engine : {Engine::kFused, Engine::kReference}) {
    EXPECT_TRUE(torch::equal(embed_topology(tables, shape, rows, batch, engine), expected));
  }
}

TEST_P(Topologies, NumberOfThreadsDoesNotMatter) {
  const FeatureSpec spec = GetParam().spec(false);
  std::vector<int> chosen;
  for (int i = 0; i < 300; ++i) chosen.push_back(i % 14);  // some thousand rows, several parts
  const Batch batch = whole_graphs(GetParam().samples(), spec, chosen);
  const TopologyShape shape = shape_of(spec, 9, 16, 4, 2);
  const torch::Tensor rows = torch::arange(batch.nodes, torch::kInt).remainder(9);
  const Operator run = [&](const Inputs& in, Engine engine) {
    return embed_topology(in[0], shape, rows, batch, engine);
  };
  std::vector<torch::Tensor> found;
  for (const int threads : {1, 2}) {
    at::set_num_threads(threads);
    const torch::Tensor tables = tables_of(shape).to(torch::kFloat);
    found.push_back(run({tables}, Engine::kFused));
    found.push_back(gradients(run, {tables}, Engine::kFused, torch::kFloat).front());
  }
  at::set_num_threads(1);
  EXPECT_TRUE(torch::equal(found[0], found[2]));
  EXPECT_TRUE(torch::equal(found[1], found[3]));
}

/// The same batch as a sparse tensor: a mode `graph` and the modes of the paper's plan; an entry a
/// neighbour. Node indices are rows of E.
class AsTensor {
 public:
  AsTensor(const Batch& batch, const torch::Tensor& table_rows, const Labels& labels) {
    std::vector<std::string> names = {"graph", "i", "j"};
    modes_ = {{"i", tensor::ModeKind::kTopology, {}, {}},
              {"j", tensor::ModeKind::kTopology, {}, {}}};
    if (labels.nodes) {
      modes_.push_back({"label_i", tensor::ModeKind::kLabel, {"i"}, {}});
      modes_.push_back({"label_j", tensor::ModeKind::kLabel, {"j"}, {}});
      names.insert(names.end(), {"label_i", "label_j"});
    }
    if (labels.edges) {
      modes_.push_back({"edge", tensor::ModeKind::kLabel, {"i", "j"}, {}});
      names.push_back("edge");
    }
    const Relation& relation = *batch.levels.back().neighbours;
    const int* row_of = table_rows.data_ptr<int>();
    std::vector<int> index;
    for (int graph = 0; graph < batch.graphs; ++graph) {
      for (int v = batch.graph_offsets[at(graph)]; v < batch.graph_offsets[at(graph) + 1]; ++v) {
        for (int e = relation.offsets[at(v)]; e < relation.offsets[at(v) + 1]; ++e) {
          const int u = relation.sources[at(e)];
          index.insert(index.end(), {graph, row_of[v], row_of[u]});
          if (labels.nodes) {
            index.insert(index.end(), {batch.node_labels[at(v)], batch.node_labels[at(u)]});
          }
          if (labels.edges) index.push_back(batch.edge_labels[at(e)]);
        }
      }
    }
    const auto columns = static_cast<std::int64_t>(names.size());
    entries_.emplace(names, torch::tensor(index, torch::kInt32).view({-1, columns}),
                     std::vector{torch::ones({relation.entries()}, torch::kDouble)});
  }

  tensor::Plan plan() const { return tensor::make_plan(modes_, "i"); }
  const tensor::MixedTensor& entries() const { return *entries_; }

 private:
  std::vector<tensor::Mode> modes_;
  std::optional<tensor::MixedTensor> entries_;
};

/// The tables of a TopologyLayout by the names of the modes that they embed.
tensor::Tables named_tables(const torch::Tensor& tables, const TopologyShape& shape) {
  const TopologyLayout layout(shape);
  const auto table = [&](std::size_t offset, std::int64_t rows, std::int64_t width) {
    return tables.narrow(0, static_cast<std::int64_t>(offset), rows * width).view({rows, width});
  };
  return {{"i", table(0, shape.indices, shape.width)},
          {"edge", table(layout.edge, shape.edge_labels, shape.edge_width)},
          {"label_j", table(layout.neighbour, shape.node_labels, shape.node_width)},
          {"label_i", table(layout.own, shape.node_labels, shape.node_width)}};
}

/// The machinery gives vectors to nodes that occur in an entry only.
std::vector<int> without_isolated_nodes(const std::vector<Sample>& samples) {
  std::vector<int> chosen;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const std::vector<int> degrees = samples[i].graph.degrees();
    if (!degrees.empty() && std::ranges::find(degrees, 0) == degrees.end()) {
      chosen.push_back(static_cast<int>(i));
    }
  }
  return chosen;
}

TEST_P(Topologies, AreWhatTheGeneralMachineryGives) {
  const FeatureSpec spec = GetParam().spec(true);
  const std::vector<Sample> samples = GetParam().samples();
  const std::vector<int> chosen = without_isolated_nodes(samples);
  ASSERT_GE(chosen.size(), 6u);
  const Batch batch = whole_graphs(samples, spec, chosen);
  const TopologyShape shape = shape_of(spec, 15, 5, 4, 2);
  const torch::Tensor rows = draw_table_rows(batch, shape.indices, {.seed = 3}, true);
  const AsTensor machinery(batch, rows, GetParam());

  const torch::Tensor ours = tables_of(shape).requires_grad_(true);
  const torch::Tensor theirs = tables_of(shape).requires_grad_(true);
  const torch::Tensor found = embed_topology(ours, shape, rows, batch, Engine::kFused);
  const torch::Tensor expected =
      tensor::run(machinery.plan(), machinery.entries(), named_tables(theirs, shape)).flatten();
  expect_close(found, expected, 1e-13, "vectors");
  score(found).backward();
  score(expected).backward();
  expect_close(ours.grad(), theirs.grad(), 1e-13, "gradients of the tables");
}

TEST_P(Topologies, CoreTensorIsWhatTheGeneralMachineryGives) {
  TopologyOptions topology{.features = GetParam().spec(true),
                           .width = 5,
                           .node_width = 4,
                           .edge_width = 2,
                           .shuffle = false};
  topology.features.indices = 12;
  const TopologyShape shape = shape_of(topology.features, 12, 5, 4, 2);
  const std::vector<Sample> samples = GetParam().samples();
  const Batch batch = whole_graphs(samples, topology.features, without_isolated_nodes(samples));
  const AsTensor machinery(batch, torch::tensor(batch.indices, torch::kInt), GetParam());
  for (const Engine engine : {Engine::kFused, Engine::kReference}) {
    Initialiser initialiser(1);
    const auto network =
        make_fcnn({.topology = topology, .width = 7, .engine = engine}, initialiser);
    network->to(torch::kDouble);
    std::vector<torch::Tensor> trace;
    network->trace = &trace;
    network->forward(batch);
    ASSERT_EQ(trace.size(), 2u);

    const torch::Tensor ours = network->named_parameters()["topology.tables"];
    const torch::Tensor theirs = ours.detach().clone().requires_grad_(true);
    const torch::Tensor expected =
        tensor::core_tensor(machinery.plan(), machinery.entries(), named_tables(theirs, shape))
            .flatten();
    expect_close(trace[1], expected, 1e-12, "core tensor");
    score(trace[1]).backward();
    score(expected).backward();
    expect_close(ours.grad(), theirs.grad(), 1e-12, "gradients of the tables");
  }
}

std::string name_of(const testing::TestParamInfo<Labels>& info) {
  return std::string(info.param.nodes ? "node_labels" : "no_node_labels") +
         (info.param.edges ? "_edge_labels" : "_no_edge_labels");
}

INSTANTIATE_TEST_SUITE_P(AllLabels, Topologies,
                         testing::Values(Labels{false, false}, Labels{true, false},
                                         Labels{false, true}, Labels{true, true}),
                         name_of);

}  // namespace
}  // namespace bermuda::nn
