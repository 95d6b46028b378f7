#pragma once

#include <array>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// The numbers of an epoch beside its own, and what the store calls them.
struct CurveColumn {
  const char* name;
  double EpochRecord::*field;
};

inline constexpr std::array<CurveColumn, 6> kCurveColumns = {{
    {"learning_rate", &EpochRecord::learning_rate},
    {"train_loss", &EpochRecord::train_loss},
    {"train_accuracy", &EpochRecord::train_accuracy},
    {"validation_loss", &EpochRecord::validation_loss},
    {"validation_accuracy", &EpochRecord::validation_accuracy},
    {"seconds", &EpochRecord::seconds},
}};

}  // namespace bermuda
