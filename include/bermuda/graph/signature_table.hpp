#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace bermuda {

/// Gives numbers 0, 1, 2, ... to signatures in order of first appearance. Open addressing with
/// linear probing; signatures lie one after the other in one array and are compared in full.
class SignatureTable {
 public:
  using Word = std::uint64_t;
  using Signature = std::span<const Word>;
  static constexpr int kUnknown = -1;

  int count() const { return static_cast<int>(starts_.size()) - 1; }

  /// kUnknown when it was never added.
  int find(Signature signature) const {
    const std::uint64_t hash = hash_of(signature);
    return slots_[probe(signature, hash)].name;
  }

  /// Signature c is words()[starts()[c] .. starts()[c + 1]).
  const std::vector<Word>& words() const { return words_; }
  const std::vector<std::size_t>& starts() const { return starts_; }

  int find_or_add(Signature signature) {
    const std::uint64_t hash = hash_of(signature);
    const std::size_t place = probe(signature, hash);
    if (slots_[place].name >= 0) return slots_[place].name;
    const int name = count();
    words_.insert(words_.end(), signature.begin(), signature.end());
    starts_.push_back(words_.size());
    slots_[place] = {static_cast<std::uint32_t>(hash >> 32), name};
    if (2 * starts_.size() > slots_.size()) grow();
    return name;
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    int name = kUnknown;
  };

  static std::uint64_t hash_of(Signature signature) {
    std::uint64_t hash = signature.size();
    for (const Word word : signature) {
      hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32;
    }
    return hash;
  }

  Signature words_of(int name) const {
    const auto place = static_cast<std::size_t>(name);
    return Signature(words_).subspan(starts_[place], starts_[place + 1] - starts_[place]);
  }

  std::size_t probe(Signature signature, std::uint64_t hash) const {
    const std::size_t mask = slots_.size() - 1;
    const auto tag = static_cast<std::uint32_t>(hash >> 32);
    std::size_t place = hash & mask;
    while (slots_[place].name >= 0 &&
           (slots_[place].tag != tag ||
            !std::ranges::equal(words_of(slots_[place].name), signature))) {
      place = (place + 1) & mask;
    }
    return place;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, Slot{});
    const std::size_t mask = slots_.size() - 1;
    for (int name = 0; name < count(); ++name) {
      const std::uint64_t hash = hash_of(words_of(name));
      std::size_t place = hash & mask;
      while (slots_[place].name >= 0) place = (place + 1) & mask;
      slots_[place] = {static_cast<std::uint32_t>(hash >> 32), name};
    }
  }

  std::vector<Slot> slots_{std::vector<Slot>(64)};
  std::vector<Word> words_;
  std::vector<std::size_t> starts_{0};
};

}  // namespace bermuda
