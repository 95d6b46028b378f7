#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bermuda/dataset/dataset.hpp"
#include "task_check.hpp"

namespace bermuda::verify {

/// What a recount of the whole graph gave.
struct Recount {
  std::optional<int> label;             ///< nothing when the graph is of no class
  std::string found;                    ///< in words
  std::vector<std::vector<int>> parts;  ///< nodes of the triangle, or of the two cliques
  int distance = 0;                     ///< between the two cliques
};

/// What is wrong with the witness whatever the task is: nodes and edges are in the graph,
/// ascending, and the edges join the nodes. Nothing when it is sound.
std::optional<std::string> fault_in_form(const Sample& sample);

/// What is wrong with the witness as proof of the class; nothing when it is exactly the triangle,
/// or both cliques and one shortest path between them.
std::optional<std::string> fault_in_content(const Witness& witness, const Recount& recount,
                                            const TaskCheck& check);

}  // namespace bermuda::verify
