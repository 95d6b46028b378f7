#include "partial_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

class PartialFileTest : public testing::Test {
 protected:
  PartialFileTest()
      : folder_(fs::temp_directory_path() / ("bermuda_part_" + std::to_string(getpid()))),
        path_(folder_ / "x.zip.part") {
    fs::create_directories(folder_);
  }
  ~PartialFileTest() override { fs::remove_all(folder_); }

  fs::path folder_;
  fs::path path_;
};

TEST_F(PartialFileTest, GoesOnWhereItEnded) {
  const DownloadOrigin origin{"http://a/b.zip", "\"tag\n\xff\""};
  {
    PartialFile file(path_);
    EXPECT_EQ(file.size(), 0U);
    file.start(origin);
    file.append(std::string("PK\n\0more", 8));
    EXPECT_THROW(PartialFile other(path_), UsageError) << "locked";
  }
  {
    PartialFile file(path_);
    EXPECT_EQ(file.size(), 8U);
    EXPECT_EQ(file.origin(), (DownloadOrigin{origin.url, ""})) << "no version that could be sent";
    file.append("end");
    EXPECT_EQ(file.content(), std::string("PK\n\0moreend", 11));
    file.start({"http://a/c.zip", ""});
    EXPECT_EQ(file.content(), "");
    file.append("PK");
  }
  PartialFile file(path_);
  EXPECT_EQ(file.origin(), (DownloadOrigin{"http://a/c.zip", ""}));
  EXPECT_EQ(file.content(), "PK");
  file.discard();
}

TEST_F(PartialFileTest, LeavesNothingWhereNothingCame) {
  { const PartialFile file(path_); }
  EXPECT_FALSE(fs::exists(path_));
  {
    PartialFile file(path_);
    file.start({"u", "v"});
    file.append("PK");
    file.discard();
  }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(PartialFileTest, RefusesWhatIsNotOurs) {
  for (const char* text : {"thesis", "bermuda-download", "bermuda-download {}\n",
                           "bermuda-download {\"url\": 1, \"version\": \"\"}\n",
                           "bermuda-download {\"url\": \"u\", \"version\": \"a\\r\\nX: y\"}\nPK",
                           "bermuda-download {\"url\": \"u\", \"version\": \"a\\u0000\"}\nPK",
                           "bermuda-download {\"url\": \"u\", \"version\": \"a\\u007f\"}\nPK"}) {
    write_file_atomically(path_, text, true);
    EXPECT_THROW(PartialFile file(path_), UsageError) << text;
    EXPECT_EQ(read_file(path_), text);
  }
  fs::remove(path_);
  fs::create_symlink(folder_ / "elsewhere", path_);
  EXPECT_THROW(PartialFile file(path_), IoError);
  EXPECT_FALSE(fs::exists(folder_ / "elsewhere"));
}

}  // namespace
}  // namespace bermuda
