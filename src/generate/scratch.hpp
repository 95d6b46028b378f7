#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace bermuda {

/// Room for `size` values that live no longer than an attempt at a graph: on the stack where they
/// are few, as in the paper's sizes, for malloc takes longer than such an attempt's own steps.
/// Values are unset.
template <typename T, std::size_t Few>
class Scratch {
 public:
  explicit Scratch(std::size_t size)
      : many_(size > Few ? std::make_unique_for_overwrite<T[]>(size) : nullptr),
        values_(size > Few ? many_.get() : few_.data()) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() { return values_; }
  const T* data() const { return values_; }
  T& operator[](std::size_t index) { return values_[index]; }
  const T& operator[](std::size_t index) const { return values_[index]; }

 private:
  std::array<T, Few> few_;
  std::unique_ptr<T[]> many_;
  T* values_;
};

}  // namespace bermuda
