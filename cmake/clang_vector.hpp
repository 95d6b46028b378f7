// Read before everything else where clang compiles what includes LibTorch. LibTorch uses std::vector<IValue> where
// IValue is only declared. That is fine while the vector's functions are not constexpr; C++20 makes them so, and clang
// then looks into them at once. So: libstdc++'s vector as it is in C++17.
#pragma once

#include <memory>
#include <string>

#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR
// Declared as constexpr by now: std::fill() of a std::vector<bool>, which nobody calls there.
#define __fill_a1 __fill_bits
#include <vector>
#undef __fill_a1
#undef _GLIBCXX20_CONSTEXPR
#define _GLIBCXX20_CONSTEXPR constexpr
