#include "bermuda/dataset/encoded.hpp"

#include <gtest/gtest.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

DataSet rich_data(std::vector<std::string> splits) {
  test::RandomDataOptions options;
  options.node_labels = options.edge_labels = true;
  options.witnesses = options.hits_and_origins = true;
  options.split_names = std::move(splits);
  return test::random_data(5, options);
}

/// The split in parts of so many samples.
std::vector<EncodedSplit> parts_of(const Split& split, std::size_t size, std::size_t class_count) {
  std::vector<EncodedSplit> parts;
  for (std::size_t begin = 0; begin < split.samples.size(); begin += size) {
    const auto first = split.samples.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::size_t count = std::min(size, split.samples.size() - begin);
    parts.push_back(encode_split({split.name, {first, first + static_cast<std::ptrdiff_t>(count)}},
                                 class_count));
  }
  return parts;
}

TEST(Encoded, IsTheDataSetAgain) {
  const DataSet data = rich_data({"train", "test"});
  const DataSet back = decode_dataset(encode_dataset(data));
  EXPECT_EQ(back.name, data.name);
  EXPECT_EQ(back.class_names, data.class_names);
  EXPECT_EQ(back.splits, data.splits);
}

TEST(Encoded, PartsMakeTheWhole) {
  const DataSet data = rich_data({"all"});
  const Split& split = data.splits.front();
  const EncodedSplit whole = encode_split(split, 3);
  for (const std::size_t size : {1U, 7U, 40U}) {
    EncodedSplit sum = encode_split({"all", {}}, 3);
    for (EncodedSplit& part : parts_of(split, size, 3)) {
      sum.append(EncodedSplit::from_bytes(std::move(part).to_bytes()));
    }
    EXPECT_EQ(sum.text, whole.text);
    EXPECT_EQ(sum.figures, whole.figures);
  }
  EXPECT_EQ(whole.figures.graphs, 40U);
  EXPECT_GT(whole.figures.node_labels.size(), 1U);
  EXPECT_GT(whole.figures.origins.size(), 1U);
  EXPECT_LT(whole.figures.min_nodes, whole.figures.max_nodes);
}

TEST(Encoded, PartsWithOtherColumnsAreRefused) {
  test::RandomDataOptions options;
  options.attribute_width = 2;
  const DataSet data = test::random_data(1, options);
  EncodedSplit sum = encode_split({"all", {}}, 3);
  EXPECT_THROW(sum.append(encode_split(data.splits.front(), 3)), Error);
}

TEST(Encoded, WhatCannotBeWrittenIsRefused) {
  Split split{"all", {Sample()}};
  EXPECT_THROW(encode_split(split, 1), UsageError) << "no id";
  split.samples[0].id = "g";
  EXPECT_NO_THROW(encode_split(split, 1));
  split.samples[0].label = 1;
  EXPECT_THROW(encode_split(split, 1), UsageError);
}

TEST(Encoded, IsWrittenWithTheSameBytes) {
  const test::TemporaryFolder folder;
  DataSet data = rich_data({"all"});
  data.provenance["seed"] = 7;
  write_dataset(data, folder / "plain", false);
  DataSetFigures head = figures_of(data);
  head.splits.clear();
  SplitWriter writer(head, folder / "parts", false);
  for (const EncodedSplit& part : parts_of(data.splits.front(), 9, 3)) writer.add(part);
  EXPECT_FALSE(std::filesystem::exists(folder / "parts"));
  EXPECT_EQ(writer.finish().splits, figures_of(data).splits);
  for (const char* name : {"manifest.json", "all.tsv"}) {
    EXPECT_EQ(read_file(folder / "parts" / name), read_file(folder / "plain" / name)) << name;
  }
}

TEST(Encoded, WithoutFinishNothingAppears) {
  const test::TemporaryFolder folder;
  const DataSet data = rich_data({"all"});
  {
    SplitWriter writer(figures_of(data), folder / "data", false);
    writer.add(encode_split(data.splits.front(), 3));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace bermuda
