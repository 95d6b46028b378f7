#pragma once

#include <curl/curl.h>

namespace bermuda {

/// What we call of libcurl. It is loaded at the first call of curl(): linked, it and the libraries
/// behind it would take every command more than half as long again to start.
struct CurlLibrary {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
};

/// Throws Error when it cannot be loaded.
const CurlLibrary& curl();

}  // namespace bermuda
