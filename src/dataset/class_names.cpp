#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/text.hpp"
#include "fields.hpp"

namespace bermuda {

bool is_class_number(std::string_view name) {
  const std::optional<long> value = parse_number<long>(name);
  return value && std::abs(*value) <= 1'000'000'000 && std::to_string(*value) == name;
}

void check_class_numbers(const DataSet& data, std::string_view format) {
  for (const std::string& name : data.class_names) {
    if (!is_class_number(name)) {
      throw UsageError(fmt::format("class name {}: {} needs integers", in_quotes(name), format));
    }
  }
}

std::size_t graphs_without_class(const DataSet& data) {
  std::size_t count = 0;
  for (const Sample* sample : data.all()) count += sample->label == Sample::kNoClass ? 1U : 0U;
  return count;
}

int ClassNames::add(std::string_view name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  const int number = static_cast<int>(names_.size());
  numbers_.emplace(name, number);
  names_.emplace_back(name);
  return number;
}

void ClassNames::settle(DataSet& data) const {
  std::vector<std::size_t> order(names_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const std::optional<long> number_a = parse_number<long>(names_[a]);
    const std::optional<long> number_b = parse_number<long>(names_[b]);
    if (number_a && number_b && *number_a != *number_b) return *number_a < *number_b;
    if (number_a.has_value() != number_b.has_value()) return number_a.has_value();
    return names_[a] < names_[b];
  });
  std::vector<int> place(names_.size());
  data.class_names.clear();
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = static_cast<int>(i);
    data.class_names.push_back(names_[order[i]]);
  }
  for (Split& split : data.splits) {
    for (Sample& sample : split.samples) {
      if (sample.label == Sample::kNoClass) continue;
      sample.label = place[static_cast<std::size_t>(sample.label)];
    }
  }
}

}  // namespace bermuda
