#include "bermuda/nn/operator_stop.hpp"

#include <utility>

namespace bermuda::nn {
namespace {

// LibTorch goes the way back on the thread that asked for it.
thread_local StopPoll stop_of_operators;

}  // namespace

OperatorStop::OperatorStop(StopPoll stop) : before_(std::exchange(stop_of_operators, stop)) {}

OperatorStop::~OperatorStop() { stop_of_operators = before_; }

StopPoll OperatorStop::current() { return stop_of_operators; }

}  // namespace bermuda::nn
