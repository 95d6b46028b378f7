#include "bermuda/run/event_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

TEST(Crc32c, OfTheStandardsExamples) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
}

class EventFileTest : public testing::Test {
 protected:
  EventFileTest() : folder_(fs::temp_directory_path() / ("events_" + std::to_string(getpid()))) {}
  ~EventFileTest() override { fs::remove_all(folder_); }

  std::size_t files() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder_)) count += entry.exists() ? 1U : 0U;
    return count;
  }

  fs::path folder_;
};

TEST_F(EventFileTest, EpochsAreToldOnce) {
  EventFile events = EventFile::begin(folder_, false);
  std::vector<EpochRecord> epochs = {{1, 0.1, 0.7, 0.5, 0.6, 0.5, 1}};
  events.add(epochs);
  const std::size_t one = read_file(events.path()).size();
  events.add(epochs);
  EXPECT_EQ(read_file(events.path()).size(), one);
  epochs.push_back({2, 0.1, 0.6, 0.5, 0.6, 0.5, 1});
  events.add(epochs);
  EXPECT_GT(read_file(events.path()).size(), one);
}

TEST_F(EventFileTest, OthersFilesStay) {
  { EventFile::begin(folder_, false); }
  EXPECT_THROW(EventFile::begin(folder_, false), UsageError);
  { EventFile::begin(folder_, true); }
  EXPECT_EQ(files(), 1U);
  { EventFile::go_on(folder_, 3); }
  EXPECT_EQ(files(), 2U);
  const fs::path foreign = folder_ / "events.out.tfevents.1.host";
  write_file_atomically(foreign, "somebody's", false);
  // Many of ours, as folders are listed in any order.
  for (int i = 0; i < 20; ++i) EventFile::go_on(folder_, 3);
  EXPECT_THROW(EventFile::begin(folder_, true), UsageError);
  EXPECT_TRUE(fs::exists(foreign));
  EXPECT_EQ(files(), 23U);  // ours, too
}

}  // namespace
}  // namespace bermuda
