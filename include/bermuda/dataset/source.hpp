#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "bermuda/core/stop.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/dataset/io.hpp"

namespace bermuda {

/// The samples of a data set that need not be in memory: whoever wants some gets them for as long
/// as it looks at them. Const functions may be called from several threads at once.
class SampleSource {
 public:
  virtual ~SampleSource() = default;

  /// The data set but for its samples: name, classes, how it was made.
  virtual const DataSet& head() const = 0;
  virtual std::size_t size() const = 0;
  /// What progress says while all samples are looked at: "generate"; empty when that is no work.
  virtual std::string_view stage() const = 0;
  /// Whether every rank of a team has the samples, and not only rank 0.
  virtual bool is_everywhere() const { return false; }

  using Take = std::function<void(std::span<const Sample* const>)>;
  /// Calls take once, with samples begin..end-1, splits one after the other.
  virtual void look_at(std::size_t begin, std::size_t end, const StopPoll& stop,
                       const Take& take) const = 0;

  Sample at(std::size_t index, const StopPoll& stop = {}) const;
};

/// Samples in memory, which stay the caller's.
std::unique_ptr<SampleSource> source_of(std::span<const Sample* const> samples, DataSet head = {});

/// A native data set of more bytes is not held by open_dataset(); its graphs take ten times that.
inline constexpr std::size_t kMostHeldBytes = std::size_t{64} << 20;

/// The samples of a data set in any format. One in our own that has many bytes stays where it is:
/// its checksums are compared, but of the manifest's counts nothing is used or checked.
std::unique_ptr<SampleSource> open_dataset(const std::filesystem::path& path,
                                           const ReadOptions& options = {},
                                           std::size_t most_held_bytes = kMostHeldBytes);

}  // namespace bermuda
