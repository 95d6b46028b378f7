#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bermuda {

/// Of a method's figures over folds.
struct FoldSummary {
  double mean = 0;
  double deviation = 0;  ///< with n - 1; NaN for one fold
  double low = 0;        ///< 95 % interval of the mean; NaN for one fold
  double high = 0;
};

/// Folds share most of their training graphs, so their figures are not independent: the interval
/// and the test below use the variance of Nadeau and Bengio (2003), (1/k + n_test/n_train) s^2,
/// with Student's t of k - 1 degrees of freedom. `test_share` is n_test / n_train.
FoldSummary summarise_folds(std::span<const double> figures, double test_share);

/// Corrected resampled t test of paired differences over folds, two-sided. NaN for fewer than two,
/// and where all are the same but not 0: such folds say nothing about their variance.
double corrected_t_test(std::span<const double> differences, double test_share);

/// McNemar's test in its exact form, two-sided: of the graphs that one method has right and the
/// other wrong, is the share that is the first one's a half? 1 when there are none.
double mcnemar_test(std::size_t only_first, std::size_t only_second);

/// Holm's correction for testing many: adjusted p values in the order given, NaN left out of the
/// count and kept.
std::vector<double> holm(std::span<const double> p_values);

}  // namespace bermuda
