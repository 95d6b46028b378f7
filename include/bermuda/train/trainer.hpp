#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bermuda/core/parameter.hpp"
#include "bermuda/core/random.hpp"
#include "bermuda/method/method.hpp"
#include "bermuda/nn/network.hpp"
#include "bermuda/train/optimiser.hpp"
#include "bermuda/train/schedule.hpp"

namespace bermuda::train {

/// Thrown when the loss is no number any more or has exploded; the last checkpoint is from before.
class DivergedError : public Error {
 public:
  DivergedError(int epoch, double loss);
  double loss() const { return loss_; }

 private:
  double loss_;
};

/// Which epoch's weights a fit ends with, by its validation figures.
enum class Keep {
  kAccuracy,  ///< the highest; of equals, the one with the lower loss
  kLoss,      ///< the lowest
  kLast,      ///< whatever they are
};

struct TrainerOptions {
  int batch_size = 128;
  double learning_rate = 1e-3;
  double factor = 0.5;
  int patience = 10;
  double least_rate = 1e-5;
  int max_epochs = 1000;
  double max_minutes = 0;  ///< 0: no limit
  /// Above 0 the rate follows a CosineSchedule over so many epochs, not the validation loss.
  int cosine_epochs = 0;
  int warm_up = 0;  ///< steps of that schedule
  int copies = 1;   ///< of each graph in its batch, for networks that shuffle indices
  double clip = 0;  ///< longest gradient; 0: no limit
  WeightDecay decay;
  double average = 0;    ///< decay of a WeightAverage, which is what validates and answers; 0: none
  int norm_batches = 0;  ///< training batches to measure batch norms on before validation; 0: none,
                         ///< the running statistics of training are used
  int draws = 1;         ///< of what is random in evaluation, that validation is the mean of
  Keep keep = Keep::kAccuracy;
  bool class_weights = true;
  bool compress = true;
};

/// A packed set of graphs that a network can pass over.
class GraphSource {
 public:
  GraphSource(Samples samples, const nn::FeatureSpec& spec, const nn::BatchRecipe& recipe,
              bool compress);
  GraphSource(const GraphSource&) = delete;  // batches_ refers to graphs_
  GraphSource& operator=(const GraphSource&) = delete;
  const nn::PackedGraphs& graphs() const { return graphs_; }
  nn::BatchMaker& batches() { return batches_; }

 private:
  nn::PackedGraphs graphs_;
  nn::BatchMaker batches_;
};

/// What a pass over graphs found.
struct PassResult {
  double loss = 0;
  double accuracy = 0;
};

/// The numbers of a network.
struct Snapshot {
  std::vector<float> values;
  std::vector<float> buffers;
};
Snapshot take_snapshot(const FlatParameters& parameters);
/// Throws BytesError when it is of another network.
void put_snapshot(const Snapshot& snapshot, FlatParameters& parameters);

/// Fits a network: Adam on the cross-entropy of shuffled batches, the rate halved on a plateau of
/// the validation loss, the parameters of one epoch kept (Keep). All that is random is a function
/// of (seed, epoch), so a checkpoint needs no random state.
class Trainer {
 public:
  Trainer(nn::Network& network, FlatParameters& parameters, TrainerOptions options,
          const FitTask& task, GraphSource& train, GraphSource& validation);
  /// Ends with the kept epoch's parameters in the network. Throws DivergedError, Interrupted.
  FitReport run(const Execution& execution);
  /// After run(): what the last epoch validated with.
  const Snapshot& last() const { return last_; }

 private:
  PassResult train_epoch(int epoch, const Execution& execution);
  void measure_norms(int epoch, const Execution& execution);
  PassResult validate(int epoch, const Execution& execution);
  PassResult evaluate(GraphSource& source, const Execution& execution);
  torch::Tensor loss_of(const torch::Tensor& logits, const nn::Batch& batch) const;
  bool is_better(const PassResult& validated) const;
  std::string checkpoint() const;
  void restore(std::string_view bytes);  ///< throws BytesError
  void restore_records(ByteReader& in);
  std::vector<int> shuffled(Purpose purpose, int epoch) const;
  std::int64_t steps_per_epoch() const;
  const char* reason_to_stop(double minutes) const;
  double rate() const;
  void clip_gradients() const;
  FitReport report(const char* reason) const;

  nn::Network& network_;
  FlatParameters& parameters_;
  TrainerOptions options_;
  FitTask task_;
  GraphSource& train_;
  GraphSource& validation_;
  Adam adam_;
  WeightAverage average_;
  PlateauSchedule schedule_;
  CosineSchedule cosine_;
  torch::Tensor class_weights_;
  std::vector<EpochRecord> records_;
  Snapshot best_;
  Snapshot last_;
  int best_epoch_ = 0;
  PassResult best_figures_;
};

/// Probabilities of the classes for all graphs, in their order, [graphs][classes]; the mean over
/// some rounds of what is random in evaluation, which follows from the seed.
std::vector<std::vector<double>> probabilities(nn::Network& network, GraphSource& source,
                                               int batch_size, std::uint64_t seed, int rounds,
                                               const Execution& execution);

/// Tells LibTorch and its BLAS how many threads to use, and malloc not to give the memory of a
/// batch's temporaries back to the system after every step. Process-wide.
void set_up_engine(int threads);

}  // namespace bermuda::train
