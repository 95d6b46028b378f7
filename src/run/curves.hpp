#pragma once

#include <span>
#include <string>
#include <string_view>

#include "bermuda/method/method.hpp"

namespace bermuda {

/// Loss and accuracy over the epochs as an SVG picture of two panels: training and validation, the
/// best epoch, and a faint line where the learning rate drops to 60 % or less. Follows the reader's
/// light or dark scheme. best_epoch 0 means the one with the highest validation accuracy, the first
/// of equals. Figures that are not finite leave a gap.
std::string learning_curves_svg(std::span<const EpochRecord> epochs, std::string_view title,
                                int best_epoch = 0);

}  // namespace bermuda
