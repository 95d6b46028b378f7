#include "partial_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

constexpr std::string_view kMark = "bermuda-download ";
constexpr std::size_t kLongestHeader = 8192;

std::string read_at(int descriptor, const std::filesystem::path& path, std::uint64_t offset,
                    std::size_t size) {
  std::string bytes(size, '\0');
  std::size_t filled = 0;
  while (filled < size) {
    const ssize_t got = ::pread(descriptor, bytes.data() + filled, size - filled,
                                static_cast<off_t>(offset + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw IoError(path.string(), "read", errno);
    if (got == 0) break;
    filled += static_cast<std::size_t>(got);
  }
  bytes.resize(filled);
  return bytes;
}

/// Whether it can be sent to a server: a line end in it would begin a header of its own.
bool is_header_value(std::string_view text) {
  return std::ranges::none_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7f;
  });
}

}  // namespace

std::string download_header(const DownloadOrigin& origin) {
  const nlohmann::json json = {{"url", origin.url}, {"version", origin.version}};
  return fmt::format("{}{}\n", kMark,
                     json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

DownloadOrigin parse_download_header(std::string_view text, std::size_t& length) {
  length = 0;
  const std::size_t end = text.substr(0, kLongestHeader).find('\n');
  if (!text.starts_with(kMark) || end == text.npos) return {};
  const auto json =
      nlohmann::json::parse(text.substr(kMark.size(), end - kMark.size()), nullptr, false);
  if (!json.is_object()) return {};
  const auto url = json.find("url");
  const auto version = json.find("version");
  if (url == json.end() || !url->is_string() || version == json.end() || !version->is_string()) {
    return {};
  }
  DownloadOrigin origin{url->get<std::string>(), version->get<std::string>()};
  if (!is_header_value(origin.version)) return {};
  length = end + 1;
  return origin;
}

PartialFile::PartialFile(std::filesystem::path path) : path_(std::move(path)) {
  descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw IoError(path_.string(), "open", errno);
  struct stat status {};
  const bool plain = ::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode);
  const bool free = plain && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0;
  try {
    if (!plain) throw UsageError(fmt::format("{}: is no plain file", path_.string()));
    if (!free) throw UsageError(fmt::format("{}: another process downloads it", path_.string()));
    read_header(static_cast<std::uint64_t>(status.st_size));
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

PartialFile::~PartialFile() {
  if (!keep_ || size_ == 0) ::unlink(path_.c_str());
  ::close(descriptor_);
}

void PartialFile::read_header(std::uint64_t file_size) {
  if (file_size == 0) return;
  std::size_t length = 0;
  origin_ = parse_download_header(read_at(descriptor_, path_, 0, kLongestHeader), length);
  if (length == 0) {
    throw UsageError(fmt::format("{}: exists already, and is no download of ours", path_.string()));
  }
  header_ = length;
  size_ = file_size - header_;
}

void PartialFile::start(const DownloadOrigin& origin) {
  if (::ftruncate(descriptor_, 0) != 0) throw IoError(path_.string(), "shorten", errno);
  header_ = size_ = 0;
  origin_ = origin;
  if (!is_header_value(origin_.version)) origin_.version.clear();  // as good as none
  const std::string header = download_header(origin_);
  append(header);
  header_ = header.size();
  size_ = 0;
}

void PartialFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done =
        ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(header_ + size_));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw IoError(path_.string(), "write", errno);
    size_ += static_cast<std::uint64_t>(done);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

std::string PartialFile::content() const {
  return read_at(descriptor_, path_, header_, static_cast<std::size_t>(size_));
}

}  // namespace bermuda
