#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bermuda/core/error.hpp"
#include "formats.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace bermuda::fuzz {

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

/// Several files in one input, as run.sh packs them: "=== NAME\n", then the file's text, up to the
/// next such line.
inline FileTexts split_files(std::string_view text) {
  constexpr std::string_view kMark = "=== ";
  FileTexts files;
  std::string* current = nullptr;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(kMark)) {
      current = &files[std::string(line.substr(kMark.size()))];
    } else if (current != nullptr) {
      current->append(text.substr(0, end == text.npos ? end : end + 1));
    }
    if (end == text.npos) break;
    text.remove_prefix(end + 1);
  }
  return files;
}

/// Fuzzers read graphs without a class, too.
inline const ReadOptions any_graphs{.may_lack_class = true};

/// Calls parse(); an Error is an answer. A bug in a round trip must stop the fuzzer.
template <typename Parse>
int run(Parse parse) {
  try {
    parse();
  } catch (const Error&) {
  }
  return 0;
}

inline void require(bool condition) {
  if (!condition) std::abort();
}

}  // namespace bermuda::fuzz
