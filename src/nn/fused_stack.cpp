#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <torch/csrc/autograd/function.h>

#include "fused.hpp"
#include "stack_back.hpp"
#include "stack_forward.hpp"

namespace bermuda::nn::fused {
namespace {

/// The parameters of a step, in the order in which autograd hears of them.
std::vector<const torch::Tensor*> parameters_of(const StackStep& step) {
  std::vector<const torch::Tensor*> all = {&step.weight, &step.norm.weight, &step.norm.bias};
  if (step.spread == Spread::kSumWithSelf) all.push_back(&step.eps);
  if (step.spread == Spread::kAttention) {
    all.push_back(&step.source);
    all.push_back(&step.target);
  }
  return all;
}

/// Parameters of all steps in a stack's padded columns.
template <typename T>
class PackedSteps {
 public:
  PackedSteps(const StackPlan& plan, const std::vector<StackStep>& steps, bool for_way_back)
      : columns_(plan.columns) {
    const std::size_t stride = at(columns_.stride());
    const std::size_t matrix = at(columns_.used()) * stride;
    room_ = Buffer<T>(steps.size() * (matrix + 6 * stride));
    T* next = room_.data();
    const auto row = [&](const torch::Tensor& values) {
      T* packed = next;
      next += stride;
      std::fill_n(packed, stride, T(0));
      if (values.defined()) columns_.pack(values.data_ptr<T>(), packed);
      return packed;
    };
    for (const StackStep& step : steps) {
      StepNumbers<T> numbers{.norm_weight = row(step.norm.weight),
                             .norm_bias = row(step.norm.bias),
                             .source = row(step.source),
                             .target = row(step.target),
                             .epsilon = step.norm.epsilon,
                             .running_mean = row(step.norm.running_mean),
                             .running_variance = row(step.norm.running_variance)};
      if (step.eps.defined()) numbers.self = 1 + *step.eps.data_ptr<T>();
      const T* weight = step.weight.data_ptr<T>();
      if (for_way_back) {
        numbers.back = next;
        copy(weight, next);
      } else {
        numbers.weight = next;
        transpose(weight, next);
      }
      next += matrix;
      all_.push_back(numbers);
    }
  }
  const std::vector<StepNumbers<T>>& steps() const { return all_; }

 private:
  void copy(const T* from, T* to) const {
    clear_padding(to);
    const int width = columns_.width();
    for (int r = 0; r < width; ++r) {
      columns_.pack(from + at(r) * at(width), to + columns_.place(r) * at(columns_.stride()));
    }
  }

  void clear_padding(T* matrix) const {
    const std::size_t stride = at(columns_.stride());
    const std::size_t kept = columns_.in_order() ? at(columns_.width()) : 0;
    for (int r = 0; r < columns_.used(); ++r) {
      std::fill(matrix + at(r) * stride + kept, matrix + at(r + 1) * stride, T(0));
    }
  }

  /// In squares whose rows and columns are whole cache lines.
  void transpose(const T* from, T* to) const {
    clear_padding(to);
    const int width = columns_.width();
    constexpr int kSide = 16;
    for (int c0 = 0; c0 < width; c0 += kSide) {
      for (int r0 = 0; r0 < width; r0 += kSide) {
        std::size_t places[kSide];
        const int rows = std::min(kSide, width - r0);
        for (int r = 0; r < rows; ++r) places[r] = columns_.place(r0 + r);
        for (int c = c0; c < std::min(width, c0 + kSide); ++c) {
          T* packed = to + columns_.place(c) * at(columns_.stride());
          const T* column = from + at(r0) * at(width) + at(c);
          for (int r = 0; r < rows; ++r) packed[places[r]] = column[at(r) * at(width)];
        }
      }
    }
  }

  ColumnLayout columns_;
  Buffer<T> room_;
  std::vector<StepNumbers<T>> all_;
};

template <typename T>
void update_running(const NormState& norm, const ColumnLayout& columns, double nodes, const T* mean,
                    const std::vector<double>& variances) {
  T* running_mean = norm.running_mean.data_ptr<T>();
  T* running_variance = norm.running_variance.data_ptr<T>();
  const T momentum = static_cast<T>(norm.momentum);
  for (int c = 0; c < columns.width(); ++c) {
    const std::size_t place = columns.place(c);
    const double unbiased = nodes > 1 ? variances[place] * nodes / (nodes - 1) : variances[place];
    running_mean[c] += momentum * (mean[place] - running_mean[c]);
    running_variance[c] += momentum * (static_cast<T>(unbiased) - running_variance[c]);
  }
}

/// What autograd calls on the way back. Not a torch::autograd::Function, as these take a number of
/// tensors that is known when they are compiled.
class StackNode : public torch::autograd::Node {
 public:
  StackNode(std::shared_ptr<const StackPlan> plan, std::vector<StackStep> steps)
      : plan_(std::move(plan)), steps_(std::move(steps)) {}

  torch::Tensor forward(const torch::Tensor& x, std::vector<torch::Tensor>* trace) {
    const StackPlan& plan = *plan_;
    const torch::Tensor first = x.contiguous();
    room_ = at::empty({static_cast<std::int64_t>(StackMemory(plan).size())}, x.options());
    torch::Tensor pooled =
        at::empty({plan.graphs, plan.pools() * plan.columns.width()}, x.options());
    with_type(first, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const PackedSteps<T> packed(plan, steps_, false);
      int pool = 0;
      const auto after_step = [&](int s, const T* made) {
        const Relation* relation =
            s < 0 ? plan.steps[0].input_pool.get() : plan.steps[at(s)].pool.get();
        if (relation != nullptr) add_pool(plan, *relation, made, pool++, pooled);
        if (trace != nullptr && s >= 0 && plan.steps[at(s)].end == s + 1) {
          trace->push_back(unpadded(plan, made, plan.steps[at(s)].level.rows, x.options()));
        }
      };
      StackForward<T>(plan, packed.steps(), room_.data_ptr<T>())
          .run(first.data_ptr<T>(), after_step,
               [&](int s, const T* mean, const std::vector<double>& variances) {
                 update_running(steps_[at(s)].norm, plan.columns, plan.steps[at(s)].nodes, mean,
                                variances);
               });
    });
    return pooled;
  }

  variable_list apply(variable_list&& gradients) override {
    const StackPlan& plan = *plan_;
    TORCH_CHECK(room_.defined(), "a second way back through the same graph");
    const torch::Tensor dy = gradients[0].contiguous();
    variable_list result;
    std::vector<std::size_t> places;
    result.emplace_back();
    for (const StackStep& step : steps_) {
      places.push_back(result.size());
      for (const torch::Tensor* parameter : parameters_of(step)) {
        result.push_back(at::empty(parameter->sizes(), dy.options()));
      }
    }
    with_type(dy, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const PackedSteps<T> packed(plan, steps_, true);
      std::vector<Buffer<T>> pools;
      std::vector<const T*> pointers;
      for (int pool = 0; pool < plan.pools(); ++pool) {
        pools.push_back(pool_gradient<T>(plan, dy, pool));
        pointers.push_back(pools.back().data());
      }
      StackBack<T> back(plan, packed.steps(), room_.data_ptr<T>());
      const T* d_first = back.run(pointers, [&](int s, const StepGradients<T>& own) {
        write(plan, own, result.data() + places[at(s)]);
      });
      result[0] = unpadded(plan, d_first, plan.steps[0].input_rows, dy.options());
    });
    return result;
  }

  void release_variables() override { room_.reset(); }

 private:
  template <typename T>
  static torch::Tensor unpadded(const StackPlan& plan, const T* from, int rows,
                                const torch::TensorOptions& options) {
    torch::Tensor to = at::empty({rows, plan.columns.width()}, options);
    for (int r = 0; r < rows; ++r) {
      plan.columns.unpack(from + at(r) * at(plan.columns.stride()),
                          to.data_ptr<T>() + r * plan.columns.width());
    }
    return to;
  }

  template <typename T>
  static void add_pool(const StackPlan& plan, const Relation& relation, const T* x, int pool,
                       torch::Tensor& pooled) {
    const int stride = plan.columns.stride();
    const int width = plan.columns.width();
    const Buffer<T> sums(at(plan.graphs) * at(stride));
    for_rows(plan.graphs, [&](Rows rows) {
      aggregate(AggregateArgs<T>{.entries = relation.lists(),
                                 .weights = relation.weights.data(),
                                 .x = x,
                                 .y = sums.data(),
                                 .width = stride,
                                 .average = relation.average},
                rows);
    });
    for (int g = 0; g < plan.graphs; ++g) {
      plan.columns.unpack(sums.data() + at(g) * at(stride),
                          pooled.data_ptr<T>() + g * pooled.size(1) + pool * width);
    }
  }

  template <typename T>
  static Buffer<T> pool_gradient(const StackPlan& plan, const torch::Tensor& dy, int pool) {
    const int width = plan.columns.width();
    const std::size_t stride = at(plan.columns.stride());
    Buffer<T> padded(at(plan.graphs) * stride);
    std::fill_n(padded.data(), at(plan.graphs) * stride, T(0));
    for (int g = 0; g < plan.graphs; ++g) {
      plan.columns.pack(dy.data_ptr<T>() + g * dy.size(1) + pool * width,
                        padded.data() + at(g) * stride);
    }
    return padded;
  }

  /// Gradients of a step's parameters where autograd expects them.
  template <typename T>
  static void write(const StackPlan& plan, const StepGradients<T>& own, torch::Tensor* to) {
    const ColumnLayout& columns = plan.columns;
    const int width = columns.width();
    T* weight = to[0].data_ptr<T>();
    std::vector<T> sums(at(columns.stride()));
    for (int r = 0; r < width; ++r) {
      const std::size_t from = columns.place(r) * sums.size();
      std::fill(sums.begin(), sums.end(), T(0));
      for (const Buffer<T>& part : own.weight) {
        const T* values = part.data() + from;
        for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += values[c];
      }
      columns.unpack(sums.data(), weight + r * width);
    }
    const auto row = [&](const double* values, torch::Tensor& tensor) {
      columns.unpack(values, tensor.data_ptr<T>());
    };
    row(own.norm_weight.data(), to[1]);
    row(own.norm_bias.data(), to[2]);
    if (!own.vectors.empty()) {
      row(own.vectors.data(), to[3]);
      row(own.vectors.data() + columns.stride(), to[4]);
    } else if (own.with_self) {
      *to[3].data_ptr<T>() = static_cast<T>(own.self);
    }
  }

  std::shared_ptr<const StackPlan> plan_;
  std::vector<StackStep> steps_;
  torch::Tensor room_;
};

}  // namespace

torch::Tensor stack(const torch::Tensor& x, const std::vector<StackStep>& steps, const Batch& batch,
                    bool training, std::vector<torch::Tensor>* trace) {
  variable_list inputs = {x};
  for (const StackStep& step : steps) {
    for (const torch::Tensor* parameter : parameters_of(step)) {
      TORCH_CHECK(parameter->is_contiguous(), "the fused stack takes contiguous parameters");
      inputs.push_back(*parameter);
    }
  }
  const bool keep =
      at::GradMode::is_enabled() && torch::autograd::any_variable_requires_grad(inputs);
  TORCH_CHECK(!keep || batch.levels.back().neighbours->source_count() >= 0,
              "a batch without a way back cannot be learnt from");
  const auto plan = std::make_shared<const StackPlan>(x, steps, batch, training, keep);
  const auto node =
      std::shared_ptr<StackNode>(new StackNode(plan, steps), torch::autograd::deleteNode);
  torch::Tensor pooled;
  {
    const at::NoGradGuard no_grad;
    pooled = node->forward(x.detach(), trace);
  }
  if (keep) {
    node->set_next_edges(torch::autograd::collect_next_edges(inputs));
    torch::autograd::create_gradient_edge(pooled, node);
  }
  return pooled;
}

}  // namespace bermuda::nn::fused
