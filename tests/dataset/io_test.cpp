#include "bermuda/dataset/io.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::TemporaryFolder;
using test::written_formats;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

DataSet mixed() {
  DataSet data;
  data.name = "mixed";
  data.class_names = {"0", "1"};
  Sample labelled;
  labelled.id = "a";
  labelled.graph = Graph(4, {{0, 1}}, {1, 2, 3, 4}, {5});
  labelled.graph.set_attributes(1, {1, 2, 3, 4});
  labelled.witness = {{0, 1}, {{0, 1}}};
  labelled.hits = 1;
  labelled.origin = "knn3";
  Sample plain;
  plain.id = "b";
  plain.label = 1;
  plain.graph = Graph(2, {{0, 1}});
  data.splits = {{"train", {labelled, plain}}};
  return data;
}

TEST(FormatNames, GoBothWays) {
  for (const Format* format : formats()) {
    EXPECT_EQ(&format_named(format->name), format);
  }
  EXPECT_THROW(format_named("gml"), UsageError);
}

TEST(Losses, OfSpCl) {
  DataSet data = mixed();
  EXPECT_THAT(
      format_named("spcl").losses(data),
      ElementsAre("node labels of 1 graph", "edge labels of 1 graph", "node attributes of 1 graph",
                  "witnesses of 1 graph", "hit counts of 1 graph", "origins of 1 graph",
                  "isolated nodes at the end of 1 graph"));
  data.provenance["task"] = "triangles";
  data.splits[0].samples[0].graph = Graph(4, {});
  EXPECT_THAT(format_named("spcl").losses(data),
              ElementsAre(HasSubstr("how the data set was made"), HasSubstr("witnesses"),
                          HasSubstr("hit counts"), HasSubstr("origins"), HasSubstr("no edges")));
}

TEST(Losses, OneIsolatedNodeBehindTheOthersIsEnough) {
  DataSet data = mixed();
  data.splits[0].samples = {data.splits[0].samples[1], data.splits[0].samples[1]};
  data.splits[0].samples[0].label = 0;
  EXPECT_THAT(format_named("spcl").losses(data), IsEmpty());
  data.splits[0].samples[0].graph = Graph(3, {{0, 1}});
  EXPECT_THAT(format_named("spcl").losses(data),
              ElementsAre("isolated nodes at the end of 1 graph"));
}

TEST(Losses, OfTu) {
  EXPECT_THAT(format_named("tu").losses(mixed()),
              ElementsAre(HasSubstr("node labels"), HasSubstr("edge labels"),
                          HasSubstr("node attributes")));
  DataSet data = mixed();
  data.splits[0].samples.pop_back();
  data.class_names = {"yes"};
  data.splits.push_back({"test", {}});
  EXPECT_THAT(
      format_named("tu").losses(data),
      ElementsAre("class name 'yes' (not an integer: refused)", "split 'test', which is empty"));
  data.class_names = {"0"};
  data.splits[0].samples[0].graph = Graph(0, {});
  EXPECT_THAT(format_named("tu").losses(data),
              ElementsAre(HasSubstr("no nodes"), HasSubstr("no graph has an edge"),
                          HasSubstr("split 'test'")));
}

TEST(Losses, OfClassOrder) {
  DataSet data = mixed();
  data.class_names = {"1", "0"};
  for (const Format* format : written_formats()) {
    if (format == formats().front()) continue;
    EXPECT_THAT(format->losses(data), ::testing::Contains(HasSubstr("order of the classes")));
  }
  EXPECT_THAT(format_named("native").losses(data), IsEmpty());
}

TEST(Losses, AreOnlyWhatIsReallyLost) {
  const TemporaryFolder folder;
  const DataSet data = mixed();
  write_dataset(data, folder / "tu", format_named("tu"), false);
  const DataSet tu = read_dataset(folder / "tu");
  EXPECT_EQ(tu.splits[0].samples[0].graph, Graph(4, {{0, 1}}));
  EXPECT_EQ(tu.splits[0].samples[0].witness, data.splits[0].samples[0].witness);
  write_dataset(data, folder / "spcl", format_named("spcl"), false);
  EXPECT_EQ(read_dataset(folder / "spcl").splits[0].samples[0].graph, Graph(2, {{0, 1}}));
}

TEST(Reading, MissingPathsAreUsageErrors) {
  const TemporaryFolder folder;
  EXPECT_THROW(detect_format(folder / "none"), UsageError);
  EXPECT_THROW(read_dataset(folder / "none"), UsageError);
  for (const Format* format : formats()) {
    EXPECT_THROW(read_dataset(folder / "none", *format), UsageError);
    EXPECT_THROW(read_dataset(folder / "none" / "deeper", *format), UsageError);
  }
}

TEST(Reading, AFileWhereAFolderIsNeededAndTheReverse) {
  const TemporaryFolder folder;
  const auto file = folder.write("file.jsonl", "{}\n");
  for (const Format* format : formats()) EXPECT_THROW(read_dataset(file, *format), InputError);
  for (const Format* format : formats()) {
    EXPECT_THROW(read_dataset(folder.path(), *format), InputError);
  }
}

TEST(Reading, AGivenFormatSettlesAFolderOfTwo) {
  const TemporaryFolder folder;
  DataSet data = mixed();
  write_dataset(data, folder / "both", format_named("tu"), false);
  folder.write("both/sp.txt", "a\t0\t1\t1.0\na\t1\t0\t1.0\n");
  folder.write("both/cl.txt", "a\t0\n");
  EXPECT_THROW(read_dataset(folder / "both"), InputError);
  EXPECT_EQ(read_dataset(folder / "both", format_named("tu")).size(), 2U);
  EXPECT_EQ(read_dataset(folder / "both", format_named("spcl")).size(), 1U);
}

TEST(Reading, TrailingSlashesDoNotChangeTheName) {
  const TemporaryFolder folder;
  write_dataset(mixed(), folder / "spcl", format_named("spcl"), false);
  EXPECT_EQ(read_dataset((folder / "spcl").string() + "/").name, "spcl");
  EXPECT_EQ(read_dataset((folder / "spcl").string() + "/.").name, "spcl");
}

TEST(Reading, LinksToNowhereAreIgnored) {
  const TemporaryFolder folder;
  write_dataset(mixed(), folder / "data.set", format_named("spcl"), false);
  std::filesystem::create_symlink("nowhere", folder / "data.set" / "link");
  const DataSet data = read_dataset(folder / "data.set");
  EXPECT_EQ(data.size(), 2U);
  EXPECT_EQ(data.name, "data.set");
}

TEST(Writing, SomeFormatsAreOnlyRead) {
  const TemporaryFolder folder;
  for (const char* name : {"graphml", "edgelist"}) {
    EXPECT_FALSE(format_named(name).is_written());
    EXPECT_THROW(write_dataset(mixed(), folder / "out", format_named(name), false), UsageError);
  }
}

TEST(Writing, ExistingOutputNeedsOverwrite) {
  for (const Format* format : written_formats()) {
    const TemporaryFolder folder;
    const auto path = folder / ("out" + std::string(format->ending));
    write_dataset(mixed(), path, *format, false);
    EXPECT_THROW(write_dataset(mixed(), path, *format, false), UsageError);
    DataSet other = mixed();
    other.splits[0].samples.pop_back();
    if (format->name == "graph6") {  // there is no telling whose it is
      EXPECT_THROW(write_dataset(other, path, *format, true), UsageError);
      EXPECT_EQ(read_dataset(path).size(), 2U);
      continue;
    }
    write_dataset(other, path, *format, true);
    EXPECT_EQ(read_dataset(path).size(), 1U);
  }
}

TEST(Writing, AFailedWriteLeavesTheOldDataSet) {
  for (const Format* format : written_formats()) {
    const TemporaryFolder folder;
    const auto path = folder / ("out" + std::string(format->ending));
    write_dataset(mixed(), path, *format, false);
    DataSet broken = mixed();
    broken.splits[0].samples[1].id = "a\tb";
    EXPECT_THROW(write_dataset(broken, path, *format, true), UsageError);
    EXPECT_EQ(read_dataset(path).size(), 2U);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
  }
}

}  // namespace
}  // namespace bermuda
