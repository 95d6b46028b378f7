#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bermuda::tensor {

enum class ModeKind { kTopology, kLabel };

/// What a plan needs to know of a mode. A label's value is determined by those it depends on:
/// a node's label by the node, an edge's by both ends.
struct Mode {
  std::string name;
  ModeKind kind = ModeKind::kTopology;
  std::vector<std::string> depends_on;  ///< labels only
  /// The parameter matrix that embeds it. Empty: a label has its own, of its own name; topology
  /// modes share one, which has the name of the main mode.
  std::string table;
};

enum class StepKind {
  kModeProduct,     ///< MixedTensor::mode_product
  kLabelEmbedding,  ///< MixedTensor::embed_label
  kMainEmbedding,   ///< MixedTensor::embed_main, the last step
};

struct Step {
  StepKind kind;
  std::string mode;
  std::string table;  ///< the name of the parameter matrix

  bool operator==(const Step&) const = default;
};

/// The order in which the modes of a tensor are processed.
struct Plan {
  std::string main;
  std::vector<std::string> modes;  ///< main mode, other topology modes, labels
  std::vector<Step> steps;         ///< one per mode
};

/// Orders the steps by the paper's six rules:
/// 1. one topology mode is the main one, whose indices get vectors;
/// 2. modes are put in order: main, other topology modes, labels, otherwise as declared;
/// 3. topology modes go by mode products from the last to the first, labels by embeddings;
/// 4. a label is embedded as late as possible,
/// 5. but before any mode it depends on; labels that are due together go from the last to the
/// first;
/// 6. the main mode goes last, by an embedding with the table of the other topology modes.
///
/// A label may depend on a label before it: then it is embedded before that one is dropped, and so
/// before all that one depends on. Modes that name a table share it with whoever names the same; a
/// topology mode whose indices mean something else than the main mode's should.
///
/// Throws UsageError: no mode, no name or one that occurs twice, a main mode that is unknown or a
/// label, no topology mode, a topology mode that depends on something, a label that depends on
/// nothing, on an unknown mode, on itself, in a circle, or on a label after it.
Plan make_plan(const std::vector<Mode>& modes, std::string_view main);

/// For people: `mode product of j with table i`.
std::string describe(const Step& step);

}  // namespace bermuda::tensor
