#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bermuda/core/execution.hpp"
#include "bermuda/core/parameter.hpp"
#include "bermuda/dataset/dataset.hpp"
#include "bermuda/method/bytes.hpp"

namespace bermuda {

using Samples = std::span<const Sample* const>;

/// What a method says of one graph.
struct Prediction {
  int label = 0;
  std::vector<double> scores;  ///< one per class, larger means likelier; probabilities where it can
};

/// One pass over the training data of a method that makes many.
struct EpochRecord {
  int epoch = 0;  ///< from 1
  double learning_rate = 0;
  double train_loss = 0;
  double train_accuracy = 0;
  double validation_loss = 0;
  double validation_accuracy = 0;
  double seconds = 0;
};

/// Where a long fit leaves its state, so that it can go on after a stop. What a method saves is its
/// own affair; a fit that is given its last checkpoint ends with the same model, bit for bit, as
/// one that was never stopped.
class Journal {
 public:
  virtual ~Journal() = default;
  /// What save() was given last; empty for a fit from the start.
  virtual std::string last_checkpoint() = 0;
  /// Replaces the checkpoint as a whole. `epochs` are all passes so far.
  virtual void save(std::string_view checkpoint, std::span<const EpochRecord> epochs) = 0;
};

/// What a method is to learn.
struct FitTask {
  Samples train;
  Samples validation;  ///< for choices (C, best epoch); never test data
  int classes = 2;
  std::uint64_t seed = 1;
  Journal* journal = nullptr;  ///< may be absent
  std::string initial = {};    ///< what save() wrote, to begin with; empty: from nothing
  int fold = 0;                ///< which of the ten it is
  std::span<const std::string> class_names = {};  ///< as many as classes, or none
  /// What predict() will be asked first. For a method that learns and answers in one go: it must
  /// look at nothing of these but their graphs.
  Samples questions = {};
};

/// What fitting found out, beside the model itself.
struct FitReport {
  int epochs = 1;
  int best_epoch = 1;
  double validation_accuracy = 0;
  std::vector<EpochRecord> curve;  ///< empty for methods without epochs
  nlohmann::ordered_json details = nlohmann::ordered_json::object();  ///< e.g. the chosen C
};

/// What to look at when a method explains itself.
struct ExplainOptions {
  std::vector<int> layers;  ///< of a network, from 1; empty: all that have attention
};

/// How much each edge counted when a method judged graphs.
struct Explanations {
  std::string how;  ///< e.g. attention, mean of 4 heads, layers 1-2
  /// For each graph one number per edge, in the order of Graph::edges(), none negative.
  std::vector<std::vector<double>> edge_weights;
};

struct ViewRequest;  // bermuda/method/views.hpp
struct Views;

/// A classifier of graphs, kernel or neural. Made by its factory, set up through parameters(), then
/// either fitted or loaded, then asked.
class Method : public Configurable {
 public:
  virtual std::string_view name() const = 0;
  /// Learns. The same task gives the same model; for methods that do not run on one thread, also
  /// for any number of threads.
  virtual FitReport fit(const FitTask& task, const Execution& execution) = 0;
  virtual std::vector<Prediction> predict(Samples samples, const Execution& execution) const = 0;
  /// What predict() would say had fit() kept its last epoch. Empty where it did, for methods
  /// without epochs, and for a method that was loaded: a model file has the kept epoch only.
  virtual std::vector<Prediction> predict_last(Samples samples, const Execution& execution) const;
  /// Throws UsageError for methods that cannot tell, and for layers that are not there.
  virtual Explanations explain(Samples samples, const ExplainOptions& options,
                               const Execution& execution) const;
  /// Everything that predict() needs, but the options: these are kept beside it.
  virtual void save(ByteWriter& out) const = 0;
  virtual void load(ByteReader& in) = 0;
  /// How many classes it tells apart, once it is fitted or loaded. A model file is refused whose
  /// class names are others in number; 0: the method does not say.
  virtual int classes() const { return 0; }
  /// Whether fit() can begin with what another fit of the method has learnt.
  virtual bool can_go_on() const { return false; }
  /// The command that predict() would run and that came with a model, so that it may be somebody
  /// else's; predict() refuses to run it before trust_command(). Empty: none.
  virtual std::string foreign_command() const { return {}; }
  virtual void trust_command() {}
  /// Methods that are best run one per core say so: train then uses one thread by default.
  virtual bool runs_on_one_thread() const { return false; }
  /// What it could see of graphs, before it has learnt anything; what was learnt stays as it is.
  /// Nothing: it cannot show that.
  virtual std::optional<Views> views(const ViewRequest& request, const Execution& execution);
};

struct MethodInfo {
  std::string name;
  std::string summary;
  std::function<std::unique_ptr<Method>()> make;
  std::string source = {};  ///< the file that brought it; empty for those of the program itself
};

/// The methods that a program knows. Modules add theirs by a call, e.g.
/// register_kernel_methods(registry); nothing registers itself.
class MethodRegistry {
 public:
  /// Throws UsageError, which says by whom, when the name is taken.
  void add(MethodInfo info);
  const std::vector<MethodInfo>& all() const { return methods_; }
  /// Throws UsageError that tells the nearest, or else all, when there is none of this name.
  const MethodInfo& get(std::string_view name) const;

 private:
  std::vector<MethodInfo> methods_;
};

}  // namespace bermuda
