#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace bermuda {

/// SHA-256 of the bytes, as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same for bytes that come in parts.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void add(std::string_view bytes);
  std::string digits();  ///< of all that was added; to be asked once

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace bermuda
