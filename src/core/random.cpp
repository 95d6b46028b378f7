#include "bermuda/core/random.hpp"

#include <cmath>
#include <numbers>

namespace bermuda {

// Key: seed. Counter words: position in the stream with the purpose in its top byte, attempt, item.
RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t item,
                           std::uint32_t attempt)
    : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
      counter_{{static_cast<std::uint32_t>(purpose) << 24, attempt,
                static_cast<std::uint32_t>(item), static_cast<std::uint32_t>(item >> 32)}} {}

RandomStream RandomStream::of_attempt(std::uint32_t attempt) const {
  RandomStream other = *this;
  other.counter_[0] &= 0xFFU << 24;
  other.counter_[1] = attempt;
  other.used_ = kBlock;
  return other;
}

void RandomStream::refill() {
  block_ = Philox{}(counter_, key_);
  ++counter_[0];
  used_ = 0;
}

double RandomStream::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace bermuda
