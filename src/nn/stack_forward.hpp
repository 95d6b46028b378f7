#pragma once

#include "stack_run.hpp"

namespace bermuda::nn::fused {

/// The way there. In training a step's barrier is its normalisation, which wants to know all rows
/// before it changes any: so a sweep makes the rows of x out of the z of the step before,
/// multiplies them, and spreads what has been said, each as soon as it can. Otherwise a
/// normalisation is known beforehand, and rows are made as soon as they have heard everything.
template <typename T>
class StackForward : StackRun<T> {
 public:
  using StackRun<T>::StackRun;

  /// `given` [rows, width] are the first vectors; after_step(s) is called when x(s + 1), its
  /// result, is complete. `statistics(s, mean, variance)` gets those of a batch in training.
  template <class AfterStep, class Statistics>
  void run(const T* given, const AfterStep& after_step, const Statistics& statistics) {
    const ColumnLayout& columns = plan_.columns;
    const int rows = step(0).input_rows;
    std::fill_n(x(0), row(rows), T(0));
    for (int r = 0; r < rows; ++r) columns.pack(given + at(r) * at(columns.width()), x(0) + row(r));
    after_step(-1, x(0));
    const int steps = plan_.steps_count();
    for (int s = 0; s < steps; ++s) {
      sweep(s, statistics);
      if (!plan_.training) after_step(s, x(s + 1));
      if (plan_.training && s > 0) after_step(s - 1, x(s));
    }
    if (!plan_.training) return;
    const int last = step(steps - 1).level.rows;
    this->each(block_count(last),
               [&](int block) { make_rows(steps - 1, block_rows(block, last)); });
    after_step(steps - 1, x(steps));
  }

 private:
  using StackRun<T>::plan_;
  using StackRun<T>::stride_;
  using StackRun<T>::x;
  using StackRun<T>::y;
  using StackRun<T>::z;
  using StackRun<T>::step;
  using StackRun<T>::row;
  using StackRun<T>::numbers;
  using BlockSums = typename StackRun<T>::BlockSums;

  /// x(s + 1) = mask (activation(norm(z(s))) + residual).
  void make_rows(int s, Rows rows) const {
    const StepPlan& plan = step(s);
    const NormaliseArgs<T> args{.z = z(s),
                                .mean = this->mean(s),
                                .gain = this->gain(s),
                                .offset = numbers(s).norm_bias,
                                .residual = plan.residual ? x(plan.layer) : nullptr,
                                .parent = plan.level.parent(),
                                .y = x(s + 1),
                                .width = stride_,
                                .activation = plan.activation};
    normalise(args, rows);
    this->apply_mask(plan.mask, x(s + 1), rows);
  }

  AttentionArgs<T> attention(int s) const {
    const StepPlan& plan = step(s);
    const Relation& relation = *plan.level.neighbours;
    return {.shape = this->heads(s),
            .z = y(s),
            .source = numbers(s).source,
            .target = numbers(s).target,
            .source_scores = this->source_scores(s),
            .target_scores = this->target_scores(s),
            .entries = relation.lists(),
            .weights = this->weights_of(relation.weights),
            .parent = plan.level.parent(),
            .alpha = this->alpha(s),
            .y = z(s),
            .slope = static_cast<T>(plan.slope)};
  }

  void spread(int s, Rows rows) const {
    const StepPlan& plan = step(s);
    if (plan.spread == Spread::kAttention) return attend(attention(s), rows);
    const Relation& relation = *plan.level.neighbours;
    const bool with_self = plan.spread == Spread::kSumWithSelf;
    const AggregateArgs<T> args{.entries = relation.lists(),
                                .weights = this->weights_of(relation.weights),
                                .own = plan.level.own_lists(),
                                .self_weight = with_self ? &numbers(s).self : nullptr,
                                .x = y(s),
                                .y = z(s),
                                .width = stride_,
                                .average = relation.average};
    aggregate(args, rows);
  }

  /// What rows hear, and outside training what they become, a few at a time: these are still in the
  /// first-level cache.
  void hear(int s, Rows rows) const {
    const bool spreads = step(s).spread != Spread::kNone;
    if (plan_.training) {
      if (spreads) spread(s, rows);
      return;
    }
    const int at_once = spreads ? 16 : rows.end - rows.begin;
    for (int begin = rows.begin; begin < rows.end; begin += at_once) {
      const Rows part{begin, std::min(begin + at_once, rows.end)};
      if (spreads) spread(s, part);
      make_rows(s, part);
    }
  }

  /// What the next block of the sweep, or the first one of the next sweep, will touch.
  void look_ahead(int s, int block, int next_target, Ahead* ahead) const {
    const bool again = block + 1 < block_count(step(s).input_rows);
    if (!plan_.training) {
      const Rows targets = block_rows(next_target, step(s).level.rows);
      ahead[0] = again ? this->rows_ahead(x(s), block_rows(block + 1, step(s).input_rows))
                       : this->rows_ahead(x(s + 1), block_rows(0, step(s).level.rows));
      ahead[1] = this->rows_ahead(z(s), targets);
      const bool same_rows = step(s).residual && step(s).layer != s;
      if (same_rows && !step(s).level.own) ahead[2] = this->rows_ahead(x(step(s).layer), targets);
      return;
    }
    const int from = again ? s - 1 : s;  // whose rows are made next
    if (from < 0) return;
    const Rows rows = block_rows(again ? block + 1 : 0, step(from).level.rows);
    ahead[0] = this->rows_ahead(z(from), rows);
    ahead[1] = this->rows_ahead(x(from + 1), rows);
    const bool same_rows = step(from).residual && !step(from).level.own;
    if (same_rows) ahead[2] = this->rows_ahead(x(step(from).layer), rows);
    ahead[3] = this->rows_ahead(z(s), block_rows(next_target, step(s).level.rows));
  }

  template <class Statistics>
  void sweep(int s, const Statistics& statistics) const {
    const StepPlan& plan = step(s);
    const int sources = block_count(plan.input_rows);
    const int targets = block_count(plan.level.rows);
    const bool spreads = plan.spread != Spread::kNone;
    if (!plan_.training) set_constants(s);
    int done = 0;  // targets, where there is an order to keep to
    const auto say = [&](int block) {
      const Rows rows = block_rows(block, plan.input_rows);
      if (plan_.training && s > 0) make_rows(s - 1, rows);
      ProductArgs<T> args{.x = x(s),
                          .w = numbers(s).weight,
                          .y = y(s),
                          .inner = plan_.columns.used(),
                          .columns = plan_.columns.used(),
                          .width = stride_};
      look_ahead(s, block, done, args.ahead);
      product(args, rows);
      if (plan.spread == Spread::kAttention) attention_scores(attention(s), rows);
    };
    const auto listen = [&](int block) { hear(s, block_rows(block, plan.level.rows)); };
    const BlockSums sums(plan_.training ? targets : 0, 2 * stride_);
    const auto add_up = [&](int block) {
      if (!plan_.training) return;
      const ColumnSumArgs<T> args{.z = z(s),
                                  .multiplicity = plan.level.multiplicities(),
                                  .shift = z(s),
                                  .first = sums.of(block),
                                  .second = sums.of(block) + stride_,
                                  .width = stride_};
      column_sums(args, block_rows(block, plan.level.rows));
    };
    if (this->alone()) {
      const StopPoll stop = OperatorStop::current();
      for (int block = 0; block < sources; ++block) {
        stop.now();
        say(block);
        const int ready = spreads ? plan.order->ready[at(block)] : block + 1;
        for (; done < ready; ++done) {
          listen(done);
          add_up(done);
        }
      }
    } else {
      this->each(sources, say);
      this->each(targets, listen);
      this->each(targets, add_up);
    }
    if (!plan_.training) return;
    if (plan.level.rows == 0) return set_constants(s);
    set_constants(s, sums.total(), statistics);
  }

  /// What norm(z) needs to know, of the batch.
  template <class Statistics>
  void set_constants(int s, const std::vector<double>& sums, const Statistics& statistics) const {
    const StepPlan& plan = step(s);
    const std::size_t width = at(stride_);
    std::vector<double> variances(width);
    for (std::size_t c = 0; c < width; ++c) {
      const double first = sums[c] / plan.nodes;
      variances[c] = std::max(0.0, sums[width + c] / plan.nodes - first * first);
      this->mean(s)[c] = static_cast<T>(static_cast<double>(z(s)[c]) + first);
      this->deviation(s)[c] = static_cast<T>(1 / std::sqrt(variances[c] + numbers(s).epsilon));
    }
    statistics(s, this->mean(s), variances);
    set_gain(s);
  }

  /// The same, of what training has left.
  void set_constants(int s) const {
    const StepNumbers<T>& given = numbers(s);
    for (std::size_t c = 0; c < at(stride_); ++c) {
      this->mean(s)[c] = given.running_mean[c];
      this->deviation(s)[c] = static_cast<T>(
          1 / std::sqrt(static_cast<double>(given.running_variance[c]) + given.epsilon));
    }
    set_gain(s);
  }

  void set_gain(int s) const {
    for (std::size_t c = 0; c < at(stride_); ++c) {
      this->gain(s)[c] = numbers(s).norm_weight[c] * this->deviation(s)[c];
    }
  }
};

}  // namespace bermuda::nn::fused
