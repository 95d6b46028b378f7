#include "bermuda/dataset/source.hpp"

#include <string>
#include <utility>
#include <vector>

#include "formats.hpp"
#include "native.hpp"

namespace bermuda {
namespace {

class MemorySource : public SampleSource {
 public:
  MemorySource(std::span<const Sample* const> samples, DataSet head)
      : head_(std::move(head)), samples_(samples) {}
  explicit MemorySource(DataSet data)
      : held_(std::move(data)),
        pointers_(held_.all()),
        head_{held_.name, held_.class_names, {}, held_.provenance},
        samples_(pointers_) {}

  const DataSet& head() const override { return head_; }
  std::size_t size() const override { return samples_.size(); }
  std::string_view stage() const override { return ""; }
  void look_at(std::size_t begin, std::size_t end, const StopPoll& stop,
               const Take& take) const override {
    stop.now();
    take(samples_.subspan(begin, end - begin));
  }

 private:
  DataSet held_;  // empty when the samples are the caller's
  std::vector<const Sample*> pointers_;
  DataSet head_;
  std::span<const Sample* const> samples_;
};

std::size_t bytes_in(const std::filesystem::path& folder) {
  std::size_t bytes = 0;
  for (const std::string& name : files_in(folder)) {
    std::error_code error;
    const auto size = std::filesystem::file_size(folder / name, error);
    if (!error) bytes += size;
  }
  return bytes;
}

}  // namespace

Sample SampleSource::at(std::size_t index, const StopPoll& stop) const {
  Sample sample;
  look_at(index, index + 1, stop, [&](auto samples) { sample = *samples.front(); });
  return sample;
}

std::unique_ptr<SampleSource> source_of(std::span<const Sample* const> samples, DataSet head) {
  return std::make_unique<MemorySource>(samples, std::move(head));
}

std::unique_ptr<SampleSource> open_dataset(const std::filesystem::path& path,
                                           const ReadOptions& options,
                                           std::size_t most_held_bytes) {
  const Format& format = detect_format(path);
  if (format == kNative && bytes_in(path) > most_held_bytes) return open_native(path, options);
  return std::make_unique<MemorySource>(read_dataset(path, format, options));
}

}  // namespace bermuda
