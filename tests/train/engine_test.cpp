#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "bermuda/train/trainer.hpp"

namespace bermuda::train {
namespace {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

long pages_fetched() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

// What a stack keeps for its way back is above the threshold that malloc can be given.
TEST(Engine, LargeTemporariesAreNotFetchedFromTheSystemAnew) {
  set_up_engine(1);
  constexpr int kNumbers = 16 << 20;
  const auto use = [] { at::empty({kNumbers}).fill_(1.0F); };
  use();
  const long before = pages_fetched();
  for (int i = 0; i < 4; ++i) use();
  EXPECT_LT(pages_fetched() - before, 100);
}

#endif

}  // namespace
}  // namespace bermuda::train
