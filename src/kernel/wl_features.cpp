#include <algorithm>
#include <cmath>

#include "bermuda/graph/wl.hpp"
#include "bermuda/kernel/feature_map.hpp"

namespace bermuda {
namespace {

using Colours = std::vector<std::vector<int>>;  // [round][node]

/// A colour of a round and how many nodes have it, ascending by colour. What is kept of a graph: a
/// million nodes alike are one of these.
struct ColourCount {
  int colour;
  int nodes;
};
using ColourCounts = std::vector<std::vector<ColourCount>>;  // [round]

ColourCounts counted(Colours colours) {
  ColourCounts counts(colours.size());
  for (std::size_t round = 0; round < colours.size(); ++round) {
    std::vector<int>& sorted = colours[round];
    std::sort(sorted.begin(), sorted.end());
    for (const int colour : sorted) {
      if (counts[round].empty() || counts[round].back().colour != colour) {
        counts[round].push_back({colour, 0});
      }
      ++counts[round].back().nodes;
    }
    counts[round].shrink_to_fit();
  }
  return counts;
}

class WlFeatures : public FeatureMap {
 public:
  explicit WlFeatures(const WlFeatureOptions& options)
      : options_(options), colouring_({options.max_rounds, options.edge_labels}) {}

  int levels() const override { return options_.max_rounds - options_.min_rounds + 1; }
  std::string level_name() const override { return "h"; }
  int level_value(int level) const override { return last_round(level); }
  bool normalised() const override { return !options_.raw_length; }
  std::string what() const override {
    return "WL colours of rounds 0 to " + std::to_string(options_.max_rounds);
  }

  std::vector<FeatureRows> fit(Samples samples, const Execution& execution) override {
    colouring_ = WlColouring({options_.max_rounds, options_.edge_labels});
    const Stage stage(execution, "WL colours", samples.size());
    std::vector<ColourCounts> colours;
    colours.reserve(samples.size());
    for (const Sample* sample : samples) {
      execution.check_stop();
      colours.push_back(counted(colouring_.learn(sample->graph, execution)));
      stage.advance(1);
    }
    set_offsets();
    std::vector<FeatureRows> rows;
    for (int level = 0; level < levels(); ++level) {
      rows.push_back(empty_rows(level));
      for (const ColourCounts& of_graph : colours) {
        execution.check_stop();
        append(of_graph, of_graph, level, rows.back());
      }
    }
    return rows;
  }

  FeatureRows transform(Samples samples, int level, const Execution& execution) const override {
    constexpr std::size_t kChunk = 64;
    std::vector<FeatureRows> parts((samples.size() + kChunk - 1) / kChunk);
    parallel_for(execution, samples.size(), kChunk, [&](std::size_t begin, std::size_t end) {
      FeatureRows& part = parts[begin / kChunk];
      for (std::size_t i = begin; i < end; ++i) {
        // Colours that training never saw have no number here; the graph's own colouring still
        // tells them apart, which its norm needs.
        WlColouring own(colouring_.options());
        append(counted(colouring_.look_up(samples[i]->graph, execution)),
               counted(own.learn(samples[i]->graph, execution)), level, part);
      }
    });
    FeatureRows rows = empty_rows(level);
    for (const FeatureRows& part : parts) {
      for (std::size_t i = 0; i < part.rows(); ++i) {
        const auto row = part.row(i);
        rows.entries.insert(rows.entries.end(), row.begin(), row.end());
        rows.end_row(part.norms[i]);
      }
    }
    return rows;
  }

  void keep_level(int level) override {
    options_.min_rounds = options_.max_rounds = last_round(level);
  }

  void save(ByteWriter& out) const override {
    out.number(options_.min_rounds);
    out.number(options_.max_rounds);
    for (int round = 0; round <= options_.max_rounds; ++round) {
      const WlColouring::Table table = colouring_.table(round);
      out.array(table.words);
      out.array(table.starts);
    }
  }

  void load(ByteReader& in) override {
    options_.min_rounds = in.number_in(0, kMostRounds, "number of rounds");
    options_.max_rounds = in.number_in(options_.min_rounds, kMostRounds, "number of rounds");
    std::vector<WlColouring::Table> tables;
    for (int round = 0; round <= options_.max_rounds; ++round) {
      WlColouring::Table table;
      table.words = in.array<std::uint64_t>();
      table.starts = in.array<std::uint64_t>();
      tables.push_back(std::move(table));
    }
    colouring_ = WlColouring::from_tables({options_.max_rounds, options_.edge_labels}, tables);
    set_offsets();
  }

 private:
  void set_offsets() {
    offsets_.assign(1, 0);
    for (int round = 0; round <= options_.max_rounds; ++round) {
      offsets_.push_back(offsets_.back() + colouring_.colour_count(round));
    }
  }

  int last_round(int level) const { return options_.min_rounds + level; }

  FeatureRows empty_rows(int level) const {
    FeatureRows rows;
    rows.columns = offsets_[static_cast<std::size_t>(last_round(level)) + 1];
    return rows;
  }

  // Counts of known colours become entries; all colours, told apart by `distinct`, the norm.
  void append(const ColourCounts& known, const ColourCounts& distinct, int level,
              FeatureRows& rows) const {
    double squares = 0;
    for (std::size_t round = 0; round <= static_cast<std::size_t>(last_round(level)); ++round) {
      for (const auto& [colour, nodes] : distinct[round]) {
        squares += static_cast<double>(nodes) * nodes;
      }
      for (const auto& [colour, nodes] : known[round]) {
        if (colour == WlColouring::kUnknown) continue;
        rows.entries.push_back({offsets_[round] + colour, static_cast<double>(nodes)});
      }
    }
    rows.end_row(std::sqrt(squares));
  }

  WlFeatureOptions options_;
  WlColouring colouring_;
  std::vector<int> offsets_;  // first column of each round
};

}  // namespace

std::unique_ptr<FeatureMap> make_wl_features(const WlFeatureOptions& options) {
  return std::make_unique<WlFeatures>(options);
}

}  // namespace bermuda
