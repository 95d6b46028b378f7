#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/encoded.hpp"
#include "bermuda/dataset/figures.hpp"
#include "bermuda/dataset/io.hpp"
#include "bermuda/dataset/source.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::kMayLackClass;
using test::random_data;
using test::RandomDataOptions;
using test::TemporaryFolder;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What stands at the path is refused, with this message, unless graphs may lack a class.
DataSet read_classless(const std::filesystem::path& path, long line, const std::string& says) {
  try {
    read_dataset(path);
    ADD_FAILURE() << path << " was read as if all graphs had a class";
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), line);
    EXPECT_THAT(error.what(), HasSubstr(says));
  }
  return read_dataset(path, kMayLackClass);
}

std::vector<int> labels(const DataSet& data) { return labels_of(data.all()); }

/// Plain graphs that every format keeps, some or all of them without their class.
DataSet classless(bool all) {
  RandomDataOptions options;
  options.isolated_last_node = false;
  options.split_names = {"train", "test"};
  DataSet data = random_data(30, options);
  for (Split& split : data.splits) {
    for (std::size_t i = 0; i < split.samples.size(); ++i) {
      if (all || i >= 20) split.samples[i].label = Sample::kNoClass;
    }
  }
  if (all) data.class_names.clear();
  return data;
}

TEST(Classless, Native) {
  const TemporaryFolder folder;
  for (const bool all : {false, true}) {
    const DataSet data = classless(all);
    write_dataset(data, folder / "data", true);
    const DataSet back = read_classless(
        folder / "data", all ? 2 : 22,
        "train.tsv:" + std::to_string(all ? 2 : 22) + ": found '?', expected a class");
    EXPECT_EQ(back.splits, data.splits);
    EXPECT_EQ(back.class_names, data.class_names);
    const auto streamed = open_dataset(folder / "data", kMayLackClass, 0);
    EXPECT_EQ(streamed->at(79), data.splits[1].samples[39]);
    EXPECT_THROW(open_dataset(folder / "data", {}, 0)->at(79), InputError);
    EXPECT_EQ(decode_dataset(encode_dataset(data)).splits, data.splits);
  }
}

TEST(Classless, JsonLines) {
  const TemporaryFolder folder;
  const auto file = folder.write("a.jsonl",
                                 "{\"class\":\"b\",\"nodes\":1,\"edges\":[]}\n"
                                 "{\"nodes\":1,\"edges\":[]}\n"
                                 "{\"class\":null,\"nodes\":1,\"edges\":[]}\n"
                                 "{\"class\":\"a\",\"nodes\":1,\"edges\":[]}\n");
  const DataSet data = read_classless(file, 2, "a.jsonl:2: found no \"class\", expected a class");
  EXPECT_THAT(labels(data), ElementsAre(1, -1, -1, 0));
  EXPECT_THAT(data.class_names, ElementsAre("a", "b"));
}

TEST(Classless, Tu) {
  const TemporaryFolder folder;
  folder.write("DS/DS_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n");
  folder.write("DS/DS_graph_indicator.txt", "1\n1\n2\n2\n");
  const DataSet data = read_classless(folder / "DS", 0, "found no DS_graph_labels.txt");
  EXPECT_THAT(labels(data), ElementsAre(-1, -1));
  EXPECT_THAT(data.class_names, IsEmpty());
  EXPECT_EQ(data.splits[0].samples[1].id, "DS_2");
}

TEST(Classless, SpCl) {
  const TemporaryFolder folder;
  const std::string edges = "a\t0\t1\t1\nb\t0\t1\t1\na\t1\t0\t1\nb\t1\t0\t1\n";
  folder.write("both/test_sp.txt", edges);
  folder.write("both/test_cl.txt", "b\t5\n");
  DataSet data = read_classless(folder / "both", 1, "test_sp.txt:1: found graph 'a'");
  EXPECT_THAT(labels(data), ElementsAre(0, -1));
  EXPECT_THAT(data.class_names, ElementsAre("5"));
  EXPECT_EQ(data.splits[0].samples[1].id, "a");
  folder.write("one/test_sp.txt", edges);
  data = read_classless(folder / "one", 0, "found no test_cl.txt");
  EXPECT_THAT(labels(data), ElementsAre(-1, -1));
  // Without edges nobody knows how many nodes there are, class or not.
  folder.write("both/test_cl.txt", "b\t5\nc\t5\n");
  EXPECT_THROW(read_dataset(folder / "both", kMayLackClass), InputError);
}

TEST(Classless, RoundTripsThroughFormatsThatCarryIt) {
  for (const bool all : {false, true}) {
    const DataSet data = classless(all);
    for (const Format* format : test::written_formats()) {
      const TemporaryFolder folder;
      const auto path = folder / (data.name + std::string(format->ending));
      const auto losses = format->losses(data);
      if (std::ranges::any_of(
              losses, [](const auto& loss) { return loss.find("refused") != std::string::npos; })) {
        EXPECT_THROW(write_dataset(data, path, *format, false), UsageError) << format->name;
        continue;
      }
      write_dataset(data, path, *format, false);
      EXPECT_THROW(read_dataset(path), InputError) << format->name;
      const DataSet back = read_dataset(path, kMayLackClass);
      EXPECT_TRUE(test::same_graphs(data, back)) << format->name;
    }
    EXPECT_EQ(format_named("tu").losses(data).empty(), all);
    EXPECT_THAT(format_named("dgcnn").losses(data), Contains(HasSubstr("no class: refused")));
  }
}

TEST(Classless, SpClTellsThatTheOrderIsLost) {
  DataSet data = classless(false);
  EXPECT_THAT(format_named("spcl").losses(data), IsEmpty());
  data.splits[0].samples[0].label = Sample::kNoClass;
  EXPECT_THAT(format_named("spcl").losses(data), Contains(HasSubstr("order of the graphs")));
}

TEST(Classless, FiguresCountThem) {
  const DataSet data = classless(false);
  EXPECT_EQ(figures_of(data).splits[0].without_class(), 20U);
}

TEST(Classless, OtherNumbersAreStillRefused) {
  const TemporaryFolder folder;
  DataSet data = classless(false);
  for (const int label : {-2, 3}) {
    data.splits[0].samples[0].label = label;
    EXPECT_THROW(write_dataset(data, folder / "data", false), UsageError);
  }
}

}  // namespace
}  // namespace bermuda
