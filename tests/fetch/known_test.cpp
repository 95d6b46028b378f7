#include "known.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "shared_data.hpp"

namespace bermuda {
namespace {

TEST(KnownContent, LineEndsAndBlanksDoNotMatter) {
  const std::string plain = content_checksum("1,2\n2,1\n");
  for (const char* same :
       {"1, 2\r\n2, 1\r\n", "1,\t2\n2 ,1", " 1,2 \n2,1\n\n\n", "1,2\r\r\n2,1\r"}) {
    EXPECT_EQ(content_checksum(same), plain) << testing::PrintToString(same);
  }
  for (const char* other : {"1,2\n2,1\n3,1\n", "1,2\n\n2,1\n", "1,22,1\n", "12\n2,1\n", ""}) {
    EXPECT_NE(content_checksum(other), plain) << testing::PrintToString(other);
  }
}

TEST(KnownContent, OthersPass) {
  EXPECT_FALSE(is_known("PROTEINS"));
  EXPECT_NO_THROW(check_content("PROTEINS", {{"PROTEINS_A.txt", "1,2\n"}}, "here"));
  EXPECT_TRUE(is_known("NCI1"));
  EXPECT_THROW(check_content("NCI1", {}, "here"), InputError);
}

std::map<std::string, std::string> texts_of(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files[entry.path().filename().string()] = read_file(entry.path());
  }
  return files;
}

TEST(KnownContent, OfMutagAndNci1) {
  BERMUDA_NEED_SHARED_DATA(shared);
  for (const std::string name : {"MUTAG", "NCI1"}) {
    auto files = texts_of(shared / "TU" / name);
    EXPECT_NO_THROW(check_content(name, files, "here"));
    const std::string labels = name + "_graph_labels.txt";
    std::string& text = files.at(labels);
    text[0] = text[0] == '1' ? '2' : '1';
    try {
      check_content(name, files, "here");
      ADD_FAILURE() << "another class of one graph passes";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("here: found another content of " + labels));
    }
    files.erase(labels);
    EXPECT_THROW(check_content(name, files, "here"), InputError);
  }
}

}  // namespace
}  // namespace bermuda
