#include "bermuda/method/method.hpp"

#include <fmt/format.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/nearest.hpp"
#include "bermuda/method/views.hpp"

namespace bermuda {

std::vector<Prediction> Method::predict_last(Samples /*samples*/,
                                             const Execution& /*execution*/) const {
  return {};
}

Explanations Method::explain(Samples /*samples*/, const ExplainOptions& /*options*/,
                             const Execution& /*execution*/) const {
  throw UsageError(fmt::format("{} cannot tell which edges it looks at", name()));
}

std::optional<Views> Method::views(const ViewRequest& /*request*/, const Execution& /*execution*/) {
  return std::nullopt;
}

void MethodRegistry::add(MethodInfo info) {
  for (const MethodInfo& known : methods_) {
    if (known.name == info.name) {
      const std::string owner = known.source.empty() ? "bermuda itself" : known.source;
      throw UsageError(fmt::format("{}there are two methods named {}; the other is from {}",
                                   info.source.empty() ? "" : info.source + ": ", info.name,
                                   owner));
    }
  }
  methods_.push_back(std::move(info));
}

const MethodInfo& MethodRegistry::get(std::string_view name) const {
  std::vector<std::string> known;
  for (const MethodInfo& info : methods_) {
    if (info.name == name) return info;
    known.push_back(info.name);
  }
  throw UsageError(
      fmt::format("no method named {}{}", in_quotes(name), did_you_mean_or_all(name, known)));
}

}  // namespace bermuda
