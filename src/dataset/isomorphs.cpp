#include "bermuda/dataset/isomorphs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bermuda/graph/canonical.hpp"

namespace bermuda {
namespace {

std::string form_of(const Sample& sample, const Execution& execution) {
  try {
    return canonical_form(sample.graph, execution);
  } catch (const CanonicalFormError& error) {
    throw CanonicalFormError(fmt::format("graph {}: {}", in_quotes(sample.id), error.what()));
  }
}

}  // namespace

std::vector<std::size_t> isomorphism_classes(std::span<const Sample* const> samples,
                                             const Execution& execution) {
  constexpr std::size_t kChunk = 256;
  std::vector<std::string> forms(samples.size());
  const Stage stage(execution, "isomorphs", samples.size());
  parallel_for(execution, samples.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      execution.check_stop();
      forms[i] = form_of(*samples[i], execution);
    }
    stage.advance(end - begin);
  });
  std::unordered_map<std::string_view, std::size_t> known;
  std::vector<std::size_t> classes;
  classes.reserve(forms.size());
  for (const std::string& form : forms) {
    classes.push_back(known.try_emplace(form, known.size()).first->second);
  }
  return classes;
}

std::size_t count_isomorphs_across(const std::vector<Split>& splits,
                                   std::span<const std::size_t> class_of) {
  std::unordered_map<std::size_t, std::size_t> first_split;
  std::size_t position = 0;
  std::size_t count = 0;
  for (std::size_t split = 0; split < splits.size(); ++split) {
    for (std::size_t i = 0; i < splits[split].samples.size(); ++i, ++position) {
      if (first_split.try_emplace(class_of[position], split).first->second != split) ++count;
    }
  }
  return count;
}

std::size_t drop_isomorphs(DataSet& data, const DataSet& other, const Execution& execution) {
  std::vector<const Sample*> samples = other.all();
  const std::vector<const Sample*> own = data.all();
  samples.insert(samples.end(), own.begin(), own.end());
  const std::vector<std::size_t> class_of = isomorphism_classes(samples, execution);
  // Classes are numbered as they appear: the first ones are those of `other`.
  const auto first = class_of.begin() + static_cast<std::ptrdiff_t>(other.size());
  const std::size_t known =
      first == class_of.begin() ? 0 : *std::max_element(class_of.begin(), first) + 1;
  auto next = first;
  std::size_t dropped = 0;
  for (Split& split : data.splits) {
    dropped += std::erase_if(split.samples, [&](const Sample&) { return *next++ < known; });
  }
  return dropped;
}

}  // namespace bermuda
