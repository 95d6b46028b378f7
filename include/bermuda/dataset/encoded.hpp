#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/figures.hpp"

namespace bermuda {

/// A split, or a run of its samples, as a file of the native format: what ranks hand over instead
/// of graphs. A tenth of the memory, and nearly ready to be written.
struct EncodedSplit {
  SplitFigures figures;
  std::string text;  ///< header and one line per sample

  /// Appends the samples of a part that has the same columns.
  void append(const EncodedSplit& part);

  std::string to_bytes() &&;
  static EncodedSplit from_bytes(std::string bytes);
};

/// Throws UsageError when a sample cannot be written.
EncodedSplit encode_split(const Split& split, std::size_t class_count);

/// A data set of which only the figures and the files are there.
struct EncodedDataSet {
  DataSetFigures figures;
  std::vector<std::string> texts;  ///< one for each of figures.splits
};

/// Of a data set that can be written.
EncodedDataSet encode_dataset(const DataSet& data);
/// The graphs again.
DataSet decode_dataset(const EncodedDataSet& encoded);

/// Writes the same bytes as write_dataset(), native format, of a data set of one split whose
/// samples come in parts: they are written as they come, so that nobody holds or waits for the
/// whole. Without finish() nothing appears.
class SplitWriter {
 public:
  /// `head` is what there is to say about the data set, without splits.
  SplitWriter(DataSetFigures head, const std::filesystem::path& path, bool overwrite);
  void add(const EncodedSplit& part);
  /// To be called after at least one part, which may be empty.
  DataSetFigures finish();

 private:
  DataSetFigures head_;
  SplitFigures figures_;
  std::string columns_;  // the header line
  Sha256 sha256_;
  PendingFolder folder_;
};

}  // namespace bermuda
