#include <fmt/format.h>
#include <torch/torch.h>

#include <algorithm>
#include <limits>

#include "bermuda/method/epoch_columns.hpp"
#include "bermuda/train/trainer.hpp"

namespace bermuda::train {
namespace {

constexpr auto kMostEpochs = std::int32_t{1} << 24;
constexpr double kLargest = std::numeric_limits<double>::max();

std::vector<float> as_vector(const torch::Tensor& tensor) {
  if (!tensor.defined()) return {};
  return {tensor.data_ptr<float>(), tensor.data_ptr<float>() + tensor.numel()};
}

void copy_into(const std::vector<float>& values, const torch::Tensor& tensor) {
  const std::int64_t expected = tensor.defined() ? tensor.numel() : 0;
  if (values.size() != static_cast<std::size_t>(expected)) {
    throw BytesError(
        fmt::format("a checkpoint with {} numbers, expected {}", values.size(), expected));
  }
  if (expected > 0) std::copy(values.begin(), values.end(), tensor.data_ptr<float>());
}

void write(const Snapshot& snapshot, ByteWriter& out) {
  out.array(snapshot.values);
  out.array(snapshot.buffers);
}

Snapshot read_snapshot(ByteReader& in) {
  Snapshot snapshot;
  snapshot.values = in.finite_array<float>("weights");
  snapshot.buffers = in.finite_array<float>("running statistics");
  return snapshot;
}

}  // namespace

Snapshot take_snapshot(const FlatParameters& parameters) {
  return {as_vector(parameters.values), parameters.buffers()};
}

void put_snapshot(const Snapshot& snapshot, FlatParameters& parameters) {
  copy_into(snapshot.values, parameters.values);
  parameters.set_buffers(snapshot.buffers);
}

std::string Trainer::checkpoint() const {
  ByteWriter out;
  out.number(adam_.steps);
  write(take_snapshot(parameters_), out);
  out.array(as_vector(adam_.first));
  out.array(as_vector(adam_.second));
  out.array(as_vector(average_.values));
  out.number(schedule_.rate);
  out.number(schedule_.best);
  out.number(schedule_.bad_epochs);
  write(best_, out);
  out.number(best_epoch_);
  out.number(best_figures_.loss);
  out.number(best_figures_.accuracy);
  out.number(static_cast<std::int32_t>(records_.size()));
  for (const EpochRecord& record : records_) {
    for (const EpochColumn& column : kEpochColumns) out.number(record.*column.field);
  }
  return out.bytes();
}

// Whatever does not fit the network, the data or the rest of the checkpoint is a BytesError.
void Trainer::restore(std::string_view bytes) {
  ByteReader in(bytes);
  adam_.steps = in.number<std::int64_t>();
  const Snapshot now = read_snapshot(in);
  copy_into(in.finite_array<float>("moments"), adam_.first);
  const auto second = in.finite_array<float>("moments");
  if (std::ranges::any_of(second, [](float moment) { return moment < 0; })) {
    throw BytesError("a mean square below zero");
  }
  copy_into(second, adam_.second);
  copy_into(in.finite_array<float>("averaged weights"), average_.values);
  schedule_.rate = in.number_in(0.0, kLargest, "learning rate");
  schedule_.best = in.number_in(-kLargest, kLargest, "loss");
  schedule_.bad_epochs = in.number_in<int>(0, kMostEpochs, "number of epochs");
  best_ = read_snapshot(in);
  put_snapshot(best_, parameters_);  // which looks whether it fits
  put_snapshot(now, parameters_);
  best_epoch_ = in.number<int>();
  best_figures_.loss = in.number_in(-kLargest, kLargest, "loss");
  best_figures_.accuracy = in.number_in(0.0, 1.0, "accuracy");
  restore_records(in);
}

void Trainer::restore_records(ByteReader& in) {
  const auto count = in.number_in<std::int32_t>(1, kMostEpochs, "number of epochs");
  if (best_epoch_ < 1 || best_epoch_ > count) throw BytesError("impossible best epoch");
  if (adam_.steps != count * steps_per_epoch()) {
    throw BytesError(
        fmt::format("{} steps in {} epochs of {}", adam_.steps, count, steps_per_epoch()));
  }
  for (std::int32_t i = 0; i < count; ++i) {
    EpochRecord record;
    record.epoch = i + 1;
    for (const EpochColumn& column : kEpochColumns) {
      record.*column.field = in.number_in(-kLargest, kLargest, column.name);
    }
    records_.push_back(record);
  }
  if (!in.at_end()) throw BytesError("bytes after the end of the checkpoint");
}

}  // namespace bermuda::train
