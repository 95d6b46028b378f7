#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/method/method.hpp"
#include "register.hpp"

namespace bermuda::train {

/// Rings and paths of 4 to 9 nodes: degrees tell them apart.
inline std::vector<Sample> rings_and_paths(int count) {
  std::vector<Sample> samples;
  for (int i = 0; i < count; ++i) {
    const int n = 4 + i / 2 % 6;
    std::vector<Edge> edges;
    for (int v = 0; v + 1 < n; ++v) edges.push_back({v, v + 1});
    if (i % 2 == 1) edges.push_back({0, n - 1});
    Sample sample;
    sample.id = std::to_string(i);
    sample.label = i % 2;
    sample.graph = Graph(n, edges);
    samples.push_back(sample);
  }
  return samples;
}

inline std::vector<const Sample*> pointers(const std::vector<Sample>& samples) {
  std::vector<const Sample*> all;
  for (const Sample& sample : samples) all.push_back(&sample);
  return all;
}

inline MethodRegistry registry() {
  MethodRegistry made;
  register_neural_methods(made);
  return made;
}

inline std::unique_ptr<Method> make(const std::string& name, int epochs = 5) {
  auto method = registry().get(name).make();
  const ParameterSet parameters = method->parameters();
  parameters.get("layers").set("2");
  if (name.starts_with("gat")) {
    parameters.get("heads").set("2");
    parameters.get("head-size").set("8");  // narrower, all units of the readout may die
  } else {
    parameters.get("width").set("16");
  }
  parameters.get("batch-size").set("8");
  const bool over_topology = name.starts_with("tf") || name == "fcnn";
  parameters.get("learning-rate").set(over_topology ? "0.003" : "0.01");
  parameters.get("max-epochs").set(std::to_string(epochs));
  return method;
}

/// Keeps everything in memory; can stop a fit after some epochs.
class MemoryJournal : public Journal {
 public:
  std::string last_checkpoint() override { return last; }
  void save(std::string_view checkpoint, std::span<const EpochRecord> epochs) override {
    last = checkpoint;
    records.assign(epochs.begin(), epochs.end());
    if (static_cast<int>(epochs.size()) == stop_after) throw Interrupted();
  }
  std::string last;
  std::vector<EpochRecord> records;
  int stop_after = -1;
};

inline std::string bytes_of(const Method& method) {
  ByteWriter out;
  method.save(out);
  return out.bytes();
}

}  // namespace bermuda::train
