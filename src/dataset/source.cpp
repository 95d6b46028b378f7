#include "bermuda/dataset/source.hpp"

#include <utility>

namespace bermuda {
namespace {

class MemorySource : public SampleSource {
 public:
  MemorySource(std::span<const Sample* const> samples, DataSet head)
      : samples_(samples), head_(std::move(head)) {}

  const DataSet& head() const override { return head_; }
  std::size_t size() const override { return samples_.size(); }
  std::string_view stage() const override { return ""; }
  void look_at(std::size_t begin, std::size_t end, const StopPoll& stop,
               const Take& take) const override {
    stop.now();
    take(samples_.subspan(begin, end - begin));
  }

 private:
  std::span<const Sample* const> samples_;
  DataSet head_;
};

}  // namespace

Sample SampleSource::at(std::size_t index, const StopPoll& stop) const {
  Sample sample;
  look_at(index, index + 1, stop, [&](auto samples) { sample = *samples.front(); });
  return sample;
}

std::unique_ptr<SampleSource> source_of(std::span<const Sample* const> samples, DataSet head) {
  return std::make_unique<MemorySource>(samples, std::move(head));
}

}  // namespace bermuda
