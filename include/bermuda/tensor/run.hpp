#pragma once

#include <functional>
#include <map>
#include <string>

#include "bermuda/tensor/mixed_tensor.hpp"
#include "bermuda/tensor/plan.hpp"

namespace bermuda::tensor {

/// The parameter matrices [indices, width] by name.
using Tables = std::map<std::string, torch::Tensor>;

/// Sees the tensor after each step.
using StepWatcher = std::function<void(const Step&, const MixedTensor&)>;

/// Executes a plan: one row per index of the main mode that occurs, in the order of first
/// appearance; flatten() gives their vectors. Elements of the set are in the order in which they
/// were appended; dense modes of an element in the order of the steps.
///
/// Modes that the plan does not name are kept, and rows that differ in them are never put together:
/// a mode `graph` makes a batch. Throws UsageError where a mode or a table is missing, and what the
/// operations throw.
MixedTensor run(const Plan& plan, const MixedTensor& tensor, const Tables& tables,
                const StepWatcher& watch = {});

/// The core tensor: as run(), but the main mode goes by a mode product too, with the same table.
/// One row (one per combination of the kept modes); without labels the set is one element
/// [1, J, ..., J], of the order of the tensor, the last topology mode first.
MixedTensor core_tensor(const Plan& plan, const MixedTensor& tensor, const Tables& tables);

}  // namespace bermuda::tensor
