#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace bermuda {

/// What a partial download is of: where from, and what the server called that version of its file
/// (its ETag or the time of its change, for the header If-Range). Without the latter nobody can
/// tell whether the rest would fit.
struct DownloadOrigin {
  std::string url;
  std::string version;

  bool operator==(const DownloadOrigin&) const = default;
};

/// A download under way, kept when the program ends. The file says at its beginning what it is of;
/// behind that line stand the bytes. One process at a time: it is locked while it is open.
class PartialFile {
 public:
  /// Opens or makes it. Throws UsageError when something stands there that is no partial download,
  /// or when another process has it open; IoError.
  explicit PartialFile(std::filesystem::path path);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const DownloadOrigin& origin() const { return origin_; }
  std::uint64_t size() const { return size_; }  ///< bytes of the download
  /// Forgets what there is.
  void start(const DownloadOrigin& origin);
  void append(std::string_view bytes);
  std::string content() const;
  /// Takes it away at the end of this object, whatever it holds.
  void discard() { keep_ = false; }

 private:
  void read_header(std::uint64_t file_size);

  std::filesystem::path path_;
  int descriptor_ = -1;
  DownloadOrigin origin_;
  std::uint64_t header_ = 0;  // bytes before the download
  std::uint64_t size_ = 0;
  bool keep_ = true;
};

/// The first line of a partial file, and back: empty when the text does not begin with one.
std::string download_header(const DownloadOrigin& origin);
DownloadOrigin parse_download_header(std::string_view text, std::size_t& length);

}  // namespace bermuda
