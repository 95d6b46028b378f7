#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <malloc.h>

#include "bermuda/train/trainer.hpp"

namespace bermuda::train {

void set_up_engine(int threads) {
  at::set_num_threads(threads);
  // OpenBLAS keeps threads of its own, of which LibTorch knows nothing. Other libraries lack this.
  using SetThreads = void (*)(int);
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"); set != nullptr) {
    reinterpret_cast<SetThreads>(set)(threads);
  }
  at::globalContext().setFlushDenormal(true);
#ifdef __GLIBC__
  // A batch's temporaries are about a megabyte each: above malloc's threshold for fresh pages from
  // the system, which then cost more than the arithmetic. 32 MB is the largest it allows.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
}

}  // namespace bermuda::train
