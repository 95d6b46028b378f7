#pragma once

#include <array>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// A figure of an epoch: what files, stores and reports call it and how a table writes it.
struct EpochColumn {
  const char* name;
  double EpochRecord::*field;
  const char* format = "{:.6g}";
  bool charted = true;  ///< whether the report's page draws it
};

/// All of them but the epoch's own number, which comes first everywhere. Tables, JSON, the store's
/// SQL and checkpoints follow from this list: one more column is one more line, and, for stores
/// that exist, another Store::kVersion.
inline constexpr std::array<EpochColumn, 6> kEpochColumns = {{
    {"learning_rate", &EpochRecord::learning_rate, "{:.6g}", false},
    {"train_loss", &EpochRecord::train_loss},
    {"train_accuracy", &EpochRecord::train_accuracy},
    {"validation_loss", &EpochRecord::validation_loss},
    {"validation_accuracy", &EpochRecord::validation_accuracy},
    {"seconds", &EpochRecord::seconds, "{:.3f}", false},
}};

}  // namespace bermuda
