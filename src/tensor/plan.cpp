#include "bermuda/tensor/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "bermuda/core/error.hpp"

namespace bermuda::tensor {
namespace {

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

std::size_t place_of(const std::vector<Mode>& modes, std::string_view name) {
  const auto place =
      std::find_if(modes.begin(), modes.end(), [&](const Mode& mode) { return mode.name == name; });
  return place == modes.end() ? kNowhere : static_cast<std::size_t>(place - modes.begin());
}

void check_names(const std::vector<Mode>& modes) {
  for (std::size_t m = 0; m < modes.size(); ++m) {
    if (modes[m].name.empty()) {
      throw UsageError(fmt::format("mode {}: found no name, expected one", m));
    }
    if (place_of(modes, modes[m].name) != m) {
      throw UsageError(fmt::format("found two modes named {}, expected different names",
                                   in_quotes(modes[m].name)));
    }
  }
}

void check_main(const std::vector<Mode>& modes, std::string_view main) {
  if (std::none_of(modes.begin(), modes.end(),
                   [](const Mode& mode) { return mode.kind == ModeKind::kTopology; })) {
    throw UsageError(
        fmt::format("found no topology mode among {} modes, expected at least one", modes.size()));
  }
  const std::size_t place = place_of(modes, main);
  if (place == kNowhere) {
    throw UsageError(fmt::format("found main mode {}, expected one of the modes", in_quotes(main)));
  }
  if (modes[place].kind == ModeKind::kLabel) {
    throw UsageError(
        fmt::format("found main mode {}, a label, expected a topology mode", in_quotes(main)));
  }
}

/// The modes in the order of rule 2.
std::vector<Mode> reordered(const std::vector<Mode>& modes, std::string_view main) {
  const auto rank = [&](const Mode& mode) {
    if (mode.name == main) return 0;
    return mode.kind == ModeKind::kTopology ? 1 : 2;
  };
  std::vector<Mode> result = modes;
  std::stable_sort(result.begin(), result.end(),
                   [&](const Mode& a, const Mode& b) { return rank(a) < rank(b); });
  return result;
}

/// Whether following what labels depend on leads from one mode to another. `seen` are those that
/// were followed already, so that circles end.
bool leads_to(const std::vector<Mode>& modes, std::size_t from, std::size_t to,
              std::vector<bool>& seen) {
  if (from == to) return true;
  if (seen[from]) return false;
  seen[from] = true;
  return std::any_of(modes[from].depends_on.begin(), modes[from].depends_on.end(),
                     [&](const std::string& name) {
                       const std::size_t next = place_of(modes, name);
                       return next != kNowhere && leads_to(modes, next, to, seen);
                     });
}

void check_dependence(const std::vector<Mode>& modes, std::size_t label, const std::string& on) {
  const std::string name = in_quotes(modes[label].name);
  const std::size_t place = place_of(modes, on);
  if (place == kNowhere) {
    throw UsageError(fmt::format("label {}: found dependence on {}, expected one of the modes",
                                 name, in_quotes(on)));
  }
  if (place == label) {
    throw UsageError(
        fmt::format("label {}: found dependence on itself, expected other modes", name));
  }
  std::vector<bool> seen(modes.size(), false);
  if (leads_to(modes, place, label, seen)) {
    throw UsageError(
        fmt::format("labels {} and {}: found that each depends on the other, expected "
                    "no circle",
                    name, in_quotes(on)));
  }
  if (place > label) {
    throw UsageError(
        fmt::format("label {}: found dependence on label {} after it, expected the "
                    "label to be declared after those it depends on",
                    name, in_quotes(on)));
  }
}

void check_dependences(const std::vector<Mode>& modes) {
  for (std::size_t m = 0; m < modes.size(); ++m) {
    const Mode& mode = modes[m];
    if (mode.kind == ModeKind::kTopology && !mode.depends_on.empty()) {
      throw UsageError(
          fmt::format("topology mode {}: found dependence on {}, expected none: only "
                      "labels depend on modes",
                      in_quotes(mode.name), in_quotes(mode.depends_on.front())));
    }
    if (mode.kind == ModeKind::kLabel && mode.depends_on.empty()) {
      throw UsageError(fmt::format("label {}: found dependence on no mode, expected at least one",
                                   in_quotes(mode.name)));
    }
    for (const std::string& on : mode.depends_on) check_dependence(modes, m, on);
  }
}

/// Embeds the labels that depend on a mode, however indirectly, from the last to the first: since
/// labels come after those they depend on, none is dropped too early.
void embed_labels_of(const std::vector<Mode>& modes, std::size_t topology, std::vector<bool>& done,
                     std::vector<Step>& steps) {
  for (std::size_t m = modes.size(); m-- > 0;) {
    if (modes[m].kind != ModeKind::kLabel || done[m]) continue;
    std::vector<bool> seen(modes.size(), false);
    if (!leads_to(modes, m, topology, seen)) continue;
    done[m] = true;
    steps.push_back({StepKind::kLabelEmbedding, modes[m].name, modes[m].table});
  }
}

}  // namespace

Plan make_plan(const std::vector<Mode>& declared, std::string_view main) {
  check_names(declared);
  check_main(declared, main);
  std::vector<Mode> modes = reordered(declared, main);
  check_dependences(modes);

  if (modes.front().table.empty()) modes.front().table = main;
  for (Mode& mode : modes) {
    if (!mode.table.empty()) continue;
    mode.table = mode.kind == ModeKind::kLabel ? mode.name : modes.front().table;
  }

  Plan plan{.main = std::string(main), .modes = {}, .steps = {}};
  for (const Mode& mode : modes) plan.modes.push_back(mode.name);
  std::vector<bool> done(modes.size(), false);
  for (std::size_t m = modes.size(); m-- > 0;) {
    if (modes[m].kind == ModeKind::kLabel) continue;
    embed_labels_of(modes, m, done, plan.steps);
    plan.steps.push_back({m == 0 ? StepKind::kMainEmbedding : StepKind::kModeProduct, modes[m].name,
                          modes[m].table});
  }
  return plan;
}

std::string describe(const Step& step) {
  const char* kind = step.kind == StepKind::kModeProduct      ? "mode product"
                     : step.kind == StepKind::kLabelEmbedding ? "label embedding"
                                                              : "main embedding";
  return fmt::format("{} of {} with table {}", kind, step.mode, step.table);
}

}  // namespace bermuda::tensor
