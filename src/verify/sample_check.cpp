#include "sample_check.hpp"

#include <fmt/format.h>

#include <utility>

#include "brute_force.hpp"
#include "witness_check.hpp"

namespace bermuda::verify {
namespace {

std::optional<std::string> fault_in_witness(const Sample& sample, const Recount* recount,
                                            bool required) {
  const bool something_to_prove = recount != nullptr && recount->fault_in;
  if (sample.witness.empty() && something_to_prove) {
    if (required) return "found none, expected one in this class";
    return std::nullopt;
  }
  if (auto fault = fault_in_form(sample)) return fault;
  if (recount == nullptr || sample.witness.empty()) return std::nullopt;
  if (something_to_prove) return recount->fault_in(sample.witness);
  return fmt::format("found {}, expected none in this class",
                     counted(sample.witness.nodes.size(), "node"));
}

}  // namespace

SampleVerdict check_sample(const Sample& sample, const Definition* definition,
                           bool witness_required, const StopPoll& stop) {
  SampleVerdict verdict;
  const auto report = [&](const char* kind, std::string detail) {
    verdict.findings.push_back({kind, std::move(detail)});
  };
  Recount recount;
  if (definition != nullptr) {
    if (sample.graph.node_count() > AdjacencyMatrix::kMostNodes) {
      report("class", fmt::format("{} nodes are too many to recount, expected at most {}",
                                  sample.graph.node_count(), AdjacencyMatrix::kMostNodes));
      return verdict;
    }
    recount = definition->recount(AdjacencyMatrix(sample.graph, stop));
    verdict.class_checked = true;
    if (recount.label != sample.label) {
      report("class", fmt::format("found {}, expected {} in class {}", recount.found,
                                  definition->expected(sample.label), sample.label));
      return verdict;
    }
  }
  verdict.witness_checked = !sample.witness.empty();
  if (auto fault =
          fault_in_witness(sample, definition != nullptr ? &recount : nullptr, witness_required)) {
    report("witness", *std::move(fault));
  }
  return verdict;
}

}  // namespace bermuda::verify
