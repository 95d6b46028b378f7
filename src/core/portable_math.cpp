#include "bermuda/core/portable_math.hpp"

#include <cstddef>

// Wider registers change no bit: each number is worked on by itself, and nothing is fused
// (-ffp-contract=off). Sanitizers do not bear what the loader then calls to choose.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__OPTIMIZE__) && \
    !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define BERMUDA_FOR_WIDE_REGISTERS __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define BERMUDA_FOR_WIDE_REGISTERS
#endif

namespace bermuda {
namespace {

BERMUDA_FOR_WIDE_REGISTERS
void replace_by_logistic(double* values, std::size_t count) {
  // By itself, or compilers make branches of the ends, and no loop over several numbers.
  for (std::size_t i = 0; i < count; ++i) {
    const double above = values[i] > -700.0 ? values[i] : -700.0;
    values[i] = above < 700.0 ? above : 700.0;
  }
  for (std::size_t i = 0; i < count; ++i) values[i] = 1.0 / (1.0 + portable_exp(-values[i]));
}

}  // namespace

void portable_logistic(std::span<double> values) {
  replace_by_logistic(values.data(), values.size());
}

}  // namespace bermuda
