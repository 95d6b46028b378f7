#include <gtest/gtest.h>

#include <string>

#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::random_data;
using test::RandomDataOptions;
using test::same_graphs;
using test::TemporaryFolder;
using test::written_formats;

DataSet through(const DataSet& data, const TemporaryFolder& folder, const Format& format) {
  const auto path = folder / (data.name + std::string(format.ending));
  write_dataset(data, path, format, true);
  EXPECT_EQ(detect_format(path).name, format.name);
  return read_dataset(path);
}

RandomDataOptions everything() {
  RandomDataOptions options;
  options.node_labels = options.edge_labels = options.witnesses = options.hits_and_origins = true;
  options.attribute_width = 3;
  return options;
}

void expect_equal(const DataSet& a, const DataSet& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.class_names, b.class_names);
  EXPECT_EQ(a.splits, b.splits);
}

/// Whether graphs are numbered instead of named, and not split.
bool only_numbers_graphs(const Format& format) {
  return format.name == "dgcnn" || format.name == "graph6";
}

/// Plain graphs: every format keeps them, and most keep their ids and splits too.
void expect_all_kept(const DataSet& data, const TemporaryFolder& folder, const Format& format) {
  const DataSet back = through(data, folder, format);
  EXPECT_TRUE(same_graphs(data, back)) << format.name;
  EXPECT_EQ(format.losses(data).empty(), !only_numbers_graphs(format)) << format.name;
  if (format.losses(data).empty()) expect_equal(data, back);
}

TEST(RoundTrip, EverythingThroughNative) {
  const TemporaryFolder folder;
  RandomDataOptions options = everything();
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    options.least_nodes = seed == 0 ? 0 : 1;
    if (seed == 0) options.attribute_width = 0;
    DataSet data = random_data(seed, options);
    data.provenance = {{"task", "triangles"}, {"parameters", {{"k", 4}}}, {"seed", seed}};
    const DataSet back = through(data, folder, format_named("native"));
    expect_equal(data, back);
    EXPECT_EQ(back.provenance.dump(), data.provenance.dump());
    EXPECT_TRUE(format_named("native").losses(data).empty());
  }
}

TEST(RoundTrip, EverythingThroughTu) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const DataSet data = random_data(seed, everything());
    ASSERT_TRUE(format_named("tu").losses(data).empty());
    expect_equal(data, through(data, folder, format_named("tu")));
  }
}

TEST(RoundTrip, EverythingThroughJsonLines) {
  const TemporaryFolder folder;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    DataSet data = random_data(seed, everything());
    data.class_names = {"no", "other", "yes, \"quoted\""};
    ASSERT_TRUE(format_named("jsonl").losses(data).empty());
    expect_equal(data, through(data, folder, format_named("jsonl")));
  }
}

TEST(RoundTrip, PlainGraphsThroughEveryFormat) {
  RandomDataOptions options;
  options.isolated_last_node = false;
  for (const Format* format : written_formats()) {
    for (std::uint64_t seed = 10; seed < 15; ++seed) {
      const TemporaryFolder folder;
      const DataSet data = random_data(seed, options);
      expect_all_kept(data, folder, *format);
    }
  }
}

TEST(RoundTrip, OneUnnamedSplitThroughEveryFormat) {
  RandomDataOptions options;
  options.isolated_last_node = false;
  options.split_names = {"all"};
  for (const Format* format : written_formats()) {
    const TemporaryFolder folder;
    const DataSet data = random_data(20, options);
    expect_all_kept(data, folder, *format);
  }
}

TEST(RoundTrip, NativeBytesAreReproducible) {
  const TemporaryFolder folder;
  const DataSet data = random_data(3, everything());
  write_dataset(data, folder / "a", false);
  write_dataset(read_dataset(folder / "a"), folder / "b", false);
  for (const char* name : {"manifest.json", "train.tsv", "valid.tsv", "test.tsv"}) {
    EXPECT_EQ(read_file(folder / "a" / name), read_file(folder / "b" / name));
  }
}

}  // namespace
}  // namespace bermuda
