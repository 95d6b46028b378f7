#include "picture_file.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda::app {
namespace {

constexpr std::string_view kMark = "Drawn by bermuda";  // src/core/ours.cpp looks for it
constexpr std::string_view kPngStart = "\x89PNG\r\n\x1a\n";
constexpr std::size_t kPngHeader = 25;  // bytes of the chunk that is always first

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

// As ISO 3309 defines it and PNG wants it.
std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t crc = 0xffffffff;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320 : 0);
  }
  return ~crc;
}

std::string png_text_chunk(std::string_view text) {
  std::string chunk = "tEXtSoftware";
  chunk += '\0';
  chunk += text;
  const auto size = static_cast<std::uint32_t>(chunk.size() - 4);
  return big_endian(size) + chunk + big_endian(crc32(chunk));
}

std::string marked(std::string_view bytes) {
  std::string picture(bytes);
  if (bytes.starts_with(kPngStart)) {
    return picture.insert(kPngStart.size() + kPngHeader, png_text_chunk(kMark));
  }
  // Behind the declaration, which must be first.
  const std::size_t end = bytes.starts_with("<?xml") ? bytes.find('>') : bytes.npos;
  if (end == bytes.npos) throw Error("a picture that is neither SVG nor PNG");
  return picture.insert(end + 1, fmt::format("\n<!-- {} -->", kMark));
}

}  // namespace

PictureFormat picture_format(const std::string& output) {
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending == ".svg") return PictureFormat::kSvg;
  if (ending == ".png") return PictureFormat::kPng;
  throw UsageError(fmt::format("--output: found {}, expected a name that ends in .svg or .png",
                               in_quotes(output)));
}

void write_picture(const std::string& output, std::string_view bytes, bool overwrite) {
  write_output(output, marked(bytes), overwrite);
}

}  // namespace bermuda::app
