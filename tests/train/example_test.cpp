#include <gmock/gmock.h>

#include "bermuda/method/plugin.hpp"

namespace bermuda {
namespace {

TEST(OwnNetwork, SidecarAndLibraryAgree) {
  EXPECT_THAT(check_plugin(BERMUDA_EXAMPLE_PLUGINS "/deep_sets.methods.json"), testing::IsEmpty());
}

}  // namespace
}  // namespace bermuda
