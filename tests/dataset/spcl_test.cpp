#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SpCl, GapsAreIsolatedNodesAndOrderIsThatOfTheClasses) {
  const TemporaryFolder folder;
  folder.write("sp.txt", "b\t0\t4\t1.0\na\t1\t2\t1\nb\t4\t0\t1.0\na\t2\t1\t1\n");
  folder.write("cl.txt", "a\t1.0\nb\t0\n");
  const DataSet data = read_dataset(folder.path());
  ASSERT_EQ(data.splits.size(), 1U);
  EXPECT_EQ(data.splits[0].name, "all");
  EXPECT_THAT(data.class_names, ElementsAre("0", "1"));
  ASSERT_EQ(data.size(), 2U);
  const Sample& a = data.splits[0].samples[0];
  EXPECT_EQ(a.id, "a");
  EXPECT_EQ(a.label, 1);
  EXPECT_EQ(a.graph, Graph(3, {{1, 2}}));
  EXPECT_EQ(data.splits[0].samples[1].graph, Graph(5, {{0, 4}}));
}

TEST(SpCl, ClassesAreSortedByNumberOverAllSplits) {
  const TemporaryFolder folder;
  folder.write("test_sp.txt", "a\t0\t1\t1.0\r\na\t1\t0\t1.0\r\n");
  folder.write("test_cl.txt", "a\t10.0\r\n");
  folder.write("train_sp.txt", "a\t0\t1\t1.0\na\t1\t0\t1.0\nb\t0\t1\t1.0\nb\t1\t0\t1.0");
  folder.write("train_cl.txt", "a\t2\nb\t-1\n\n");
  const DataSet data = read_dataset(folder.path());
  EXPECT_THAT(data.class_names, ElementsAre("-1", "2", "10"));
  ASSERT_EQ(data.splits.size(), 2U);
  EXPECT_EQ(data.splits[0].name, "train");
  EXPECT_EQ(data.splits[0].samples[0].label, 1);
  EXPECT_EQ(data.splits[0].samples[1].label, 0);
  EXPECT_EQ(data.splits[1].samples[0].label, 2);
}

TEST(SpCl, OtherFilesAreIgnored) {
  const TemporaryFolder folder;
  folder.write("train_sp.txt", "a\t0\t1\t1.0\na\t1\t0\t1.0\n");
  folder.write("train_cl.txt", "a\t0\n");
  folder.write("grasp.txt", "no edge list");
  folder.write("._train_sp.txt", "a Mac's shadow file");
  EXPECT_EQ(read_dataset(folder.path()).size(), 1U);
}

TEST(SpCl, FilesAreWhatFormatsMdShows) {
  const TemporaryFolder folder;
  DataSet data;
  data.class_names = {"0", "1"};
  Sample sample;
  sample.id = "g0";
  sample.label = 1;
  sample.graph = Graph(3, {{0, 1}, {1, 2}});
  data.splits = {{"train", {sample}}, {"valid", {}}};
  write_dataset(data, folder / "out", format_named("spcl"), false);
  EXPECT_EQ(read_file(folder / "out" / "train_sp.txt"),
            "g0\t0\t1\t1.0\ng0\t1\t0\t1.0\ng0\t1\t2\t1.0\ng0\t2\t1\t1.0\n");
  EXPECT_EQ(read_file(folder / "out" / "train_cl.txt"), "g0\t1\n");
  EXPECT_FALSE(std::filesystem::exists(folder / "out" / "valid_cl.txt"));
}

TEST(SpCl, WhatItCannotCarryIsRefused) {
  const TemporaryFolder folder;
  DataSet data;
  data.class_names = {"no"};
  Sample sample;
  sample.id = "g0";
  sample.graph = Graph(3, {});
  data.splits = {{"train", {sample}}};
  const auto message = [&] {
    try {
      write_dataset(data, folder / "out", format_named("spcl"), false);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(message(), HasSubstr("class name 'no': SP/CL needs integers"));
  data.class_names = {"0"};
  EXPECT_THAT(message(), HasSubstr("graph 'g0' has no edges"));
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
}

}  // namespace
}  // namespace bermuda
