#include "bermuda/core/execution.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "bermuda/core/error.hpp"
#include "bermuda/core/team.hpp"

namespace bermuda {

bool Execution::in_charge() const { return team == nullptr || team->in_charge(); }

void Execution::check_stop() const {
  if (stop != nullptr && stop->load(std::memory_order_relaxed)) throw Interrupted();
}

Stage::Stage(const Execution& execution, std::string_view what, std::size_t total)
    : progress_(execution.progress) {
  if (progress_ != nullptr) progress_->begin(what, total);
}

Stage::~Stage() {
  if (progress_ != nullptr) progress_->end();
}

void Stage::advance(std::size_t done) const {
  if (progress_ != nullptr) progress_->advance(done);
}

void Stage::status(std::string_view text) const {
  if (progress_ != nullptr) progress_->status(text);
}

void Stage::finish() const {
  if (progress_ != nullptr) progress_->finish();
}

void parallel_for(const Execution& execution, std::size_t count, std::size_t chunk,
                  const std::function<void(std::size_t, std::size_t)>& body) {
  chunk = std::max<std::size_t>(chunk, 1);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  std::mutex failure_mutex;

  const auto work = [&] {
    while (!failed.load(std::memory_order_relaxed)) {
      const std::size_t begin = next.fetch_add(chunk);
      if (begin >= count) return;
      try {
        execution.check_stop();
        body(begin, std::min(begin + chunk, count));
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (!failure) failure = std::current_exception();
        failed = true;
      }
    }
  };

  const std::size_t chunks = (count + chunk - 1) / chunk;
  const std::size_t helpers =
      std::min<std::size_t>(static_cast<std::size_t>(std::max(execution.threads, 1)), chunks);
  {
    std::vector<std::jthread> threads;
    try {
      for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
    } catch (const std::system_error&) {
      // The system gives no more threads: those that there are do the work.
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bermuda
