#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/trust.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Output : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "bermuda-output-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = fs::canonical(name);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::set<std::string> names() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  /// Makes folders on the way.
  void put(const fs::path& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  /// What check_output() says when it is to be overwritten; empty when that is allowed.
  std::string refusal(const fs::path& name) const {
    try {
      check_output(folder_ / name, true);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }

  fs::path folder_;
};

constexpr const char* kRun = "{\n \"method\": \"gin\",\n \"program_version\": \"0.1.0\"}";

TEST_F(Output, OverwritesOurFolders) {
  put("native/manifest.json", R"({"format": "bermuda-dataset", "splits": [{"file": "a.tsv"}]})");
  put("native/a.tsv", "#id\tclass\n");
  put("tu/X_A.txt", "2, 1\n1, 2\n");
  put("tu/X_graph_labels.txt", "-1\n");
  put("tu/X_graph_ids.txt", "g0\ttrain\t2\tknn3\t-\n");
  put("spcl/train_sp.txt", "g\t0\t1\t1.0\n");
  put("spcl/train_cl.txt", "g\t0\n");
  put("spcl/test_sp.txt", "");
  put("run/run.json", kRun);
  put("run/model.bermuda", "bermuda-model 1\n");
  put("run/epochs.tsv", "epoch\tloss\n");
  put("run/checkpoint.bermuda", "");
  put("run/.run.json.writing-0123456789abcdef", "half");
  fs::create_directory(folder_ / "empty");
  for (const char* name : {"native", "tu", "spcl", "run", "empty", "native/"}) {
    EXPECT_EQ(refusal(name), "") << name;
  }
}

TEST_F(Output, NamesWhatIsNotOursInAFolder) {
  const std::string manifest = R"({"format": "bermuda-dataset", "splits": [{"file": "a.tsv"}]})";
  put("thesis/thesis.tex", "years");
  put("mixed/manifest.json", manifest);
  put("mixed/a.tsv", "");
  put("mixed/thesis.tex", "years");
  put("deep/manifest.json", manifest);
  put("deep/more/thesis.tex", "years");
  put("foreign/manifest.json", R"({"name": "a browser extension"})");
  put("broken/manifest.json", "{");
  put("run/run.json", kRun);
  put("run/notes", "");
  put("two/X_A.txt", "");
  put("two/X_graph_ids.txt", "");
  put("two/Y_A.txt", "");
  put("downloaded/X_A.txt", "1, 2\n");
  put("linked/run.json", kRun);
  fs::create_symlink("/etc/passwd", folder_ / "linked" / "model.bermuda");
  const std::pair<const char*, const char*> table[] = {{"thesis", "holds 'thesis.tex'"},
                                                       {"mixed", "holds 'thesis.tex'"},
                                                       {"deep", "holds 'more'"},
                                                       {"foreign", "holds 'manifest.json'"},
                                                       {"broken", "holds 'manifest.json'"},
                                                       {"run", "holds 'notes'"},
                                                       {"two", "holds 'Y_A.txt'"},
                                                       {"downloaded", "holds 'X_A.txt'"},
                                                       {"linked", "holds 'model.bermuda'"}};
  for (const auto& [name, says] : table) {
    EXPECT_THAT(refusal(name), HasSubstr(says));
    EXPECT_THROW(PendingFolder(folder_ / name, true), UsageError) << name;
  }
}

TEST_F(Output, NamesAloneMakeNothingOurs) {
  const std::string manifest = R"({"format": "bermuda-dataset", "splits": [{"file": "a.tex"}]})";
  put("native/manifest.json", manifest);
  put("native/a.tex", "years");
  put("run/run.json", R"({"my": "figures"})");
  put("model/model.bermuda", "years");
  put("epochs/epochs.tsv", "ice ages\n");
  put("curves/curves.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle/></svg>");
  put("tu/X_graph_ids.txt", "g0\ttrain\t2\tknn3\t-\n");
  put("tu/X_A.txt", "chapter one\n");
  put("ids/X_graph_ids.txt", "years\n");
  put("spcl/essaysp.txt", "chapter one\n");
  const std::pair<const char*, const char*> table[] = {
      {"native", "a.tex"},        {"run", "run.json"},      {"model", "model.bermuda"},
      {"epochs", "epochs.tsv"},   {"curves", "curves.svg"}, {"tu", "X_A.txt"},
      {"ids", "X_graph_ids.txt"}, {"spcl", "essaysp.txt"}};
  for (const auto& [name, file] : table) {
    EXPECT_THAT(refusal(name), HasSubstr(std::string("holds '") + file +
                                         "', which is something else than its name says"));
  }
}

TEST_F(Output, OverwritesFilesOfOursOnly) {
  for (const char* text :
       {"", "bermuda-model 1\n", "#id\tclass\n", "grid,row,data,fold,seed\n",
        "{\n \"bermuda_results\": 1}", "{\"id\":\"a\",\"nodes\":1,\"edges\":[]}\n", "2\n3 0\n",
        "<!doctype html>\n<title>Bermuda report</title>", "| method | a |\n|---|--:|\n",
        "<?xml version=\"1.0\"?>\n<!-- Drawn by bermuda -->"}) {
    put("file", text);
    EXPECT_EQ(refusal("file"), "") << text;
  }
  for (const char* text :
       {"Dear Sir or Madam", "<?xml version=\"1.0\"?>\n<svg/>", "\x89PNG\r\n\x1a\n", "{}",
        "<!doctype html>\n<title>My page</title>", "SQLite format 3", "#!/bin/sh\n", "7 words\n",
        "\\begin{table}\n", "| my | table |\n", "2\n3 0\nthree apples"}) {
    put("file", text);
    EXPECT_THAT(refusal("file"), HasSubstr("is a file of another kind")) << text;
  }
}

TEST_F(Output, OverwritesNothingSpecial) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0666), 0);
  put("thesis.tex", "years");
  fs::create_symlink("pipe", folder_ / "to-pipe");
  fs::create_symlink("thesis.tex", folder_ / "to-thesis");
  fs::create_symlink("/dev/null", folder_ / "to-device");
  EXPECT_THAT(refusal("pipe"), HasSubstr("is a named pipe"));
  for (const char* name : {"to-pipe", "to-thesis", "to-device"}) {
    EXPECT_THAT(refusal(name), HasSubstr("is a symbolic link"));
  }
  for (const char* name : {"pipe", "to-pipe", "to-device"}) {
    EXPECT_THROW(write_file_atomically(folder_ / name, "x", true), UsageError) << name;
  }
  EXPECT_TRUE(fs::is_fifo(folder_ / "pipe"));
  EXPECT_THAT(refusal("/dev/null"), HasSubstr("/dev/null: is a device"));
}

TEST_F(Output, NeedsAName) {
  put("data/manifest.json", "{}");
  for (const char* name : {".", "..", "data/..", "data/.", "../", "data/../"}) {
    EXPECT_THAT(refusal(name), HasSubstr("no name for something to make")) << name;
  }
  EXPECT_THROW(check_output("/", true), UsageError);
  EXPECT_THROW(check_output("", true), UsageError);
}

TEST_F(Output, ThatCameIntoBeingMeanwhileStays) {
  PendingFolder pending(folder_ / "data", false);
  pending.write("a", "ours");
  put("data/thesis.tex", "years");
  EXPECT_THROW(pending.commit(), UsageError);
  EXPECT_EQ(read_file(folder_ / "data" / "thesis.tex"), "years");

  PendingFolder forced(folder_ / "other", true);
  forced.write("a", "ours");
  put("other/thesis.tex", "years");
  EXPECT_THROW(forced.commit(), UsageError);
  EXPECT_EQ(read_file(folder_ / "other" / "thesis.tex"), "years");
}

TEST_F(Output, LeftoversAreTakenAway) {
  put(".data.writing-0123456789abcdef/a", "half");
  put(".data.writing-4711", "half, of an earlier version");
  check_output(folder_ / "data", false);
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(Output, LeftoversOfOthersStay) {
  put(".other.writing-0123456789abcdef", "another output's");
  put(".data.writing-thesis", "no name of ours");
  put("data.writing-0123456789abcdef", "not hidden");
  put(".data.writing-00/sub/thesis.tex", "no folder of ours");
  put(".data.writing-00/notes", "");
  fs::create_symlink("nowhere", folder_ / ".data.writing-11");
  const auto before = names();
  check_output(folder_ / "data", false);
  EXPECT_EQ(names(), before);
  EXPECT_TRUE(fs::exists(folder_ / ".data.writing-00/sub/thesis.tex"));
  EXPECT_TRUE(fs::exists(folder_ / ".data.writing-00/notes"));
}

TEST_F(Output, WhatALivingProcessWritesStays) {
  PendingFolder first(folder_ / "data", true);
  first.write("model.bermuda", "bermuda-model 1\n");
  PendingFolder second(folder_ / "data", true);
  second.write("model.bermuda", "bermuda-model 2\n");
  EXPECT_EQ(names().size(), 2U);
  second.commit();
  first.commit();
  EXPECT_EQ(read_file(folder_ / "data" / "model.bermuda"), "bermuda-model 1\n");
  EXPECT_THAT(names(), ElementsAre("data"));
}

TEST_F(Output, HasNoNameThatCouldBePlanted) {
  // Neither the staging's name nor what stands there is taken over.
  PendingFolder pending(folder_ / "data", true);
  const std::string first = *names().begin();
  PendingFolder again(folder_ / "data", true);
  for (const std::string& name : names()) {
    EXPECT_THAT(name, ::testing::MatchesRegex("\\.data\\.writing-[0-9a-f]{16}"));
  }
  // A file that somebody put into it is not written through.
  fs::create_symlink(folder_ / "victim", folder_ / first / "a");
  const PendingFolder& owner = fs::exists(folder_ / first) ? pending : again;
  EXPECT_THROW(owner.write("a", "x"), IoError);
  EXPECT_FALSE(fs::exists(folder_ / "victim"));
}

TEST_F(Output, ReadsRegularFilesOnly) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0666), 0);
  const auto refused = [](const fs::path& path) -> std::string {
    try {
      read_file(path);
    } catch (const InputError& error) {
      return error.found();
    }
    return "";
  };
  EXPECT_EQ(refused(folder_ / "pipe"), "a named pipe");
  EXPECT_EQ(refused("/dev/zero"), "a device");
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{AF_UNIX, {}};
  (folder_ / "socket").string().copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(::bind(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(refused(folder_ / "socket"), "a socket");
  ::close(descriptor);
  EXPECT_THROW(check_regular_file(folder_ / "pipe"), InputError);
  EXPECT_NO_THROW(check_regular_file(folder_ / "nothing"));
}

TEST_F(Output, CodeIsLoadedFromTrustedPlacesOnly) {
  put("plugins/mine.so", "");
  const fs::path file = folder_ / "plugins" / "mine.so";
  const auto refused = [&]() -> std::string {
    try {
      check_trusted(file);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  ::chmod(file.c_str(), 0664);  // one's own group is customary
  ::chmod((folder_ / "plugins").c_str(), 0775);
  EXPECT_EQ(refused(), "");
  ::chmod((folder_ / "plugins").c_str(), 0777);
  EXPECT_THAT(refused(), HasSubstr("chmod o-w " + (folder_ / "plugins").string() + "'"));
  ::chmod((folder_ / "plugins").c_str(), 0755);
  ::chmod(file.c_str(), 0666);
  EXPECT_THAT(refused(), HasSubstr("mine.so: everybody may write"));
  ::chmod(file.c_str(), 0644);
  ::chmod(folder_.c_str(), 0777);  // whoever may rename the folder may put another there
  EXPECT_THAT(refused(), HasSubstr(folder_.string() + ": everybody may write"));
  ::chmod(folder_.c_str(), 01777);
  EXPECT_EQ(refused(), "");
  constexpr uid_t kNobody = 65534;
  if (::chown(file.c_str(), kNobody, kNobody) != 0) GTEST_SKIP() << "only root gives files away";
  EXPECT_THAT(refused(), HasSubstr("belongs to another user (number 65534)"));
}

}  // namespace
}  // namespace bermuda
