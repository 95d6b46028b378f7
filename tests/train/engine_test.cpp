#include <gtest/gtest.h>
#include <sys/resource.h>

#include "small_fits.hpp"

namespace bermuda::train {
namespace {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

constexpr long kPage = 4096;

long pages_fetched() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/// With indices, so that no rows are shared, in one batch: what the stack keeps for its way back is
/// more than 32 MB.
void fit_large_batches(const std::vector<const Sample*>& graphs, int epochs) {
  const auto method = registry().get("gin+d+id").make();
  const ParameterSet parameters = method->parameters();
  parameters.get("batch-size").set(std::to_string(graphs.size()));
  parameters.get("max-epochs").set(std::to_string(epochs));
  method->fit({graphs, {graphs.data(), 2}, 2, 1}, {});
}

TEST(Engine, LargeTemporariesAreNotFetchedFromTheSystemAnew) {
  const std::vector<Sample> samples = rings_and_paths(2000);
  const std::vector<const Sample*> graphs = pointers(samples);
  constexpr int kEpochs = 3;
  constexpr long kLargest = 32L << 20;  // threshold that malloc can be given
  constexpr long kFew = kEpochs * kLargest / kPage / 2;
  // How soon the heap's holes fit depends on what lies in it already.
  long fetched = kFew;
  for (int fit = 0; fit < 10 && fetched >= kFew; ++fit) {
    const long before = pages_fetched();
    fit_large_batches(graphs, kEpochs);
    fetched = pages_fetched() - before;
  }
  EXPECT_LT(fetched, kFew);
}

#endif

}  // namespace
}  // namespace bermuda::train
