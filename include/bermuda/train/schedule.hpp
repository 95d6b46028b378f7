#pragma once

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

}  // namespace bermuda::train
