#include "picture_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "bermuda/core/error.hpp"

namespace bermuda::app {

PictureFormat picture_format(const std::string& output) {
  const std::string ending = std::filesystem::path(output).extension().string();
  if (ending == ".svg") return PictureFormat::kSvg;
  if (ending == ".png") return PictureFormat::kPng;
  throw UsageError(fmt::format("--output: found {}, expected a name that ends in .svg or .png",
                               in_quotes(output)));
}

}  // namespace bermuda::app
