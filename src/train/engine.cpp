#include <ATen/ATen.h>
#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <malloc.h>
#include <sys/mman.h>

#include <new>

#include "bermuda/train/trainer.hpp"

namespace bermuda::train {
namespace {

/// OpenBLAS fetches room for its products once per process, 128 MB, and when there is none asks
/// again for ever. Throws std::bad_alloc instead.
void reserve_room_for_products() {
  constexpr std::size_t kRoom = std::size_t{144} << 20;  // some more: it is not the only one
  void* room = ::mmap(nullptr, kRoom, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) throw std::bad_alloc();
  ::munmap(room, kRoom);
  // Large enough that no shortcut for small ones is taken.
  constexpr int kSide = 256;
  const at::Tensor ones = at::ones({kSide, kSide});
  at::mm(ones, ones);
}

}  // namespace

void set_up_engine(int threads) {
  at::set_num_threads(threads);
  // OpenBLAS keeps threads of its own, of which LibTorch knows nothing. Other libraries lack this.
  using SetThreads = void (*)(int);
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"); set != nullptr) {
    reinterpret_cast<SetThreads>(set)(threads);
  }
  at::globalContext().setFlushDenormal(true);
#ifdef __GLIBC__
  // A batch's temporaries are some megabytes each, what a stack keeps for its way back may be above
  // the 32 MB that malloc's threshold for fresh pages from the system can be raised to. These pages
  // cost more than the arithmetic: nothing is fetched from the system on its own, or given back.
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
  static const bool reserved = (reserve_room_for_products(), true);
  (void)reserved;
}

}  // namespace bermuda::train
