#pragma once

#include <span>

namespace bermuda {

/// F1 of one class: 2 hits / (actual + claimed); 0 when the class neither occurs nor is claimed.
double class_f1(std::span<const int> truth, std::span<const int> predicted, int label);
/// Mean F1 over the classes that occur.
double macro_f1(std::span<const int> truth, std::span<const int> predicted, int classes);

}  // namespace bermuda
