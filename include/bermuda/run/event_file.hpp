#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "bermuda/run/result.hpp"

namespace bermuda {

/// The curves of one run for TensorBoard: an event file that grows while the run trains. A folder
/// is a run there; its files together are the curve.
///
/// What is in it (tensorflow/core/util/event.proto, lib/io/record_writer.h): records of a length,
/// its checksum, an Event and its checksum; the first Event has the version, the others one scalar
/// summary per figure.
class EventFile {
 public:
  /// Where runs begin: in a folder without event files. Throws UsageError when it has some; with
  /// `overwrite` those that we wrote are taken away instead.
  static EventFile begin(const std::filesystem::path& folder, bool overwrite);
  /// Where a stopped run goes on after so many epochs: what its earlier files say of later ones
  /// does not count. Without earlier files, all epochs are told.
  static EventFile go_on(const std::filesystem::path& folder, int epochs);

  EventFile(EventFile&& other) noexcept;
  EventFile& operator=(EventFile&&) = delete;
  ~EventFile();

  const std::filesystem::path& path() const { return path_; }
  /// Tells those that were not told yet. Throws IoError.
  void add(std::span<const EpochRecord> epochs);
  /// What the test found, at the epoch that was kept.
  void add(const RunResult& result);

 private:
  EventFile(const std::filesystem::path& folder, int told);
  void append(std::string_view bytes) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  int told_ = 0;  // epochs
};

/// Castagnoli's CRC, as records have it (RFC 3720, B.4).
std::uint32_t crc32c(std::string_view bytes);

}  // namespace bermuda
