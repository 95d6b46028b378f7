#include "packed.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdint>

#include "bermuda/core/error.hpp"
#include "bermuda/dataset/json_text.hpp"

namespace bermuda {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

std::string base64(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const bool there = i + j < bytes.size();
      three = three << 8 | (there ? static_cast<unsigned char>(bytes[i + j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      const bool there = i + j <= bytes.size();
      text += there ? kLetters[three >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return text;
}

std::string from_base64(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); i += 4) {
    std::uint32_t four = 0;
    std::size_t letters = 0;
    for (std::size_t j = 0; j < 4; ++j) {
      const std::size_t digit = i + j < text.size() ? kLetters.find(text[i + j]) : kLetters.npos;
      if (digit != kLetters.npos && letters == j) ++letters;
      four = four << 6 | static_cast<std::uint32_t>(digit == kLetters.npos ? 0 : digit);
    }
    for (std::size_t j = 0; j + 1 < letters; ++j) {
      bytes += static_cast<char>(four >> (16 - 8 * j) & 255U);
    }
  }
  // Whatever else stood there would be written in another way.
  if (base64(bytes) != text) throw JsonError("letters that are no base64");
  return bytes;
}

}  // namespace

std::string pack_text(std::string_view text) {
  uLongf size = compressBound(static_cast<uLong>(text.size()));
  std::string bytes(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(bytes.data()), &size,
                reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()),
                Z_BEST_COMPRESSION) != Z_OK) {
    throw Error("zlib could not compress");
  }
  bytes.resize(size);
  return base64(bytes);
}

std::string unpack_text(std::string_view packed, std::size_t most) {
  std::string bytes = from_base64(packed);
  struct Stream {
    z_stream state{};
    Stream() {
      if (inflateInit(&state) != Z_OK) throw Error("zlib could not begin");
    }
    ~Stream() { inflateEnd(&state); }
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
  } stream;
  stream.state.next_in = reinterpret_cast<Bytef*>(bytes.data());
  stream.state.avail_in = static_cast<uInt>(bytes.size());
  if (stream.state.avail_in != bytes.size()) throw JsonError("more than can be unpacked");
  std::string text;
  std::array<char, 1 << 16> part{};
  int code = Z_OK;
  while (code == Z_OK) {
    stream.state.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.state.avail_out = static_cast<uInt>(part.size());
    code = inflate(&stream.state, Z_NO_FLUSH);
    text.append(part.data(), part.size() - stream.state.avail_out);
    if (text.size() > most) {
      throw JsonError(fmt::format("something that unpacks to more than {} bytes", most));
    }
  }
  if (code != Z_STREAM_END || stream.state.avail_in != 0) {
    throw JsonError("something that zlib does not unpack");
  }
  return text;
}

}  // namespace bermuda
