#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bermuda/core/error.hpp"

namespace bermuda {

static_assert(std::endian::native == std::endian::little, "model files are little-endian");

/// Appends numbers, texts and arrays to a string of bytes.
class ByteWriter {
 public:
  template <typename Number>
  void number(Number value) {
    static_assert(std::is_arithmetic_v<Number>);
    char raw[sizeof(Number)];
    std::memcpy(raw, &value, sizeof value);
    bytes_.append(raw, sizeof value);
  }
  void text(std::string_view value) {
    number(static_cast<std::uint64_t>(value.size()));
    bytes_.append(value);
  }
  template <typename Number>
  void array(const std::vector<Number>& values) {
    number(static_cast<std::uint64_t>(values.size()));
    if (values.empty()) return;
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Number));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Thrown when bytes end early or say something impossible.
class BytesError : public Error {
 public:
  using Error::Error;
};

/// Reads back what ByteWriter wrote. Never reads past the end, never allocates more than there is.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}
  template <typename Number>
  Number number() {
    static_assert(std::is_arithmetic_v<Number>);
    Number value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  /// A number that must lie in low..high.
  template <typename Number>
  Number number_in(Number low, Number high, const char* what) {
    const Number value = number<Number>();
    if (!(value >= low && value <= high)) throw BytesError(std::string("impossible ") + what);
    return value;
  }
  std::string text() { return std::string(take(length(1))); }
  template <typename Number>
  std::vector<Number> array() {
    const std::size_t count = length(sizeof(Number));
    std::vector<Number> values(count);
    const std::string_view raw = take(count * sizeof(Number));
    if (count > 0) std::memcpy(values.data(), raw.data(), raw.size());
    return values;
  }
  /// Real numbers that are all finite: one that is not spreads through all that is computed.
  template <typename Number>
  std::vector<Number> finite_array(const char* what) {
    std::vector<Number> values = array<Number>();
    for (const Number value : values) {
      if (!std::isfinite(value))
        throw BytesError(std::string(what) + " that are no finite numbers");
    }
    return values;
  }
  bool at_end() const { return rest_.empty(); }

 private:
  std::size_t length(std::size_t item_size) {
    const auto count = number<std::uint64_t>();
    if (count > rest_.size() / item_size) throw BytesError("the data ends early");
    return static_cast<std::size_t>(count);
  }
  std::string_view take(std::size_t count) {
    if (count > rest_.size()) throw BytesError("the data ends early");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }
  std::string_view rest_;
};

}  // namespace bermuda
