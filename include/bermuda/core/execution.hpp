#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <string_view>

namespace bermuda {

class Team;

/// Told how far a long piece of work has come. Called from any thread, often: must be cheap.
class ProgressSink {
 public:
  virtual ~ProgressSink() = default;
  virtual void begin(std::string_view what, std::size_t total) = 0;
  virtual void advance(std::size_t done) = 0;
  /// How the work is going, e.g. "epoch 12, loss 0.69"; replaces what was said before.
  virtual void status(std::string_view /*text*/) {}
  /// The work is complete, though there was less of it than begin() announced.
  virtual void finish() {}
  virtual void end() = 0;
};

/// How to run a long piece of work: how many threads, whom to tell, whether to stop, and which
/// ranks share it. A default-made one is single-threaded, silent and alone.
struct Execution {
  int threads = 1;
  ProgressSink* progress = nullptr;
  const std::atomic<bool>* stop = nullptr;
  /// Ranks that share the work; null: this process alone. Functions that do share it say so: all
  /// ranks call them, rank 0 gives what there is to work on and gets the result. The others pass it
  /// over.
  Team* team = nullptr;

  /// Rank 0 of its team, or alone.
  bool in_charge() const;
  /// Throws Interrupted when the user asked to stop.
  void check_stop() const;
};

/// Announces a stage for as long as it lives.
class Stage {
 public:
  Stage(const Execution& execution, std::string_view what, std::size_t total);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;
  void advance(std::size_t done) const;
  void status(std::string_view text) const;  ///< for people: how it is going
  void finish() const;  ///< complete before the total was reached; without it that is a failure

 private:
  ProgressSink* progress_;
};

/// Calls body(begin, end) for chunks that cover 0..count-1, on execution.threads threads.
/// Which thread takes which chunk is free, so a body must write only to places that belong to its
/// own items. The first exception of a body stops the rest and is thrown again here.
void parallel_for(const Execution& execution, std::size_t count, std::size_t chunk,
                  const std::function<void(std::size_t, std::size_t)>& body);

}  // namespace bermuda
