#pragma once

#include <cstddef>

namespace bermuda::nn {

/// Plain functions on arrays, vectorised for the machine they run on (Highway's run-time dispatch).
/// Matrices are dense and row by row. Each works on the rows begin..end-1 of its output, so that a
/// caller may share the rows between threads; nothing is allocated, nothing is checked.
/// operators.hpp wraps them for autograd; reference.hpp says the same in LibTorch's own operators.
struct Rows {
  int begin = 0;
  int end = 0;
};

enum class Activation { kNone, kRelu, kElu };

/// Which source rows each target row takes: entries offsets[t] .. offsets[t + 1] of sources.
/// Without offsets, target t takes the one source t.
struct RowLists {
  const int* offsets = nullptr;
  const int* sources = nullptr;
};

/// y[t] = sum over t's entries e of weights[e] x[sources[e]], plus self_weight times the sum of x
/// over t's own entries. Without weights each is 1; without self_weight there is no second sum.
/// With `average` the weights of a target are known to add up to 1 (and there is no second sum):
/// then x_1 + sum of weight (x_e - x_1) gives the mean of equal rows exactly, which matters where a
/// batch normalisation would blow up what rounding leaves of no difference at all. With `add` the
/// sum is added to y (not with `average`). Row t of y is at y[t - first_row].
template <typename T>
struct AggregateArgs {
  RowLists entries = {};
  const float* weights = nullptr;
  RowLists own = {};
  const T* self_weight = nullptr;
  const T* x = nullptr;
  T* y = nullptr;
  int width = 0;
  bool average = false;
  bool add = false;
  int first_row = 0;
};
void aggregate(const AggregateArgs<float>& args, Rows rows);
void aggregate(const AggregateArgs<double>& args, Rows rows);

/// Sums for a batch normalisation over rows that stand for multiplicity[r] nodes each (1 where
/// absent): first[c] += m (z - shift[c]), second[c] += m (z - shift[c])^2. Shifting by any row
/// keeps the variance exact where all rows are equal.
template <typename T>
struct ColumnSumArgs {
  const T* z = nullptr;
  const float* multiplicity = nullptr;
  const T* shift = nullptr;
  T* first = nullptr;
  T* second = nullptr;
  int width = 0;
};
void column_sums(const ColumnSumArgs<float>& args, Rows rows);
void column_sums(const ColumnSumArgs<double>& args, Rows rows);

/// y = activation(gain (z - mean) + offset) + residual[parent]; gain holds weight / deviation.
/// Without residual nothing is added; without parent row r adds row r.
template <typename T>
struct NormaliseArgs {
  const T* z = nullptr;
  const T* mean = nullptr;
  const T* gain = nullptr;
  const T* offset = nullptr;
  const T* residual = nullptr;
  const int* parent = nullptr;
  T* y = nullptr;
  int width = 0;
  Activation activation = Activation::kNone;
};
void normalise(const NormaliseArgs<float>& args, Rows rows);
void normalise(const NormaliseArgs<double>& args, Rows rows);

/// The way back through normalise(). With g = dy activation'(...):
/// normalise_sums: first[c] += g, second[c] += g (z - mean), and dz = g for the time being.
/// normalise_back: dz = gain (dz - m (mean_g + (z - mean) slope)), where the caller has set
/// mean_g = sum g / N and slope = sum g (z - mean) / (N variance); both 0 outside training.
template <typename T>
struct NormaliseBackArgs {
  const T* z = nullptr;
  const T* dy = nullptr;
  const T* mean = nullptr;
  const T* gain = nullptr;
  const T* offset = nullptr;
  const float* multiplicity = nullptr;
  T* first = nullptr;
  T* second = nullptr;
  const T* mean_g = nullptr;
  const T* slope = nullptr;
  T* dz = nullptr;
  int width = 0;
  Activation activation = Activation::kNone;
};
void normalise_sums(const NormaliseBackArgs<float>& args, Rows rows);
void normalise_sums(const NormaliseBackArgs<double>& args, Rows rows);
void normalise_back(const NormaliseBackArgs<float>& args, Rows rows);
void normalise_back(const NormaliseBackArgs<double>& args, Rows rows);

/// Memory that whoever comes next will touch. A product fetches it into the caches bit by bit,
/// while arithmetic keeps the processor busy and memory idle.
struct Ahead {
  const void* begin = nullptr;
  std::size_t bytes = 0;
};
constexpr int kMostAhead = 4;

/// y = x w + plus over some rows: x [rows, width], of which the first `inner` columns count, w
/// [inner, width], of which the first `columns` do. Without `plus` nothing is added; it may be y.
/// What rows have beyond these columns is zero, in y too, and width a multiple of kHeadLanes.
template <typename T>
struct ProductArgs {
  const T* x = nullptr;
  const T* w = nullptr;
  const T* plus = nullptr;
  T* y = nullptr;
  int inner = 0;
  int columns = 0;
  int width = 0;
  Ahead ahead[kMostAhead] = {};
};
void product(const ProductArgs<float>& args, Rows rows);
void product(const ProductArgs<double>& args, Rows rows);

/// Sum of a b over `count` numbers.
float dot(const float* a, const float* b, int count);
double dot(const double* a, const double* b, int count);

/// sums [inner, width] += sum over rows of x[row] (outer) y[row]; of x the first `inner` columns
/// count, of y the first `columns`, as above.
template <typename T>
struct OuterArgs {
  const T* x = nullptr;
  const T* y = nullptr;
  T* sums = nullptr;
  int inner = 0;
  int columns = 0;
  int width = 0;
  Ahead ahead[kMostAhead] = {};
};
void add_outer(const OuterArgs<float>& args, Rows rows);
void add_outer(const OuterArgs<double>& args, Rows rows);

/// How the columns of a row belong to heads: column c is of head c % heads, so that no sum runs
/// across lanes. `heads` divides, or is a multiple of, kHeadLanes; a table of one number per head
/// has its numbers repeated until there are period() of them.
struct HeadShape {
  static constexpr int kHeadLanes = 16;  ///< as many numbers as the longest vector has
  int heads = 1;
  int width = 1;  ///< of a row, a multiple of heads
  int period() const { return heads < kHeadLanes ? kHeadLanes : heads; }
};

/// Additive attention of GAT (Velickovic et al. 2018). Scores and shares of an entry are rows of
/// period() numbers.
///
/// attention_scores: source_scores[r, h] = sum of z[r, c] source[c] over the columns c of head h;
/// target likewise.
/// attend: for target t and its entries e: a = leaky(source_scores[sources[e]] +
/// target_scores[parent[t]]), alpha[e] = weights[e] exp(a) / sum, y[t] = sum alpha[e]
/// z[sources[e]]. A target without entries gets zero.
template <typename T>
struct AttentionArgs {
  HeadShape shape = {};
  const T* z = nullptr;
  const T* source = nullptr;
  const T* target = nullptr;
  T* source_scores = nullptr;
  T* target_scores = nullptr;
  RowLists entries = {};
  const float* weights = nullptr;
  const int* parent = nullptr;
  T* alpha = nullptr;
  T* y = nullptr;
  T slope = T(0.2);
};
void attention_scores(const AttentionArgs<float>& args, Rows rows);
void attention_scores(const AttentionArgs<double>& args, Rows rows);
void attend(const AttentionArgs<float>& args, Rows rows);
void attend(const AttentionArgs<double>& args, Rows rows);

/// The way back. attend_back_entries, over targets: d_entry[e] = dL/d(score of entry e) and
/// d_target[t] = their sum. attend_back_sources, over sources s with their lists of (target, entry)
/// and the targets whose parent they are (children):
/// dz[s] = sum alpha[e] dy[target] + (sum d_entry) source + (sum over children d_target) target;
/// d_source_vector[c] += (sum d_entry) z[s, c]; d_target_vector likewise. Rows of dz begin at
/// `first_row`.
template <typename T>
struct AttentionBackArgs {
  HeadShape shape = {};
  const T* z = nullptr;
  const T* dy = nullptr;
  const T* source = nullptr;
  const T* target = nullptr;
  const T* source_scores = nullptr;
  const T* target_scores = nullptr;
  const T* alpha = nullptr;
  RowLists entries = {};
  const int* parent = nullptr;
  RowLists uses = {};                ///< of each source: targets
  const int* use_entries = nullptr;  ///< of each source: entries, parallel to uses.sources
  RowLists children = {};
  T* d_entry = nullptr;
  T* d_target = nullptr;
  T* dz = nullptr;
  T* d_source_vector = nullptr;
  T* d_target_vector = nullptr;
  T slope = T(0.2);
  int first_row = 0;
};
void attend_back_entries(const AttentionBackArgs<float>& args, Rows rows);
void attend_back_entries(const AttentionBackArgs<double>& args, Rows rows);
void attend_back_sources(const AttentionBackArgs<float>& args, Rows rows);
void attend_back_sources(const AttentionBackArgs<double>& args, Rows rows);

/// One step of Adam (Kingma and Ba 2015) over all parameters of a model laid end to end.
template <typename T>
struct AdamArgs {
  T* parameters = nullptr;
  const T* gradients = nullptr;
  T* first = nullptr;
  T* second = nullptr;
  T learning_rate = T(1e-3);
  T beta1 = T(0.9);
  T beta2 = T(0.999);
  T epsilon = T(1e-8);
  T weight_decay = 0;  ///< added to the gradient, times the weight
  T shrink = 1;        ///< what a weight is multiplied with, outside of Adam
  T correction1 = 1;   ///< 1 - beta1^step
  T correction2 = 1;   ///< sqrt(1 - beta2^step)
};
void adam_step(const AdamArgs<float>& args, std::size_t count);
void adam_step(const AdamArgs<double>& args, std::size_t count);

}  // namespace bermuda::nn
