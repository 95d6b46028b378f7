#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/dataset/io.hpp"

namespace bermuda {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct FaultCase {
  std::string name;
  std::string path;
  long line = 0;
  std::string fragment;
};

std::filesystem::path faults_folder() {
  return std::filesystem::path(BERMUDA_TEST_DATA) / "faults";
}

std::vector<FaultCase> fault_cases() {
  const std::string text = read_file(faults_folder() / "index.tsv");
  std::vector<FaultCase> cases;
  LineReader lines(text);
  std::string_view line;
  while (lines.next(line)) {
    if (line.starts_with('#')) continue;
    const auto fields = split_fields(line, '\t');
    cases.push_back({std::string(fields.at(0)), std::string(fields.at(1)),
                     parse_number<long>(fields.at(2)).value(), std::string(fields.at(3))});
  }
  return cases;
}

class BrokenFiles : public ::testing::TestWithParam<FaultCase> {};

TEST_P(BrokenFiles, AreRefusedWithFileLineAndCause) {
  const FaultCase& fault = GetParam();
  try {
    read_dataset(faults_folder() / fault.path);
    FAIL() << "read without complaint";
  } catch (const InputError& error) {
    EXPECT_EQ(error.line(), fault.line);
    EXPECT_THAT(error.what(), HasSubstr(fault.fragment));
    EXPECT_THAT(error.what(), Not(HasSubstr("\n")));
  } catch (const UsageError& error) {
    EXPECT_EQ(fault.line, 0);
    EXPECT_THAT(error.what(), HasSubstr(fault.fragment));
  }
}

INSTANTIATE_TEST_SUITE_P(Faults, BrokenFiles, ::testing::ValuesIn(fault_cases()),
                         [](const auto& test) {
                           std::string name = test.param.name;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(BrokenFiles, EveryFolderIsListed) {
  std::vector<std::string> listed;
  for (const FaultCase& fault : fault_cases()) listed.push_back(fault.name);
  for (const auto& entry : std::filesystem::directory_iterator(faults_folder())) {
    if (entry.is_directory()) {
      EXPECT_THAT(listed, ::testing::Contains(entry.path().filename().string()));
    }
  }
  EXPECT_GE(listed.size(), 40U);
}

}  // namespace
}  // namespace bermuda
