#include "pairs_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/dataset/json_text.hpp"

namespace bermuda::verify {
namespace {

using Json = nlohmann::ordered_json;
using Counts = std::map<std::string, int>;

constexpr int kMostRounds = 1000;

std::vector<std::vector<std::size_t>> neighbour_lists(const Graph& graph) {
  std::vector<std::vector<std::size_t>> lists(static_cast<std::size_t>(graph.node_count()));
  for (const auto [u, v] : graph.edges()) {
    lists[static_cast<std::size_t>(u)].push_back(static_cast<std::size_t>(v));
    lists[static_cast<std::size_t>(v)].push_back(static_cast<std::size_t>(u));
  }
  return lists;
}

std::size_t component_count(const Graph& graph) {
  const auto lists = neighbour_lists(graph);
  std::vector<bool> reached(lists.size());
  std::size_t count = 0;
  for (std::size_t start = 0; start < lists.size(); ++start) {
    if (reached[start]) continue;
    ++count;
    reached[start] = true;
    std::vector<std::size_t> waiting = {start};
    while (!waiting.empty()) {
      const std::size_t node = waiting.back();
      waiting.pop_back();
      for (const std::size_t next : lists[node]) {
        if (!reached[next]) waiting.push_back(next);
        reached[next] = true;
      }
    }
  }
  return count;
}

Counts degree_counts(const Graph& graph) {
  Counts counts;
  for (const auto& list : neighbour_lists(graph)) ++counts[fmt::format("{}", list.size())];
  return counts;
}

Counts degree_pair_counts(const Graph& graph) {
  const auto lists = neighbour_lists(graph);
  Counts counts = degree_counts(graph);  // nodes without edges are in no pair
  for (std::size_t u = 0; u < lists.size(); ++u) {
    for (const std::size_t v : lists[u]) {
      ++counts[fmt::format("{} to {}", lists[u].size(), lists[v].size())];
    }
  }
  return counts;
}

/// One graph's colours as texts.
class Refined {
 public:
  explicit Refined(const Graph& graph) : lists_(neighbour_lists(graph)) {
    for (std::size_t v = 0; v < lists_.size(); ++v) {
      colours_.push_back(graph.has_node_labels() ? std::to_string(graph.node_labels()[v]) : "");
    }
  }
  /// Every node writes down its colour and, sorted, those of its neighbours; `names` has a short
  /// name for each such text, one dictionary for all graphs that are compared.
  void refine(std::map<std::string, std::string>& names) {
    std::vector<std::string> next;
    for (std::size_t v = 0; v < lists_.size(); ++v) {
      std::vector<std::string> seen;
      for (const std::size_t u : lists_[v]) seen.push_back(colours_[u]);
      std::sort(seen.begin(), seen.end());
      std::string text = colours_[v] + ":";
      for (const std::string& colour : seen) text += " " + colour;
      next.push_back(names.try_emplace(text, std::to_string(names.size())).first->second);
    }
    colours_ = std::move(next);
  }
  Counts counts() const {
    Counts counts;
    for (const std::string& colour : colours_) ++counts[colour];
    return counts;
  }

 private:
  std::vector<std::vector<std::size_t>> lists_;
  std::vector<std::string> colours_;
};

/// Where two graphs differ; nothing when they are the same.
std::optional<std::string> first_difference(const Counts& one, const Counts& other,
                                            std::string_view what) {
  Counts all = one;
  all.insert(other.begin(), other.end());
  for (const auto& entry : all) {
    const std::string& name = entry.first;
    const int in_one = one.contains(name) ? one.at(name) : 0;
    const int in_other = other.contains(name) ? other.at(name) : 0;
    if (in_one != in_other)
      return fmt::format("{} {} {} and {} times", what, name, in_one, in_other);
  }
  return std::nullopt;
}

/// What the manifest's "same" asks for.
class Agreement {
 public:
  static std::optional<Agreement> parse(std::string_view text) {
    Agreement agreement;
    agreement.text_ = text;
    if (text == "none" || text == "degrees" || text == "degree-pairs") return agreement;
    if (!text.starts_with("wl-")) return std::nullopt;
    const auto rounds = parse_number<int>(text.substr(3));
    if (!rounds || *rounds < 1 || *rounds > kMostRounds) return std::nullopt;
    agreement.rounds_ = *rounds;
    return agreement;
  }

  std::optional<std::string> difference(const Graph& one, const Graph& other) const {
    if (text_ == "none") return std::nullopt;
    if (text_ == "degrees") {
      return first_difference(degree_counts(one), degree_counts(other), "degree");
    }
    if (text_ == "degree-pairs") {
      return first_difference(degree_pair_counts(one), degree_pair_counts(other), "degree");
    }
    Refined first(one);
    Refined second(other);
    std::size_t colours = 0;
    for (int round = 1; round <= rounds_; ++round) {
      std::map<std::string, std::string> names;
      first.refine(names);
      second.refine(names);
      if (auto found = first_difference(first.counts(), second.counts(), "colour")) {
        return fmt::format("after {} round{} {}", round, round == 1 ? "" : "s", *found);
      }
      if (names.size() == colours) break;  // refined no more, and never will be
      colours = names.size();
    }
    return std::nullopt;
  }

 private:
  std::string text_;
  int rounds_ = 0;
};

}  // namespace

std::size_t check_pairs(const Json& pairs, const DataSet& data, std::vector<Problem>& problems,
                        const StopPoll& stop) {
  const auto in_manifest = [&](const std::string& key) {
    return pairs.is_object() && pairs.contains(key) ? pairs[key] : Json();
  };
  const auto report = [&](const Split& split, const std::string& id, std::string detail) {
    problems.push_back({split.name, id, "pair", std::move(detail)});
  };
  const auto bad_manifest = [&](const char* key, const std::string& expected) {
    problems.push_back({"", "", "manifest",
                        fmt::format("{} of pairs: found {}, expected {}", key,
                                    in_quotes(json_line(in_manifest(key))), expected)});
  };
  const Json same = in_manifest("same");
  const auto agreement =
      same.is_string() ? Agreement::parse(same.get_ref<const std::string&>()) : std::nullopt;
  if (!agreement) bad_manifest("same", "none, degrees, degree-pairs or wl-1, wl-2, ...");

  const Json same_components = in_manifest("same_components");
  if (!same_components.is_null() && !same_components.is_boolean()) {
    bad_manifest("same_components", "true or false");
  }

  std::size_t compared = 0;
  for (const Split& split : data.splits) {
    for (std::size_t i = 0; i < split.samples.size(); ++i) {
      stop.now();
      const Sample& first = split.samples[i];
      const std::string stem = first.id.substr(0, std::max<std::size_t>(first.id.size(), 2) - 2);
      if (first.id != stem + "-a") {
        report(split, first.id, "found this id, expected a first twin's, which ends in -a");
        continue;
      }
      if (i + 1 == split.samples.size() || split.samples[i + 1].id != stem + "-b") {
        report(
            split, first.id,
            fmt::format("found {} after it, expected its twin {}-b",
                        i + 1 == split.samples.size() ? "nothing" : split.samples[i + 1].id, stem));
        continue;
      }
      const Sample& second = split.samples[++i];
      ++compared;
      if (first.label == second.label) {
        report(
            split, first.id,
            fmt::format("found class {} of both twins, expected different classes", first.label));
      }
      if (same_components == true) {
        const std::size_t in_first = component_count(first.graph);
        const std::size_t in_second = component_count(second.graph);
        if (in_first != in_second) {
          report(split, first.id,
                 fmt::format("found {} and {} components in the twins, expected the same number",
                             in_first, in_second));
        }
      }
      if (!agreement) continue;
      if (const auto difference = agreement->difference(first.graph, second.graph)) {
        report(split, first.id,
               fmt::format("found {} in the twins, expected the same {}", *difference,
                           same.get_ref<const std::string&>()));
      }
    }
  }
  const Json count = in_manifest("count");
  if (!count.is_number_unsigned() || 2 * count.get<std::size_t>() != data.size()) {
    bad_manifest("count", fmt::format("half of {} graphs", data.size()));
  }
  return compared;
}

}  // namespace bermuda::verify
