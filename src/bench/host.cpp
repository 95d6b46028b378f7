#include "host.hpp"

#include <unistd.h>

#include <array>

namespace bermuda {

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace bermuda
