#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "fields.hpp"
#include "formats.hpp"
#include "native.hpp"

namespace bermuda {
namespace {

/// The file of a split, and where its lines begin.
class SplitLines {
 public:
  SplitLines(const std::filesystem::path& path, const std::string& told_sha256,
             const ReadOptions& options)
      : name_(path.string()), file_(path), options_(options) {
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    Sha256 checksum;
    std::uint64_t line_start = 0;  // of the line after the last
    for (;;) {
      options_.stop.now();
      const std::string piece = file_.read(bytes_, kPiece);
      if (piece.empty()) break;
      checksum.add(piece);
      for (std::size_t end = piece.find('\n'); end != std::string::npos;
           end = piece.find('\n', end + 1)) {
        line_start = bytes_ + end + 1;
        if (lines_++ % kRun == 0) starts_.push_back(line_start);
      }
      bytes_ += piece.size();
    }
    // Each line end was taken for the start of another sample; behind the last stands none.
    if (lines_ > 0 && line_start == bytes_ && --lines_ % kRun == 0) starts_.pop_back();
    // A checksum that differs explains whatever else is wrong with the file, so it goes first.
    if (const std::string sum = checksum.digits(); sum != told_sha256) {
      throw checksum_error(name_, sum, told_sha256);
    }
    constexpr std::size_t kLongHeader = 1000;
    has_attributes_ = parse_split_header(file_.read(0, kLongHeader), name_);
  }

  std::size_t size() const { return lines_; }

  /// Samples begin..end-1.
  std::vector<Sample> read(std::size_t begin, std::size_t end, std::size_t class_count,
                           const StopPoll& stop) const {
    const std::size_t last = (end + kRun - 1) / kRun;
    const std::uint64_t from = starts_[begin / kRun];
    const std::uint64_t to = last < starts_.size() ? starts_[last] : bytes_;
    const std::string bytes = file_.read(from, to - from);
    std::string_view text = skip_lines(bytes, begin % kRun);
    text = text.substr(0, text.size() - skip_lines(text, end - begin).size());
    ReadOptions options = options_;
    options.stop = stop;
    NodeBudget budget(options, text.size());
    const auto lines_before = static_cast<long>(begin) + 1;
    return parse_samples(text, {name_, lines_before, has_attributes_, class_count}, budget,
                         options);
  }

 private:
  static constexpr std::size_t kRun = 64;  // lines between two of which the start is known

  static std::string_view skip_lines(std::string_view text, std::size_t count) {
    for (; count > 0 && !text.empty(); --count) {
      text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
    return text;
  }

  std::string name_;
  InputFile file_;
  ReadOptions options_;
  std::uint64_t bytes_ = 0;
  std::size_t lines_ = 0;              // with a sample
  std::vector<std::uint64_t> starts_;  // of every kRun-th of them
  bool has_attributes_ = false;
};

class NativeSource : public SampleSource {
 public:
  NativeSource(const std::filesystem::path& folder, const ReadOptions& options) {
    const std::filesystem::path path = folder / kManifestFile;
    Manifest manifest = parse_manifest(read_file(path), path.string());
    for (const SplitSummary& told : manifest.splits) {
      const std::filesystem::path file = folder / told.file;
      std::error_code error;
      if (!std::filesystem::exists(file, error)) {
        throw missing_file_error(path.string(), told.file);
      }
      splits_.push_back(std::make_unique<SplitLines>(file, told.sha256, options));
      size_ += splits_.back()->size();
    }
    head_ = {std::move(manifest.name),
             std::move(manifest.class_names),
             {},
             std::move(manifest.provenance)};
  }

  const DataSet& head() const override { return head_; }
  std::size_t size() const override { return size_; }
  std::string_view stage() const override { return "read"; }

  void look_at(std::size_t begin, std::size_t end, const StopPoll& stop,
               const Take& take) const override {
    std::vector<Sample> samples;
    for (const auto& split : splits_) {
      if (begin < end && begin < split->size()) {
        const std::size_t here = std::min(end, split->size());
        std::ranges::move(split->read(begin, here, head_.class_names.size(), stop),
                          std::back_inserter(samples));
      }
      begin -= std::min(begin, split->size());
      end -= std::min(end, split->size());
    }
    std::vector<const Sample*> pointers;
    for (const Sample& sample : samples) pointers.push_back(&sample);
    take(pointers);
  }

 private:
  DataSet head_;
  std::vector<std::unique_ptr<SplitLines>> splits_;
  std::size_t size_ = 0;
};

}  // namespace

std::unique_ptr<SampleSource> open_native(const std::filesystem::path& folder,
                                          const ReadOptions& options) {
  return std::make_unique<NativeSource>(folder, options);
}

}  // namespace bermuda
