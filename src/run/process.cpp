#include "bermuda/run/process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <ctime>

namespace bermuda {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

double process_cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  rusage children{};
  ::getrusage(RUSAGE_CHILDREN, &children);
  double seconds = static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  for (const timeval& part : {children.ru_utime, children.ru_stime}) {
    seconds += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  }
  return seconds;
}

}  // namespace bermuda
