#include "bermuda/bench/data_cache.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "bermuda/dataset/isomorphs.hpp"
#include "bermuda/generate/generate.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

class DataCache : public testing::Test {
 protected:
  DataCache() : folder_(fs::temp_directory_path() / fmt::format("data_cache_{}", ::getpid())) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~DataCache() override { fs::remove_all(folder_); }

  /// The only data set of a grid with these lines.
  PreparedData prepare(const std::string& lines) const {
    const Grid grid = parse_grid("[data.d]\n" + lines + "\n[[run]]\nmethods=['m']\n", "g.toml");
    const std::vector<fs::path> folders = {folder_};
    return prepare_data(grid.data.at(0), folder_ / "cache", folders, {});
  }

  static constexpr const char* kTask =
      "task = 'triangles'\nseed = 3\ncandidates = 4000\n"
      "filter = { train = 300, valid = 20, test = 100 }\n";

  fs::path folder_;
};

std::set<std::string> ids_of(const Split& split) {
  std::set<std::string> ids;
  for (const Sample& sample : split.samples) ids.insert(sample.id);
  return ids;
}

TEST_F(DataCache, ControlsChangeWhatTheySayAndNothingElse) {
  const PreparedData plain = prepare(kTask);
  const PreparedData shuffled = prepare(std::string(kTask) + "shuffle_nodes = true");
  const PreparedData permuted = prepare(std::string(kTask) + "permute_labels = true");
  std::set<fs::path> paths = {plain.path, shuffled.path, permuted.path};
  EXPECT_EQ(paths.size(), 3U);
  EXPECT_FALSE(plain.data.provenance.contains("controls"));
  EXPECT_EQ(shuffled.data.provenance.at("controls").dump(), R"({"seed":3,"shuffle_nodes":true})");
  EXPECT_EQ(permuted.data.provenance.at("controls").dump(), R"({"permute_labels":true,"seed":3})");
  EXPECT_NE(shuffled.data.splits, plain.data.splits);
  EXPECT_EQ(labels_of(shuffled.data.all()), labels_of(plain.data.all()));
  EXPECT_NE(permuted.data.splits[0], plain.data.splits[0]);
  EXPECT_EQ(permuted.data.splits[2], plain.data.splits[2]);
  std::vector<const Sample*> both = plain.data.all();
  for (const Sample* sample : shuffled.data.all()) both.push_back(sample);
  const auto class_of = isomorphism_classes(both, {});
  for (std::size_t i = 0; i < both.size() / 2; ++i) {
    EXPECT_EQ(class_of[i], class_of[i + both.size() / 2]);
  }
  // Once made, it is read; made anew it is the same.
  fs::remove_all(shuffled.path);
  EXPECT_EQ(prepare(std::string(kTask) + "shuffle_nodes = true").checksum, shuffled.checksum);
}

TEST_F(DataCache, AnUnfilteredTestSplitHasCandidatesThatTrainingDoesNotKnow) {
  const PreparedData plain = prepare(kTask);
  const PreparedData other = prepare(std::string(kTask) + "unfiltered_test = true");
  EXPECT_EQ(other.data.splits[0], plain.data.splits[0]);
  EXPECT_EQ(other.data.splits[1], plain.data.splits[1]);
  const Split& test = *other.data.find("test");
  EXPECT_EQ(test.samples.size(), 100U);
  EXPECT_EQ(other.data.class_counts(test), (std::vector<std::size_t>{50, 50}));
  EXPECT_EQ(ids_of(test).size(), 100U);
  for (const std::string& id : ids_of(*other.data.find("train"))) {
    EXPECT_FALSE(ids_of(test).contains(id));
  }
  std::vector<Split> two = {*other.data.find("train"), test};
  DataSet pair = other.data;
  pair.splits = two;
  EXPECT_EQ(count_isomorphs_across(two, isomorphism_classes(pair.all(), {})), 0U);
  EXPECT_NE(test, *plain.data.find("test"));
  // The filter has marked what it kept; candidates as they come have no mark.
  for (const Sample& sample : test.samples) EXPECT_EQ(sample.hits, Sample::kNoHits);
}

TEST_F(DataCache, ATestSplitOfOtherSizes) {
  const PreparedData plain = prepare(kTask);
  const PreparedData other = prepare(std::string(kTask) + "test_nodes = '22:30'");
  EXPECT_NE(other.path, plain.path);
  EXPECT_EQ(other.data.splits[0], plain.data.splits[0]);
  EXPECT_EQ(other.data.splits[1], plain.data.splits[1]);
  const Split& test = *other.data.find("test");
  EXPECT_EQ(other.data.class_counts(test), (std::vector<std::size_t>{50, 50}));
  EXPECT_EQ(ids_of(test).size(), 100U);
  for (const Sample& sample : test.samples) {
    EXPECT_GE(sample.graph.node_count(), 22);
    EXPECT_LE(sample.graph.node_count(), 30);
    EXPECT_NE(sample.hits, Sample::kNoHits);  // the filter has looked at it
  }
  EXPECT_EQ(other.data.provenance.at("other_test").at("nodes"), "22:30");
  EXPECT_FALSE(plain.data.provenance.contains("other_test"));
}

TEST_F(DataCache, DataByItsPathIsChangedBesideIt) {
  const auto task = make_task("triangles");
  DataSet data = generate_candidates(*task, 5, 60, {});
  write_dataset(data, folder_ / "mine", false);
  const PreparedData plain = prepare("path = 'mine'");
  EXPECT_EQ(plain.path, fs::absolute(folder_ / "mine"));
  const PreparedData permuted = prepare("path = 'mine'\npermute_labels = true\nseed = 2");
  EXPECT_EQ(permuted.path.parent_path(), fs::absolute(folder_ / "cache"));
  EXPECT_EQ(permuted.data.class_counts(permuted.data.splits[0]),
            plain.data.class_counts(plain.data.splits[0]));
  EXPECT_NE(labels_of(permuted.data.all()), labels_of(plain.data.all()));
  EXPECT_EQ(permuted.data.name, "d");
  EXPECT_NE(prepare("path = 'mine'\npermute_labels = true\nseed = 4").path, permuted.path);
  EXPECT_EQ(prepare("path = 'mine'\npermute_labels = true\nseed = 2").path, permuted.path);
  // Other data under the same path is another data set.
  data.splits[0].samples.pop_back();
  write_dataset(data, folder_ / "mine", true);
  EXPECT_NE(prepare("path = 'mine'\npermute_labels = true\nseed = 2").path, permuted.path);
}

}  // namespace
}  // namespace bermuda
