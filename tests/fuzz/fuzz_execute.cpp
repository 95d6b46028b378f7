// A run of one of the methods on a small data set, both made from the input's bytes. It may refuse,
// but must not crash, tell a figure that is no number, or read its own model otherwise.
#include <algorithm>
#include <cmath>

#include "bermuda/method/epoch_columns.hpp"
#include "bermuda/method/model_file.hpp"
#include "bermuda/run/execute.hpp"
#include "fuzz.hpp"
#include "methods.hpp"
#include "small_data.hpp"

namespace {

using namespace bermuda;

void check_figures(const RunResult& result) {
  fuzz::require(result.validation_accuracy >= 0 && result.validation_accuracy <= 1);
  for (const double figure :
       {result.test.accuracy, result.test.macro_f1, result.test.positive_f1}) {
    fuzz::require(figure >= 0 && figure <= 1);
  }
  for (const EpochRecord& epoch : result.curve) {
    for (const EpochColumn& column : kEpochColumns) {
      fuzz::require(std::isfinite(epoch.*column.field));
    }
  }
  fuzz::require(result.answers.size() == result.test.count);
}

void turn_flags(Method& method, fuzz::Bytes& bytes) {
  const ParameterSet parameters = method.parameters();
  for (const Parameter& parameter : parameters.all()) {
    if (parameter.is_flag()) {
      parameter.set(bytes.below(4) == 3 ? "on" : "off");
    } else if (!parameter.choices.empty()) {
      const auto count = static_cast<int>(parameter.choices.size());
      parameter.set(parameter.choices[static_cast<std::size_t>(bytes.below(count))]);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  return fuzz::run([&] {
    fuzz::Bytes bytes(input, size);
    const auto& methods = fuzz::all_methods().all();
    const MethodInfo& info =
        methods[static_cast<std::size_t>(bytes.below(static_cast<int>(methods.size())))];
    const std::unique_ptr<Method> method = info.make();
    fuzz::make_small(*method);
    turn_flags(*method, bytes);
    const int fold = bytes.below(kEvaluationFolds);
    const DataSet data = fuzz::small_data(bytes);

    const RunSpec spec = describe_run(*method, data, fold, 1);
    fuzz::MemoryJournal journal;
    const RunResult result = execute(spec, data, *method, journal, {});
    check_figures(result);

    const Model model =
        decode_model(encode_model(*method, data.class_names), "fuzz", fuzz::all_methods());
    RunResult again = result;
    test_method(*model.method, data, fold_parts(data, fold), {}, again);
    fuzz::require(again.test.confusion == result.test.confusion);
  });
}
