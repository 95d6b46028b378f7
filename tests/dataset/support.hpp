#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "bermuda/core/random.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/dataset/io.hpp"

namespace bermuda::test {

/// A folder of its own for one test, removed afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("bermuda-dataset-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

inline constexpr ReadOptions kMayLackClass{.may_lack_class = true};

/// Those that are also written.
inline std::vector<const Format*> written_formats() {
  std::vector<const Format*> written;
  for (const Format* format : formats()) {
    if (format->is_written()) written.push_back(format);
  }
  return written;
}

struct RandomDataOptions {
  bool node_labels = false;
  bool edge_labels = false;
  int attribute_width = 0;
  bool witnesses = false;
  bool hits_and_origins = false;
  int least_nodes = 1;
  bool isolated_last_node = true;  ///< false: node n-1 has an edge, as SP/CL needs
  std::vector<std::string> split_names = {"train", "valid", "test"};
};

inline Sample random_sample(RandomStream& random, const RandomDataOptions& options, int number) {
  const int nodes = random.between(options.isolated_last_node ? options.least_nodes : 2, 25);
  const double density = random.uniform();
  std::vector<Edge> edges;
  for (int u = 0; u < nodes; ++u) {
    for (int v = u + 1; v < nodes; ++v) {
      const bool forced = !options.isolated_last_node && u == 0 && v == nodes - 1;
      if (random.uniform() < density * density || forced) edges.push_back({u, v});
    }
  }
  std::vector<int> node_labels;
  std::vector<int> edge_labels;
  for (int i = 0; options.node_labels && i < nodes; ++i)
    node_labels.push_back(random.between(-2, 9));
  for (std::size_t i = 0; options.edge_labels && i < edges.size(); ++i) {
    edge_labels.push_back(random.between(-1, 3));
  }
  Sample sample;
  sample.id = "graph-" + std::to_string(number);
  sample.label = number % 3;
  sample.graph = Graph(nodes, edges, node_labels, edge_labels);
  if (options.attribute_width > 0) {
    std::vector<double> values(static_cast<std::size_t>(nodes * options.attribute_width));
    for (double& value : values) value = random.normal() * 1e3;
    sample.graph.set_attributes(options.attribute_width, values);
  }
  if (options.witnesses && !edges.empty() && number % 2 == 0) {
    const Edge edge = edges[random.below(static_cast<std::uint32_t>(edges.size()))];
    sample.witness = {{edge.u, edge.v}, {edge}};
  }
  if (options.hits_and_origins) {
    sample.hits = random.between(Sample::kNoHits, 4);
    sample.origin = number % 3 == 0 ? "" : "knn" + std::to_string(number % 5);
  }
  return sample;
}

/// 40 graphs per split in the classes -1, 0 and 3.
inline DataSet random_data(std::uint64_t seed, const RandomDataOptions& options) {
  DataSet data;
  data.name = "RANDOM";
  data.class_names = {"-1", "0", "3"};
  int number = 0;
  for (const std::string& name : options.split_names) {
    Split split{name, {}};
    for (int i = 0; i < 40; ++i, ++number) {
      RandomStream random(seed, Purpose::kTest, static_cast<std::uint64_t>(number));
      split.samples.push_back(random_sample(random, options, number));
    }
    data.splits.push_back(std::move(split));
  }
  return data;
}

/// The same graphs and classes, whatever the names are.
inline bool same_graphs(const DataSet& a, const DataSet& b) {
  const auto left = a.all();
  const auto right = b.all();
  return a.class_names == b.class_names &&
         std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](const Sample* x, const Sample* y) {
                      return x->graph == y->graph && x->label == y->label;
                    });
}

}  // namespace bermuda::test
