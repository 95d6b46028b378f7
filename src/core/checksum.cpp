#include "bermuda/core/checksum.hpp"

#include <fmt/format.h>
#include <nettle/sha2.h>

#include <array>
#include <cstdint>

namespace bermuda {

struct Sha256::Context {
  sha256_ctx state{};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) { sha256_init(&context_->state); }
Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  sha256_update(&context_->state, bytes.size(),
                reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::digits() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
  sha256_digest(&context_->state, digest.size(), digest.data());
  std::string text;
  for (const std::uint8_t byte : digest) text += fmt::format("{:02x}", byte);
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digits();
}

}  // namespace bermuda
