#include "address.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/fetch/fetch.hpp"

namespace bermuda {
namespace {

/// Where the host begins, or what stands before it: behind the protocol.
std::size_t behind_protocol(std::string_view url) {
  constexpr std::string_view kMark = "://";
  const std::size_t mark = url.find(kMark);
  return mark == url.npos ? 0 : mark + kMark.size();
}

/// Name and password, host and port.
std::string_view authority_of(std::string_view url) {
  const std::size_t start = behind_protocol(url);
  return url.substr(start, url.find_first_of("/?#", start) - start);
}

/// One '@' at most and a port of digits: else a password may hold a '/' or '@' as it is, and where
/// it ends is anybody's guess.
bool is_clear(std::string_view authority) {
  const std::size_t at = authority.find('@');
  if (at != authority.npos) authority.remove_prefix(at + 1);
  const std::size_t mark = authority.find_last_of(":]");  // of a port, or behind an IPv6 address
  const bool has_port = mark != authority.npos && authority[mark] == ':';
  return !authority.empty() && authority.find('@') == authority.npos &&
         (!has_port || authority.find_first_not_of("0123456789", mark + 1) == authority.npos);
}

}  // namespace

std::string without_userinfo(const std::string& url) {
  const std::size_t at = authority_of(url).rfind('@');
  if (at == std::string_view::npos) return url;
  return std::string(url).erase(behind_protocol(url), at + 1);
}

void check_source(const std::string& source) {
  const bool web = source.starts_with("https://") || source.starts_with("http://");
  const bool plain = std::ranges::all_of(
      source, [](char c) { return c > ' ' && c < 0x7f && c != '"' && c != '\\'; });
  if (web && plain && is_clear(authority_of(source))) return;
  // What was meant is not known: whatever may be part of a password is not told.
  const std::size_t at = source.rfind('@');
  const std::string told = at == source.npos
                               ? source
                               : source.substr(0, behind_protocol(source)) + source.substr(at + 1);
  throw UsageError(fmt::format("--from: found {}, expected an address like {}{}", in_quotes(told),
                               kUsualSource,
                               at == source.npos ? "" : " (in a password %40 is @, %2F is /)"));
}

}  // namespace bermuda
