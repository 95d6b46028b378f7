#include "curl.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

constexpr const char* kCurl = "libcurl.so.4";

template <typename Function>
void find(void* library, const char* name, Function& function) {
  void* found = ::dlsym(library, name);
  if (found == nullptr) throw Error(fmt::format("{} has no {}", kCurl, name));
  function = reinterpret_cast<Function>(found);
}

CurlLibrary load() {
  void* library = ::dlopen(kCurl, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    throw Error(
        fmt::format("libcurl cannot be loaded ({}); Debian's package is libcurl4", ::dlerror()));
  }
  CurlLibrary made{};
  find(library, "curl_global_init", made.global_init);
  find(library, "curl_easy_init", made.easy_init);
  find(library, "curl_easy_setopt", made.easy_setopt);
  find(library, "curl_easy_perform", made.easy_perform);
  find(library, "curl_easy_getinfo", made.easy_getinfo);
  find(library, "curl_easy_strerror", made.easy_strerror);
  find(library, "curl_easy_cleanup", made.easy_cleanup);
  find(library, "curl_slist_append", made.slist_append);
  find(library, "curl_slist_free_all", made.slist_free_all);
  if (made.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) throw Error("libcurl cannot start");
  return made;
}

}  // namespace

const CurlLibrary& curl() {
  static const CurlLibrary library = load();
  return library;
}

}  // namespace bermuda
