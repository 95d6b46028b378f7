#pragma once

#include <set>
#include <string>

#include "bermuda/core/error.hpp"
#include "bermuda/kernel/register.hpp"
#include "bermuda/method/method.hpp"
#include "bermuda/run/journal.hpp"
#ifdef BERMUDA_FUZZ_NEURAL
#include "register.hpp"  // of src/train
#endif

namespace bermuda::fuzz {

/// Those of the program itself and, where they are built, the networks.
inline const MethodRegistry& all_methods() {
  static const MethodRegistry registry = [] {
    MethodRegistry made;
    register_kernel_methods(made);
#ifdef BERMUDA_FUZZ_NEURAL
    train::register_neural_methods(made);
#endif
    return made;
  }();
  return registry;
}

/// Two epochs, and small enough for many runs per second.
inline void make_small(Method& method) {
  static const std::vector<std::pair<std::string, std::string>> kSmall = {
      {"max-epochs", "2"}, {"trial-epochs", "1"}, {"epochs", "2"},    {"layers", "2"},
      {"width", "4"},      {"heads", "2"},        {"hidden", "4"},    {"head-size", "2"},
      {"embedding", "2"},  {"samples", "20"},     {"costs", "0.1,10"}};
  const ParameterSet parameters = method.parameters();
  for (const auto& [name, value] : kSmall) {
    for (const Parameter& parameter : parameters.all()) {
      if (parameter.name == name) parameter.set(value);
    }
  }
}

/// Keeps the last checkpoint, and can begin with one.
class MemoryJournal : public RunJournal {
 public:
  explicit MemoryJournal(std::string state = {})
      : RunJournal({}, std::chrono::milliseconds(0), std::chrono::milliseconds(0)) {
    Checkpoint stored;
    stored.state = std::move(state);
    take_up(std::move(stored));
  }

 private:
  void write(const Checkpoint&, std::span<const EpochRecord>) override {}
};

}  // namespace bermuda::fuzz
