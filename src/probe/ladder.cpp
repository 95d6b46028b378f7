#include "ladder.hpp"

namespace bermuda {

Ladder make_ladder(const LadderInput& input) {
  Ladder ladder;
  for (const auto add_rungs :
       {add_count_rungs, add_attribute_rungs, add_wl_rungs, add_graphlet_rungs}) {
    add_rungs(input, ladder);
  }
  return ladder;
}

std::vector<Bag> fill_bags(const Rung& rung, std::size_t count, const Execution& execution) {
  constexpr std::size_t kChunk = 64;
  std::vector<Bag> bags(count);
  parallel_for(execution, count, kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t item = begin; item < end; ++item) {
      execution.check_stop();
      rung.fill(item, bags[item]);
      bags[item].close();
    }
  });
  return bags;
}

Encoding make_features(const Rung& rung, std::size_t count, const Execution& execution) {
  return encode(fill_bags(rung, count, execution), execution);
}

}  // namespace bermuda
