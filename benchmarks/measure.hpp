#pragma once

#include <sys/resource.h>

#include <ctime>

namespace bermuda::benchmarks {

/// CPU seconds of this process so far, all threads: less shaken by other load than the wall clock.
inline double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Peak resident memory of this process so far, in MB.
inline double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

}  // namespace bermuda::benchmarks
