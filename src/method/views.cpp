#include "bermuda/method/views.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "bermuda/core/random.hpp"
#include "bermuda/method/relabelling.hpp"

namespace bermuda {
namespace {

double value_at(std::span<const Views::Entry> row, std::size_t place) {
  return place < row.size() ? row[place].value : 0;
}

}  // namespace

double view_difference(std::span<const Views::Entry> one, std::span<const Views::Entry> other,
                       int block) {
  double largest = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < one.size() || j < other.size()) {
    const auto next = [&](std::span<const Views::Entry> row, std::size_t at) {
      return at < row.size() ? row[at].place : std::numeric_limits<int>::max();
    };
    const int begun = std::min(next(one, i), next(other, j));
    const int end = block == 0 ? std::numeric_limits<int>::max() : (begun / block + 1) * block;
    double difference = 0;
    double scale = 0;
    while (std::min(next(one, i), next(other, j)) < end) {
      const int place = std::min(next(one, i), next(other, j));
      const double a = next(one, i) == place ? value_at(one, i++) : 0;
      const double b = next(other, j) == place ? value_at(other, j++) : 0;
      difference = std::max(difference, std::abs(a - b));
      scale = std::max({scale, std::abs(a), std::abs(b)});
    }
    if (scale > 0) largest = std::max(largest, difference / scale);
  }
  return largest;
}

std::vector<std::size_t> view_groups(const Views& views) {
  const std::size_t count = views.rows.size();
  // Of equal views all sums are equal but for rounding: only neighbours in their order need a look.
  std::vector<double> sums(count, 0);
  double largest = 0;
  std::size_t longest = 1;
  for (std::size_t i = 0; i < count; ++i) {
    for (const Views::Entry& entry : views.rows[i]) {
      sums[i] += entry.value;
      largest = std::max(largest, std::abs(entry.value));
    }
    longest = std::max(longest, views.rows[i].size());
  }
  const double reach =
      std::max(views.tolerance, 1e-15) * largest * static_cast<double>(2 * longest);
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return sums[i]; });
  std::vector<std::size_t> leader(count);
  std::vector<std::size_t> leaders;  // of groups whose sums may still be near
  std::size_t first = 0;
  for (const std::size_t i : order) {
    while (first < leaders.size() && sums[leaders[first]] < sums[i] - reach) ++first;
    const auto found = std::find_if(leaders.begin() + static_cast<std::ptrdiff_t>(first),
                                    leaders.end(), [&](std::size_t other) {
                                      return view_difference(views.rows[i], views.rows[other],
                                                             views.block) <= views.tolerance;
                                    });
    leader[i] = found == leaders.end() ? i : *found;
    if (found == leaders.end()) leaders.push_back(i);
  }
  std::map<std::size_t, std::size_t> numbers;
  for (std::size_t& group : leader)
    group = numbers.try_emplace(group, numbers.size()).first->second;
  return leader;
}

std::uint64_t view_seed(const ViewRequest& request, std::size_t number) {
  constexpr std::uint64_t kBeyondGraphs = std::uint64_t{1} << 63;  // their streams begin with 0
  return RandomStream(request.seed, Purpose::kViews, kBeyondGraphs + number).next_u64();
}

RenumberedSamples::RenumberedSamples(const ViewRequest& request, std::uint32_t draw,
                                     const Execution& execution)
    : samples_(request.samples.size()), pointers_(request.samples.size()) {
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    execution.check_stop();
    samples_[i] = renumbered_sample(
        *request.samples[i], RandomStream(request.seed, Purpose::kViews, request.first + i, draw));
    pointers_[i] = &samples_[i];
  }
}

}  // namespace bermuda
