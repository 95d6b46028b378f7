#include "download.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <exception>
#include <memory>
#include <optional>

#include "address.hpp"
#include "bermuda/core/error.hpp"
#include "bermuda/core/text.hpp"
#include "bermuda/core/version.hpp"
#include "curl.hpp"

namespace bermuda {
namespace {

constexpr long kMostRedirections = 5;
constexpr long kLeastRate = 100;  // bytes per second; less is as good as nothing
constexpr long kNotFound = 404;
constexpr long kGone = 410;
constexpr long kNoSuchRange = 416;
constexpr long kPartialContent = 206;
constexpr std::size_t kUnit = 1024;  // of the progress that is shown

bool same_letters(std::string_view text, std::string_view small) {
  return std::ranges::equal(
      text, small, [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; });
}

/// One attempt. libcurl calls us back from C: exceptions wait in failure_ until it has returned.
class Attempt {
 public:
  Attempt(const std::string& address, PartialFile& file, const FetchOptions& options,
          const Execution& execution)
      : address_(address),
        url_(without_userinfo(address)),
        file_(file),
        options_(options),
        execution_(execution),
        handle_(curl().easy_init(), curl().easy_cleanup),
        headers_(nullptr, curl().slist_free_all) {
    if (!handle_) throw Error("libcurl cannot start");
    set_up();
  }

  /// False when the server does not know the part that was asked for.
  bool run(bool go_on) {
    if (go_on) {
      asked_from_ = file_.size();
      set(CURLOPT_RANGE, fmt::format("{}-", asked_from_).c_str());
      headers_.reset(curl().slist_append(
          nullptr, fmt::format("If-Range: {}", file_.origin().version).c_str()));
      set(CURLOPT_HTTPHEADER, headers_.get());
    }
    const CURLcode code = curl().easy_perform(handle_.get());
    if (failure_) std::rethrow_exception(failure_);
    execution_.check_stop();
    if (code == CURLE_HTTP_RETURNED_ERROR && status() == kNoSuchRange && go_on) return false;
    if (code != CURLE_OK) fail(code);
    if (file_.size() == 0) refuse("nothing");
    if (stage_) stage_->finish();
    return true;
  }

  std::uint64_t resumed() const { return resumed_; }

 private:
  template <typename Value>
  void set(CURLoption option, Value value) {
    const CURLcode code = curl().easy_setopt(handle_.get(), option, value);
    if (code != CURLE_OK) {
      throw Error(fmt::format("libcurl: {}", curl().easy_strerror(code)));
    }
  }

  void set_up() {
    const char* protocols = address_.starts_with("https:") ? "https" : "http,https";
    set(CURLOPT_URL, address_.c_str());
    set(CURLOPT_PROTOCOLS_STR, protocols);
    set(CURLOPT_REDIR_PROTOCOLS_STR, protocols);
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, kMostRedirections);
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    if (!options_.ca_file.empty()) set(CURLOPT_CAINFO, options_.ca_file.c_str());
    set(CURLOPT_FAILONERROR, 1L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_CONNECTTIMEOUT, static_cast<long>(options_.patience));
    set(CURLOPT_LOW_SPEED_LIMIT, kLeastRate);
    set(CURLOPT_LOW_SPEED_TIME, static_cast<long>(options_.patience));
    const std::string agent = fmt::format("bermuda/{}", kVersion);
    set(CURLOPT_USERAGENT, agent.c_str());
    set(CURLOPT_ERRORBUFFER, message_.data());
    set(CURLOPT_HEADERFUNCTION, &Attempt::take_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &Attempt::take_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &Attempt::look_up);
    set(CURLOPT_XFERINFODATA, this);
  }

  static std::size_t take_header(char* text, std::size_t, std::size_t size, void* self) {
    return static_cast<Attempt*>(self)->guarded([&](Attempt& one) {
      one.header({text, size});
      return size;
    });
  }

  static std::size_t take_body(char* bytes, std::size_t, std::size_t size, void* self) {
    return static_cast<Attempt*>(self)->guarded([&](Attempt& one) {
      one.body({bytes, size});
      return size;
    });
  }

  // About once per second, whatever the network does.
  static int look_up(void* self, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    const Execution& execution = static_cast<Attempt*>(self)->execution_;
    return execution.stop != nullptr && execution.stop->load() ? 1 : 0;
  }

  /// 0 makes libcurl end the transfer.
  template <typename Body>
  std::size_t guarded(const Body& body) {
    try {
      return body(*this);
    } catch (...) {
      failure_ = std::current_exception();
      return 0;
    }
  }

  void header(std::string_view line) {
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    if (line.starts_with("HTTP/")) {  // of each answer on the way: the last one counts
      tag_.clear();
      changed_.clear();
      range_.clear();
      return;
    }
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return;
    const std::string_view name = line.substr(0, colon);
    const std::string value(trimmed(line.substr(colon + 1)));
    if (same_letters(name, "etag") && !value.starts_with("W/")) tag_ = value;
    if (same_letters(name, "last-modified")) changed_ = value;
    if (same_letters(name, "content-range")) range_ = value;
  }

  void body(std::string_view bytes) {
    if (!begun_) begin();
    if (file_.size() + bytes.size() > options_.max_bytes) {
      file_.discard();
      throw InputError(url_, 0, fmt::format("more than {} bytes", options_.max_bytes),
                       "a smaller archive (--max-megabytes)");
    }
    file_.append(bytes);
    if (file_.size() >= 2 && !looked_) {
      looked_ = true;
      const std::string start = file_.content().substr(0, 2);
      if (start != "PK") refuse("no zip archive");
    }
    shown_ += bytes.size();
    if (stage_) {
      stage_->advance(shown_ / kUnit);
      shown_ %= kUnit;
    }
  }

  /// At the first byte of the body, when it is known what it is.
  void begin() {
    begun_ = true;
    if (status() == kPartialContent) {
      if (asked_from_ == 0 || !range_.starts_with(fmt::format("bytes {}-", asked_from_))) {
        file_.discard();
        throw Error(fmt::format("{}: the server sent another part than it was asked for", url_));
      }
      resumed_ = asked_from_;
      looked_ = true;
    } else {
      file_.start({url_, tag_.empty() ? changed_ : tag_});
    }
    curl_off_t length = -1;
    curl().easy_getinfo(handle_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length > 0 && file_.size() + static_cast<std::uint64_t>(length) > options_.max_bytes) {
      file_.discard();
      throw InputError(url_, 0, fmt::format("{} bytes", length),
                       fmt::format("{} at most (--max-megabytes)", options_.max_bytes));
    }
    const auto units = static_cast<std::size_t>(std::max<curl_off_t>(length, 0)) / kUnit;
    stage_.emplace(execution_, "download, kB", units);
  }

  long status() {
    long code = 0;
    curl().easy_getinfo(handle_.get(), CURLINFO_RESPONSE_CODE, &code);
    return code;
  }

  [[noreturn]] void refuse(const std::string& found) {
    file_.discard();
    throw InputError(url_, 0, found, "the zip archive of a data set");
  }

  [[noreturn]] void fail(CURLcode code) {
    if (code == CURLE_HTTP_RETURNED_ERROR) {
      const long answer = status();
      const std::string text = fmt::format("{}: the server answers {}", url_, answer);
      if (answer == kNotFound || answer == kGone) {
        throw UsageError(text + ", it has no such data set");
      }
      throw Error(text);
    }
    const std::string kept =
        file_.size() == 0
            ? ""
            : fmt::format("; {} bytes are kept, the same command goes on", file_.size());
    if (code == CURLE_OPERATION_TIMEDOUT) {
      throw Error(fmt::format("{}: nothing came for {} s{}", url_, options_.patience, kept));
    }
    if (code == CURLE_PARTIAL_FILE) {
      throw Error(fmt::format("{}: the server ended before all had come{}", url_, kept));
    }
    const char* why = message_[0] == '\0' ? curl().easy_strerror(code) : message_.data();
    throw Error(fmt::format("{}: {}{}", url_, why, kept));
  }

  const std::string& address_;  // for the server alone: a password may stand in it
  const std::string url_;       // what is told and kept
  PartialFile& file_;
  const FetchOptions& options_;
  const Execution& execution_;
  std::array<char, CURL_ERROR_SIZE> message_{};
  std::unique_ptr<CURL, decltype(&::curl_easy_cleanup)> handle_;
  std::unique_ptr<curl_slist, decltype(&::curl_slist_free_all)> headers_;
  std::exception_ptr failure_;
  std::optional<Stage> stage_;
  std::string tag_;
  std::string changed_;
  std::string range_;
  std::uint64_t asked_from_ = 0;
  std::uint64_t resumed_ = 0;
  std::size_t shown_ = 0;
  bool begun_ = false;
  bool looked_ = false;  // whether it begins as a zip archive
};

}  // namespace

std::uint64_t download(const std::string& address, PartialFile& file, const FetchOptions& options,
                       const Execution& execution) {
  const bool go_on = file.size() > 0 && file.origin().url == without_userinfo(address) &&
                     !file.origin().version.empty();
  if (go_on) {
    Attempt attempt(address, file, options, execution);
    if (attempt.run(true)) return attempt.resumed();
  }
  Attempt attempt(address, file, options, execution);
  attempt.run(false);
  return 0;
}

}  // namespace bermuda
