#pragma once

/// To be included before Highway's headers by every kernel: the instruction sets that kernels are
/// compiled for. Each costs as much time to compile as the others, so those are left out that gain
/// little: AVX-512's later additions have nothing that we use, and the few machines that have SSE4
/// but not AVX2 take the portable code. Vectors whose size the compiler does not know (SVE, RVV)
/// cannot be elements of arrays, as our sums are; ARM takes NEON.
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
