#include "bermuda/method/frame.hpp"

#include <fmt/format.h>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

constexpr std::size_t kChecksumSize = 64;

}  // namespace

std::string seal(std::string_view kind, int version, std::string_view body) {
  std::string bytes = fmt::format("bermuda-{} {}\n", kind, version);
  bytes += body;
  return bytes + sha256(bytes);
}

std::string_view unseal(std::string_view kind, int version, std::string_view bytes,
                        const std::string& file) {
  const std::string magic = fmt::format("bermuda-{} ", kind);
  const std::string first = fmt::format("{}{}\n", magic, version);
  if (!bytes.starts_with(magic)) {
    throw InputError(file, 0, in_quotes(bytes.substr(0, 16)),
                     fmt::format("a {} file of bermuda", kind));
  }
  if (!bytes.starts_with(first)) {
    const std::string_view line = bytes.substr(0, bytes.find('\n'));
    throw InputError(file, 0,
                     fmt::format("{} format {}", kind, in_quotes(line.substr(magic.size()))),
                     fmt::format("format {}; another version of bermuda made this file", version));
  }
  if (bytes.size() < first.size() + kChecksumSize) {
    throw InputError(file, 0, "a cut file", fmt::format("a whole {}", kind));
  }
  const std::string_view stored = bytes.substr(bytes.size() - kChecksumSize);
  bytes.remove_suffix(kChecksumSize);
  if (stored != sha256(bytes)) {
    throw InputError(file, 0, "a damaged or cut file (its checksum differs)",
                     "the file as it was written");
  }
  bytes.remove_prefix(first.size());
  return bytes;
}

}  // namespace bermuda
