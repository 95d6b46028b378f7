#pragma once

#include <Random123/philox.h>

#include <cstdint>
#include <span>
#include <utility>

namespace bermuda {

/// What a stream is used for. Streams of different purposes never overlap, so that adding a draw
/// in one place moves no number in another. Values are part of the data format: append only.
enum class Purpose : std::uint32_t {
  kGenerate = 1,
  kNodeOrder = 2,
  kFilterSelection = 3,
  kSplit = 4,
  kFolds = 5,
  kProbe = 6,
  kTest = 7,
  kWeights = 8,
  kBatches = 9,
  kDropout = 10,
  kTrainingIndices = 11,
  kEvaluationIndices = 12,
  kRelabelling = 13,
  kRun = 14,
  kNormBatches = 15,
  kShuffledNodes = 16,
  kPermutedClasses = 17,
  kUnfilteredTest = 18,
  kResampling = 19,
  kQuestions = 20,
  kPairs = 21,
  kRegimes = 22,
  kOtherSizes = 23,
  kAsked = 24,
  kViews = 31,
  kSignFlips = 32,
};

/// A stream of random numbers that is a pure function of (seed, purpose, item, attempt).
///
/// Philox4x32-10 (Salmon et al. 2011) is counter-based: opening a stream costs nothing, so every
/// graph has its own and the number of threads cannot matter. The distributions below are ours,
/// because those of the standard library differ between implementations.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t item = 0,
               std::uint32_t attempt = 0);

  /// Another attempt's stream of the same item, from its beginning.
  RandomStream of_attempt(std::uint32_t attempt) const;

  std::uint32_t next_u32() {
    if (used_ == kBlock) refill();
    return block_[used_++];
  }
  std::uint64_t next_u64() {
    const std::uint64_t high = next_u32();
    return high << 32 | next_u32();
  }

  /// Uniform in 0..bound-1, without bias (Lemire 2019); bound must be positive.
  std::uint32_t below(std::uint32_t bound) {
    std::uint64_t product = std::uint64_t{next_u32()} * bound;
    auto low = static_cast<std::uint32_t>(product);
    if (low < bound) {
      const std::uint32_t threshold = -bound % bound;
      while (low < threshold) {
        product = std::uint64_t{next_u32()} * bound;
        low = static_cast<std::uint32_t>(product);
      }
    }
    return static_cast<std::uint32_t>(product >> 32);
  }
  /// Uniform in low..high, both included.
  int between(int low, int high) {
    return low + static_cast<int>(below(static_cast<std::uint32_t>(high - low) + 1));
  }
  /// Uniform in [0, 1) with 53 random bits.
  double uniform() { return static_cast<double>(next_u64() >> 11) * 0x1.0p-53; }
  /// Standard normal by the Box-Muller transform.
  double normal();

  /// Fisher-Yates.
  template <typename T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      std::swap(items[i - 1], items[below(static_cast<std::uint32_t>(i))]);
    }
  }

 private:
  using Philox = r123::Philox4x32;
  static constexpr unsigned kBlock = 4;

  void refill();

  Philox::key_type key_;
  Philox::ctr_type counter_;
  Philox::ctr_type block_{};
  unsigned used_ = kBlock;
};

}  // namespace bermuda
