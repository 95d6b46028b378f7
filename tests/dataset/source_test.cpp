#include "bermuda/dataset/source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "bermuda/core/checksum.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "support.hpp"

namespace bermuda {
namespace {

using test::random_data;
using test::TemporaryFolder;
using ::testing::HasSubstr;

constexpr std::size_t kHeld = kMostHeldBytes;
constexpr std::size_t kNotHeld = 0;

DataSet source_data(int attribute_width = 0) {
  DataSet data = random_data(3, {.node_labels = true,
                                 .attribute_width = attribute_width,
                                 .witnesses = true,
                                 .split_names = {"a", "none", "b", "c", "d"}});
  data.splits[1].samples.clear();
  // More than one run of lines, and not a whole number of them.
  for (int i = 0; i < 3; ++i) {
    auto& samples = data.splits[2].samples;
    samples.insert(samples.end(), data.splits[0].samples.begin(), data.splits[0].samples.end());
  }
  return data;
}

std::vector<Sample> samples_of(const SampleSource& source, std::size_t begin, std::size_t end) {
  std::vector<Sample> samples;
  source.look_at(begin, end, {}, [&](std::span<const Sample* const> some) {
    for (const Sample* sample : some) samples.push_back(*sample);
  });
  return samples;
}

TEST(SampleSource, GivesWhatIsReadWhereverItIsCut) {
  for (const int width : {0, 2}) {
    const TemporaryFolder folder;
    const DataSet data = source_data(width);
    write_dataset(data, folder / "data", false);
    const auto all = data.all();
    for (const std::size_t most : {kHeld, kNotHeld}) {
      const auto source = open_dataset(folder / "data", {}, most);
      EXPECT_EQ(source->stage().empty(), most == kHeld);
      EXPECT_EQ(source->head().name, data.name);
      EXPECT_EQ(source->head().class_names, data.class_names);
      EXPECT_EQ(source->head().provenance, data.provenance);
      EXPECT_TRUE(source->head().splits.empty());
      ASSERT_EQ(source->size(), all.size());
      for (const std::size_t step : {1U, 7U, 63U, 64U, 65U, 1000U}) {
        for (std::size_t begin = 0; begin < all.size(); begin += step) {
          const std::size_t end = std::min(begin + step, all.size());
          const std::vector<Sample> some = samples_of(*source, begin, end);
          ASSERT_EQ(some.size(), end - begin);
          for (std::size_t i = begin; i < end; ++i) ASSERT_EQ(some[i - begin], *all[i]) << i;
        }
      }
      EXPECT_EQ(source->at(41), *all[41]);
    }
  }
}

TEST(SampleSource, StaysOnTheFileThatItChecked) {
  const TemporaryFolder folder;
  const DataSet data = source_data();
  write_dataset(data, folder / "data", false);
  const auto source = open_dataset(folder / "data", {}, kNotHeld);
  DataSet other = data;
  for (Split& split : other.splits) split.samples.resize(split.samples.size() / 2);
  write_dataset(other, folder / "data", true);
  EXPECT_EQ(source->at(source->size() - 1), *data.all().back());
}

std::string source_error(const std::filesystem::path& path, std::size_t most) {
  try {
    const auto source = open_dataset(path, {}, most);
    samples_of(*source, 0, source->size());
  } catch (const InputError& error) {
    return error.what();
  }
  return "none";
}

TEST(SampleSource, SaysWhatReadingSays) {
  const TemporaryFolder folder;
  const auto path = folder / "data";
  write_dataset(source_data(), path, false);
  const std::string good = read_file(path / "b.tsv");
  const std::string manifest = read_file(path / "manifest.json");
  const auto expect = [&](const std::string& says) {
    EXPECT_EQ(source_error(path, kNotHeld), source_error(path, kHeld));
    EXPECT_THAT(source_error(path, kNotHeld), HasSubstr(says));
  };
  const auto put = [&](const std::string& text, bool with_its_checksum) {
    folder.write("data/b.tsv", text);
    std::string told = manifest;
    if (with_its_checksum) told.replace(told.find(sha256(good)), 64, sha256(text));
    folder.write("data/manifest.json", told);
  };
  put(good + "x\n", false);
  expect("as in the manifest");
  put(good + "x\n", true);
  expect("b.tsv:162: found 1 columns");
  std::string broken = good;
  broken.replace(broken.find("graph-83\t"), 9, "graph-83 ");
  put(broken, true);
  expect("b.tsv:5: found 7 columns");
  put("", true);
  expect("an empty file");
  put("#id\n", true);
  expect("the header");
  std::filesystem::remove(path / "b.tsv");
  expect("no file 'b.tsv'");
}

TEST(SampleSource, StopsWhenAsked) {
  const TemporaryFolder folder;
  write_dataset(source_data(), folder / "data", false);
  const std::atomic<bool> stop = true;
  Execution execution;
  execution.stop = &stop;
  EXPECT_THROW(open_dataset(folder / "data", {.stop = execution}, kNotHeld), Interrupted);
}

}  // namespace
}  // namespace bermuda
