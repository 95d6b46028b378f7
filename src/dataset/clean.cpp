#include "bermuda/dataset/clean.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string_view>

namespace bermuda {
namespace {

/// The twins of one class of isomorphic graphs: the one that stays, and what they are.
struct Twins {
  std::size_t kept = 0;
  std::size_t rank = SIZE_MAX;  // of its split: the smallest stays
  int label = Sample::kNoClass;
  bool conflict = false;
};

std::size_t rank_of(std::string_view split) {
  constexpr std::array<std::string_view, 2> kFirst = {"test", "valid"};
  for (std::size_t rank = 0; rank < kFirst.size(); ++rank) {
    if (split == kFirst[rank]) return rank;
  }
  return kFirst.size();
}

std::map<std::size_t, Twins> find_twins(const DataSet& data,
                                        std::span<const std::size_t> class_of) {
  std::map<std::size_t, Twins> all;
  std::size_t place = 0;
  for (const Split& split : data.splits) {
    for (const Sample& sample : split.samples) {
      Twins& twins = all[class_of[place]];
      if (rank_of(split.name) < twins.rank) {
        twins.rank = rank_of(split.name);
        twins.kept = place;
      }
      if (sample.label != Sample::kNoClass) {
        twins.conflict =
            twins.conflict || (twins.label != Sample::kNoClass && twins.label != sample.label);
        twins.label = sample.label;
      }
      ++place;
    }
  }
  return all;
}

}  // namespace

Cleaning drop_twins(DataSet& data, std::span<const std::size_t> class_of) {
  const std::map<std::size_t, Twins> all = find_twins(data, class_of);
  Cleaning result;
  std::size_t place = 0;
  for (Split& split : data.splits) {
    std::erase_if(split.samples, [&](const Sample&) {
      const std::size_t here = place++;
      const Twins& twins = all.at(class_of[here]);
      if (twins.conflict) ++result.conflicting;
      if (!twins.conflict && twins.kept != here) ++result.repeats;
      return twins.conflict || twins.kept != here;
    });
  }
  data.provenance["cleaned"] = {
      {"repeats_dropped", result.repeats},
      {"conflicting_dropped", result.conflicting},
      {"kept",
       "one of isomorphic graphs (labels count, attributes do not): that of test, else of "
       "valid, else the first; none where their classes differ"}};
  return result;
}

}  // namespace bermuda
