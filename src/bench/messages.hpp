#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace bermuda {

/// Puts messages together from what a socket delivers.
class MessageBuffer {
 public:
  /// Reads once, at most so many bytes; false when the other end is gone.
  bool read_from(int descriptor, std::size_t most);
  /// Takes the next whole message, if there is one.
  bool next(std::string& text);
  /// How many bytes the next message lacks, as far as is known.
  std::size_t missing() const;

 private:
  std::string bytes_;
};

}  // namespace bermuda
