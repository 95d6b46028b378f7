#include "bermuda/core/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class File : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "bermuda-file-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Names of everything in the folder, hidden things too.
  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  void put(const fs::path& path, const std::string& text) const { std::ofstream(path) << text; }

  fs::path folder_;
};

TEST_F(File, IsReadWhole) {
  const std::string bytes = std::string("a\0b\r\n\xff", 6) + std::string(100000, 'x');
  put(folder_ / "a", bytes);
  EXPECT_EQ(read_file(folder_ / "a"), bytes);
  put(folder_ / "empty", "");
  EXPECT_EQ(read_file(folder_ / "empty"), "");
}

TEST_F(File, OfUnknownSizeIsReadWhole) {
  if (!fs::exists("/proc/self/status")) GTEST_SKIP() << "no /proc here";
  EXPECT_THAT(read_file("/proc/self/status"), HasSubstr("Pid:"));
}

TEST_F(File, ThatIsMissingIsAnIoError) {
  try {
    read_file(folder_ / "missing");
    FAIL() << "no error";
  } catch (const IoError& error) {
    EXPECT_EQ(error.error_number(), ENOENT);
    EXPECT_EQ(error.path(), (folder_ / "missing").string());
  }
}

TEST_F(File, ThatIsAFolderIsAnInputError) { EXPECT_THROW(read_file(folder_), InputError); }

TEST_F(File, IsWrittenWithoutTraces) {
  write_file_atomically(folder_ / "a", "text", false);
  EXPECT_EQ(read_file(folder_ / "a"), "text");
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(File, IsReplacedOnlyWhenAsked) {
  put(folder_ / "a", "old and longer");
  EXPECT_THROW(write_file_atomically(folder_ / "a", "new", false), UsageError);
  EXPECT_EQ(read_file(folder_ / "a"), "old and longer");
  write_file_atomically(folder_ / "a", "new", true);
  EXPECT_EQ(read_file(folder_ / "a"), "new");
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(File, DoesNotReplaceAFolder) {
  fs::create_directory(folder_ / "a");
  EXPECT_THROW(write_file_atomically(folder_ / "a", "new", true), UsageError);
  EXPECT_TRUE(fs::is_directory(folder_ / "a"));
  EXPECT_THAT(names(), ElementsAre("a"));
}

TEST_F(File, NeedsItsFolder) {
  EXPECT_THROW(write_file_atomically(folder_ / "b" / "a", "x", false), UsageError);
  EXPECT_THROW(check_output(folder_ / "b" / "a", false), UsageError);
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(File, CheckOutputAcceptsWhatCanBeMade) {
  EXPECT_NO_THROW(check_output(folder_ / "new", false));
  EXPECT_NO_THROW(check_output(folder_ / "new/", false));
  put(folder_ / "old", "");
  EXPECT_NO_THROW(check_output(folder_ / "old", true));
  EXPECT_THROW(check_output(folder_ / "old", false), UsageError);
  // A link to nowhere is something that exists.
  fs::create_symlink("nowhere", folder_ / "link");
  EXPECT_THROW(check_output(folder_ / "link", false), UsageError);
}

TEST_F(File, CheckOutputSeesFoldersThatAreNotWritable) {
  fs::permissions(folder_, fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read |
                               fs::perms::others_exec);
  // Root may write anywhere, unless a container took that away, so that a child takes another
  // identity first.
  constexpr int kCannotTry = 77;
  const auto refused = [&] {
    constexpr uid_t kNobody = 65534;
    const bool may_write = ::access(folder_.c_str(), W_OK) == 0;
    if (may_write && ::setresuid(kNobody, kNobody, kNobody) != 0) std::_Exit(kCannotTry);
    try {
      check_output(folder_ / "a", false);
    } catch (const UsageError& error) {
      std::_Exit(std::string(error.what()).find("not writable") != std::string::npos ? 0 : 3);
    }
    std::_Exit(1);
  };
  bool tried = true;
  const auto ended = [&](int status) {
    tried = !::testing::ExitedWithCode(kCannotTry)(status);
    return !tried || ::testing::ExitedWithCode(0)(status);
  };
  EXPECT_EXIT(refused(), ended, "");
  fs::permissions(folder_, fs::perms::owner_all);
  if (!tried) GTEST_SKIP() << "root may write anywhere and cannot become another user here";
}

TEST_F(File, PendingFolderAppearsOnCommit) {
  PendingFolder pending(folder_ / "data", false);
  pending.write("a", "1");
  pending.write("b", "2");
  EXPECT_FALSE(fs::exists(folder_ / "data"));
  pending.commit();
  EXPECT_EQ(read_file(folder_ / "data" / "a"), "1");
  EXPECT_EQ(read_file(folder_ / "data" / "b"), "2");
  EXPECT_THAT(names(), ElementsAre("data"));
}

TEST_F(File, PendingFolderTakesFilesInParts) {
  PendingFolder pending(folder_ / "data", false);
  pending.append("a", "1");
  pending.write("b", "2");
  pending.append("a", "3");
  pending.commit();
  EXPECT_EQ(read_file(folder_ / "data" / "a"), "13");
  EXPECT_EQ(read_file(folder_ / "data" / "b"), "2");
}

TEST_F(File, PendingFolderWithoutCommitLeavesNothing) {
  {
    const PendingFolder pending(folder_ / "data", false);
    pending.write("a", "1");
  }
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(File, PendingFolderRefusesWhatExists) {
  fs::create_directory(folder_ / "data");
  EXPECT_THROW(PendingFolder(folder_ / "data", false), UsageError);
  EXPECT_THROW(PendingFolder(folder_ / "data/", false), UsageError);
  EXPECT_THROW(PendingFolder(folder_ / "missing" / "data", false), UsageError);
  EXPECT_THAT(names(), ElementsAre("data"));
}

TEST_F(File, PendingFolderReplacesAsAWhole) {
  fs::create_directory(folder_ / "data");
  put(folder_ / "data" / "epochs.tsv", "epoch\t1\n");
  {
    PendingFolder pending(folder_ / "data/", true);
    pending.write("model.bermuda", "2");
    EXPECT_TRUE(fs::exists(folder_ / "data" / "epochs.tsv"));
    EXPECT_FALSE(fs::exists(folder_ / "data" / "model.bermuda"));
    pending.commit();
  }
  EXPECT_FALSE(fs::exists(folder_ / "data" / "epochs.tsv"));
  EXPECT_EQ(read_file(folder_ / "data" / "model.bermuda"), "2");
  EXPECT_THAT(names(), ElementsAre("data"));
}

TEST_F(File, PendingFolderAbandonedKeepsTheOldOne) {
  fs::create_directory(folder_ / "data");
  put(folder_ / "data" / "epochs.tsv", "epoch\t1\n");
  {
    const PendingFolder pending(folder_ / "data", true);
    pending.write("model.bermuda", "2");
  }
  EXPECT_EQ(read_file(folder_ / "data" / "epochs.tsv"), "epoch\t1\n");
  EXPECT_FALSE(fs::exists(folder_ / "data" / "model.bermuda"));
  EXPECT_THAT(names(), ElementsAre("data"));
}

TEST_F(File, PendingFolderTakesThePlaceOfAFile) {
  put(folder_ / "data", "#id\tclass\n");
  PendingFolder pending(folder_ / "data", true);
  pending.write("a", "1");
  pending.commit();
  EXPECT_EQ(read_file(folder_ / "data" / "a"), "1");
  EXPECT_THAT(names(), ElementsAre("data"));
}

TEST_F(File, PendingFolderCannotWriteOutsideWhatExists) {
  const PendingFolder pending(folder_ / "data", false);
  EXPECT_THROW(pending.write("sub/a", "1"), IoError);
}

}  // namespace
}  // namespace bermuda
