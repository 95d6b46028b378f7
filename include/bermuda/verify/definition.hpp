#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/parameter.hpp"
#include "bermuda/dataset/dataset.hpp"

namespace bermuda::verify {

class AdjacencyMatrix;

/// What a recount of the whole graph gave.
struct Recount {
  std::optional<int> label;  ///< nothing when the graph is of no class
  std::string found;         ///< in words: "2 triangles"
  /// Why a witness that is sound in itself does not prove this; nothing when it does. No function
  /// where there is nothing to prove, and so no witness.
  std::function<std::optional<std::string>(const Witness&)> fault_in;
};

/// What the classes of a task mean, stated anew and by brute force: shares no code with the task's
/// generator. Its parameters are those that the meaning depends on, under the generator's names.
class Definition : public Configurable {
 public:
  virtual Recount recount(const AdjacencyMatrix& graph) const = 0;
  /// What a graph of this class has, in words: "1 triangle".
  virtual std::string expected(int label) const = 0;
};

struct DefinitionInfo {
  std::string_view task;
  std::function<std::unique_ptr<Definition>()> make;
};

/// The tasks that data can be verified by.
const std::vector<DefinitionInfo>& definitions();
/// Null when there is none of this task.
std::unique_ptr<Definition> make_definition(std::string_view task);
/// "triangles, clique-distance"
std::string defined_tasks();

}  // namespace bermuda::verify
