#include "bermuda/tensor/run.hpp"

#include <fmt/format.h>

#include "bermuda/core/error.hpp"

namespace bermuda::tensor {
namespace {

const torch::Tensor& table_of(const Step& step, const Tables& tables) {
  const auto place = tables.find(step.table);
  if (place == tables.end()) {
    throw UsageError(fmt::format("mode {}: found no table {} among {}, expected one",
                                 in_quotes(step.mode), in_quotes(step.table), tables.size()));
  }
  return place->second;
}

MixedTensor apply(const Step& step, const MixedTensor& tensor, const torch::Tensor& table) {
  switch (step.kind) {
    case StepKind::kModeProduct:
      return tensor.mode_product(step.mode, table);
    case StepKind::kLabelEmbedding:
      return tensor.embed_label(step.mode, table);
    case StepKind::kMainEmbedding:
      break;
  }
  return tensor.embed_main(step.mode, table);
}

}  // namespace

MixedTensor run(const Plan& plan, const MixedTensor& tensor, const Tables& tables,
                const StepWatcher& watch) {
  MixedTensor result = tensor;
  for (const Step& step : plan.steps) {
    result = apply(step, result, table_of(step, tables));
    if (watch) watch(step, result);
  }
  return result;
}

MixedTensor core_tensor(const Plan& plan, const MixedTensor& tensor, const Tables& tables) {
  Plan products = plan;
  for (Step& step : products.steps) {
    if (step.kind == StepKind::kMainEmbedding) step.kind = StepKind::kModeProduct;
  }
  return run(products, tensor, tables);
}

}  // namespace bermuda::tensor
