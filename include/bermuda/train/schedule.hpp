#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace bermuda::train {

/// Lowers the learning rate when the validation loss has not improved for more than `patience`
/// epochs; better means lower by a relative 1e-4. (LibTorch's ReduceLROnPlateau.)
struct PlateauSchedule {
  double rate = 1e-3;
  double factor = 0.5;
  int patience = 10;

  double best = 1e300;
  int bad_epochs = 0;

  void observe(double validation_loss) {
    constexpr double kBetter = 1 - 1e-4;
    if (validation_loss < best * kBetter) {
      best = validation_loss;
      bad_epochs = 0;
    } else if (++bad_epochs > patience) {
      rate *= factor;
      bad_epochs = 0;
    }
  }
};

/// A linear rise over the first steps, then half a cosine down to zero at the end.
struct CosineSchedule {
  double highest = 1e-3;
  std::int64_t warm_up = 200;
  std::int64_t steps = 1;

  /// Of step 0, 1, ...
  double rate(std::int64_t step) const {
    const auto now = static_cast<double>(step);
    const double risen = warm_up > 0 ? (now + 1) / static_cast<double>(warm_up) : 1;
    const double done =
        std::clamp(now / static_cast<double>(std::max<std::int64_t>(steps, 1)), 0.0, 1.0);
    return highest * std::min(1.0, risen) * (1 + std::cos(std::numbers::pi * done)) / 2;
  }
};

}  // namespace bermuda::train
