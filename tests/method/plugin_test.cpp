#include "bermuda/method/plugin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "bermuda/core/error.hpp"
#include "bermuda/core/file.hpp"

namespace bermuda {
namespace {

namespace fs = std::filesystem;

/// A folder with the example plug-in under another sidecar.
class Plugin : public ::testing::Test {
 protected:
  Plugin() {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  ~Plugin() override { fs::remove_all(folder_); }

  fs::path sidecar(const std::string& text) const {
    fs::remove(folder_ / "mine.so");  // writing into a loaded library would crash us
    fs::copy_file(fs::path(BERMUDA_EXAMPLE_PLUGINS) / "degree_profile.so", folder_ / "mine.so");
    write_file_atomically(folder_ / "mine.methods.json", text, true);
    return folder_ / "mine.methods.json";
  }

  fs::path folder_ = fs::path(::testing::TempDir()) /
                     ("plugin-test-" +
                      std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(Plugin, IsMadeOnDemand) {
  MethodRegistry registry;
  register_plugins(registry, BERMUDA_EXAMPLE_PLUGINS);
  const MethodInfo& info = registry.get("degree-profile");
  EXPECT_THAT(info.source, ::testing::EndsWith("degree_profile.methods.json"));
  const std::unique_ptr<Method> one = info.make();
  const std::unique_ptr<Method> two = info.make();
  EXPECT_EQ(one->name(), "degree-profile");
  EXPECT_NE(one, two);
  EXPECT_EQ(one->parameters().get("max-degree").value_text(), "20");
}

TEST_F(Plugin, SidecarOfTheExampleAgreesWithItsLibrary) {
  EXPECT_THAT(check_plugin(fs::path(BERMUDA_EXAMPLE_PLUGINS) / "degree_profile.methods.json"),
              ::testing::IsEmpty());
}

TEST_F(Plugin, EveryDisagreementIsFound) {
  EXPECT_THAT(
      check_plugin(sidecar(R"({"methods": [{"name": "other", "summary": "x"}]})")),
      ::testing::ElementsAre("other: not in the library", "degree-profile: not in the sidecar"));
  EXPECT_THAT(
      check_plugin(sidecar(R"({"methods": [{"name": "degree-profile", "summary": "x"}]})")),
      ::testing::ElementsAre(::testing::StartsWith("degree-profile: summary is x in the sidecar")));
}

TEST_F(Plugin, FailedLoadsCanBeTriedAgain) {
  write_file_atomically(folder_ / "mine.methods.json",
                        R"({"methods": [{"name": "degree-profile", "summary": "x"}]})", false);
  MethodRegistry registry;
  register_plugins(registry, folder_);
  EXPECT_THROW(registry.get("degree-profile").make(), InputError);
  write_file_atomically(folder_ / "mine.so", "nonsense", false);
  EXPECT_THROW(registry.get("degree-profile").make(), InputError);
  fs::remove(folder_ / "mine.so");
  sidecar(R"({"methods": [{"name": "degree-profile", "summary": "x"}]})");
  EXPECT_EQ(registry.get("degree-profile").make()->name(), "degree-profile");
}

// Sidecars written for older versions carried figures of the paper.
TEST_F(Plugin, SortsFilesAndSkipsKeysItDoesNotKnow) {
  for (const char* name : {"b", "c", "a"}) {
    write_file_atomically(folder_ / (std::string(name) + ".methods.json"),
                          R"({"methods": [{"name": ")" + std::string(name) +
                              R"(+1", "summary": "x", "paper": {"clique-distance": 61.5}}]})",
                          false);
  }
  write_file_atomically(folder_ / "d.json", "not a sidecar", false);
  MethodRegistry registry;
  register_plugins(registry, folder_);
  std::vector<std::string> names;
  for (const MethodInfo& info : registry.all()) names.push_back(info.name);
  EXPECT_THAT(names, ::testing::ElementsAre("a+1", "b+1", "c+1"));
}

TEST_F(Plugin, FolderMustExist) {
  MethodRegistry registry;
  EXPECT_THROW(register_plugins(registry, folder_ / "nowhere"), UsageError);
}

}  // namespace
}  // namespace bermuda
