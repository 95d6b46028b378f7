#include "training_watch.hpp"

#include <string_view>

namespace bermuda {
namespace {

thread_local TrainingWatch* current_watch = nullptr;

}  // namespace

TrainingWatch::TrainingWatch(const StopPoll& stop, long most_dots)
    : stop_(stop), dots_left_(most_dots), outer_(current_watch) {
  stop_.now();
  current_watch = this;
}

TrainingWatch::~TrainingWatch() { current_watch = outer_; }

void TrainingWatch::print(const char* text) {
  if (current_watch == nullptr) return;
  current_watch->stop_.now();
  if (std::string_view(text) == "." && --current_watch->dots_left_ < 0) throw TooManyIterations();
}

}  // namespace bermuda
