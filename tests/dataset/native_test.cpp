#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/version.hpp"
#include "bermuda/dataset/io.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

DataSet tiny() {
  DataSet data;
  data.name = "tiny";
  data.class_names = {"0", "1"};
  Sample triangle;
  triangle.id = "g0";
  triangle.label = 1;
  triangle.graph = Graph(3, {{0, 1}, {0, 2}, {1, 2}});
  triangle.witness = {{0, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}};
  triangle.hits = 2;
  triangle.origin = "knn3";
  Sample labelled;
  labelled.id = "g1";
  labelled.graph = Graph(3, {{0, 1}, {1, 2}}, {4, -1, 4}, {7, 8});
  data.splits = {{"train", {triangle, labelled}}, {"test", {}}};
  data.provenance = {{"task", "triangles"}, {"seed", 7}};
  return data;
}

TEST(Native, VersionIsThatOfTheProject) { EXPECT_EQ(kVersion, BERMUDA_PROJECT_VERSION); }

TEST(Native, FilesAreWhatFormatsMdShows) {
  const TemporaryFolder folder;
  write_dataset(tiny(), folder / "tiny", false);
  EXPECT_EQ(read_file(folder / "tiny" / "train.tsv"),
            "#id\tclass\tgraph\tnode_labels\tedge_labels\twitness\thits\torigin\n"
            "g0\t1\tBw\t-\t-\t0,1,2;0-1,0-2,1-2\t2\tknn3\n"
            "g1\t0\tBg\t4,-1,4\t7,8\t-\t-\t-\n");
  EXPECT_EQ(read_file(folder / "tiny" / "test.tsv"),
            "#id\tclass\tgraph\tnode_labels\tedge_labels\twitness\thits\torigin\n");
  EXPECT_EQ(read_file(folder / "tiny" / "manifest.json"), R"({
  "format": "bermuda-dataset",
  "format_version": 1,
  "program_version": "0.1.0",
  "name": "tiny",
  "classes": [
    "0",
    "1"
  ],
  "task": "triangles",
  "seed": 7,
  "splits": [
    {
      "name": "train",
      "file": "train.tsv",
      "graphs": 2,
      "class_counts": [
        1,
        1
      ],
      "mean_nodes": 3.0,
      "mean_edges": 2.5,
      "sha256": "23c662a6c46010261b304c5cf1abc02ce88f7c7dc468e08310fedb5991cca7ba"
    },
    {
      "name": "test",
      "file": "test.tsv",
      "graphs": 0,
      "class_counts": [
        0,
        0
      ],
      "mean_nodes": 0.0,
      "mean_edges": 0.0,
      "sha256": "e6f01cc0bbcf9c70d065a33c1d317c3aff760e825b2d9d0035aee64edce53270"
    }
  ]
}
)");
}

TEST(Native, AttributesHaveAColumnOnlyWhereThereAreAny) {
  const TemporaryFolder folder;
  DataSet data = tiny();
  data.splits[0].samples[1].graph.set_attributes(2, {0.1, -2, 1e300, 3, 4, 0.5});
  write_dataset(data, folder / "tiny", false);
  const std::string text = read_file(folder / "tiny" / "train.tsv");
  EXPECT_THAT(text, HasSubstr("\torigin\tattributes\n"));
  EXPECT_THAT(text, HasSubstr("\tknn3\t-\n"));
  EXPECT_THAT(text, HasSubstr("\t0.1,-2;1e+300,3;4,0.5\n"));
  EXPECT_EQ(read_dataset(folder / "tiny").splits, data.splits);
}

TEST(Native, UncheckedReadingReportsWhatDiffers) {
  const TemporaryFolder folder;
  write_dataset(tiny(), folder / "tiny", false);
  std::vector<std::string> problems;
  EXPECT_EQ(read_dataset_unchecked(folder / "tiny", problems).splits, tiny().splits);
  EXPECT_THAT(problems, IsEmpty());

  std::string text = read_file(folder / "tiny" / "train.tsv");
  text.resize(text.find("g1"));
  write_file_atomically(folder / "tiny" / "train.tsv", text, true);
  EXPECT_THROW(read_dataset(folder / "tiny"), InputError);
  EXPECT_THAT(read_dataset_unchecked(folder / "tiny", problems).splits[0].samples, SizeIs(1));
  EXPECT_THAT(problems, ElementsAre(HasSubstr("train.tsv: found sha256"), HasSubstr("graphs 2"),
                                    HasSubstr("class_counts [1, 1]"), HasSubstr("mean_edges 2.5")));
}

TEST(Native, UncheckedReadingNeedsGraphsAndAFolder) {
  const TemporaryFolder folder;
  std::vector<std::string> problems;
  EXPECT_THROW(read_dataset_unchecked(folder / "nothing", problems), UsageError);
  EXPECT_THROW(read_dataset_unchecked(folder.path(), problems), InputError);
  write_dataset(tiny(), folder / "tiny", false);
  folder.write("tiny/train.tsv", "rubbish\n");
  EXPECT_THROW(read_dataset_unchecked(folder / "tiny", problems), InputError);
}

TEST(Native, AChangedFileIsCalledChangedEvenWhenItIsAlsoBroken) {
  const TemporaryFolder folder;
  write_dataset(tiny(), folder / "tiny", false);
  folder.write("tiny/train.tsv", "rubbish\n");
  try {
    read_dataset(folder / "tiny");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("train.tsv: found sha256"));
  }
}

TEST(Native, AForeignMemberOfTheManifestIsKept) {
  const TemporaryFolder folder;
  DataSet data = tiny();
  data.provenance["filter"] = {{"before", {{"accuracy", 0.64}}}, {"rounds", 10}};
  write_dataset(data, folder / "tiny", false);
  const DataSet back = read_dataset(folder / "tiny");
  EXPECT_EQ(back.provenance.dump(), data.provenance.dump());
}

struct BadData {
  const char* name;
  const char* fragment;
  std::function<void(DataSet&)> damage;
};

class UnwritableData : public ::testing::TestWithParam<BadData> {};

TEST_P(UnwritableData, IsRefusedAndNothingIsWritten) {
  const TemporaryFolder folder;
  DataSet data = tiny();
  GetParam().damage(data);
  try {
    write_dataset(data, folder / "tiny", false);
    FAIL() << "written without complaint";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr(GetParam().fragment));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

Sample& first(DataSet& data) { return data.splits[0].samples[0]; }

INSTANTIATE_TEST_SUITE_P(
    Native, UnwritableData,
    ::testing::Values(
        BadData{"EmptyId", "ids must not be empty", [](DataSet& d) { first(d).id = ""; }},
        BadData{"TabInId", "'a\\tb'", [](DataSet& d) { first(d).id = "a\tb"; }},
        BadData{"NewlineInId", "'a\\nb'", [](DataSet& d) { first(d).id = "a\nb"; }},
        BadData{"NameNotUtf8", "not UTF-8", [](DataSet& d) { d.name = "\xff"; }},
        BadData{"LineEndInName", "byte 0x0a", [](DataSet& d) { d.name = "a\nb"; }},
        BadData{"IdNotUtf8", "not UTF-8", [](DataSet& d) { first(d).id = "caf\xe9"; }},
        BadData{"ClassNotUtf8", "no UTF-8", [](DataSet& d) { d.class_names[0] = "\xe9"; }},
        BadData{"OriginNotUtf8", "origin", [](DataSet& d) { first(d).origin = "\xe9"; }},
        BadData{"TabInOrigin", "origin", [](DataSet& d) { first(d).origin = "\t"; }},
        BadData{"DashAsOrigin", "origin '-'", [](DataSet& d) { first(d).origin = "-"; }},
        BadData{"ClassOutOfRange", "class 2 of 2", [](DataSet& d) { first(d).label = 2; }},
        BadData{"NegativeClass", "class -2 of 2", [](DataSet& d) { first(d).label = -2; }},
        BadData{"NegativeHits", "-2 hits", [](DataSet& d) { first(d).hits = -2; }},
        BadData{"WitnessNode", "witness", [](DataSet& d) { first(d).witness.nodes = {3}; }},
        BadData{"WitnessOrder", "witness",
                [](DataSet& d) {
                  first(d).witness.nodes = {1, 0};
                }},
        BadData{"WitnessEdge", "witness",
                [](DataSet& d) {
                  first(d).witness.edges = {{2, 1}};
                }},
        BadData{"Attribute", "attribute inf",
                [](DataSet& d) {
                  first(d).graph.set_attributes(1, {0, 1 / 0.0, 2});
                }},
        BadData{"SplitWithSlash", "split 'a/b'", [](DataSet& d) { d.splits[0].name = "a/b"; }},
        BadData{"HiddenSplit", "split '.a'", [](DataSet& d) { d.splits[0].name = ".a"; }},
        BadData{"EmptySplitName", "split ''", [](DataSet& d) { d.splits[0].name = ""; }},
        BadData{"SplitTwice", "two splits", [](DataSet& d) { d.splits[0].name = "test"; }},
        BadData{"ClassTwice", "two classes",
                [](DataSet& d) {
                  d.class_names = {"a", "a"};
                }},
        BadData{"ClassWithTab", "class name", [](DataSet& d) { d.class_names[0] = "\t"; }},
        BadData{"Provenance", "provenance must not have a member 'splits'",
                [](DataSet& d) { d.provenance["splits"] = 1; }}),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace bermuda
