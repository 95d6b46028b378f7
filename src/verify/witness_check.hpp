#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/dataset/dataset.hpp"

namespace bermuda::verify {

/// "1 triangle", "2 triangles".
std::string counted(std::size_t count, std::string_view thing);

template <typename Item>
bool contains(const std::vector<Item>& items, const Item& item) {
  return std::ranges::find(items, item) != items.end();
}

/// What is wrong with the witness whatever the task is: nodes and edges are in the graph,
/// ascending, and the edges join the nodes. Nothing when it is sound.
std::optional<std::string> fault_in_form(const Sample& sample);

/// Takes these nodes and all edges between them out of the witness. What is missing there, said by
/// the name of such a set of nodes: "triangle".
std::optional<std::string> take_clique(Witness& witness, const std::vector<int>& nodes,
                                       std::string_view name);

/// What is wrong with a witness, sound in itself, that must be one cycle through all its nodes.
std::optional<std::string> fault_in_cycle(const Witness& witness);

}  // namespace bermuda::verify
