#include "run_text.hpp"

#include <fmt/format.h>

namespace bermuda::app {

std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& class_names) {
  const bool two = class_names.size() <= 2;
  const std::vector<double> f1 = f1_by_class(metrics);
  std::string text = fmt::format("accuracy {:.2f} %, macro-F1 {:.2f} %", metrics.accuracy * 100,
                                 metrics.macro_f1 * 100);
  if (two) {
    text += fmt::format(", F1 of class {} {:.2f} %", class_names.back(), metrics.positive_f1 * 100);
  }
  text += "\n";
  text += fmt::format("{:>14}", "true \\ said");
  for (const std::string& name : class_names) text += fmt::format("{:>8}", name);
  text += two ? "\n" : "    F1 %\n";
  for (std::size_t c = 0; c < metrics.confusion.size(); ++c) {
    text += fmt::format("{:>14}", class_names[c]);
    for (const std::size_t count : metrics.confusion[c]) text += fmt::format("{:>8}", count);
    text += two ? "\n" : fmt::format("{:>8.2f}\n", f1[c] * 100);
  }
  return text;
}

std::string run_text(const FinishedRun& run) {
  const RunResult& result = run.result;
  std::string told;
  const auto tell = [&](const std::string& what) { told += (told.empty() ? "" : ", ") + what; };
  if (!result.curve.empty()) {
    tell(fmt::format("{} epoch{}", result.epochs, result.epochs == 1 ? "" : "s"));
    tell(fmt::format("best {}", result.best_epoch));
  }
  for (const auto& [key, value] : result.chosen.items()) {
    tell(fmt::format("{} {}", key, value.dump()));
  }
  tell(fmt::format("{:.1f} s", result.seconds));
  return fmt::format(
             "{}: {} graphs to train, {} to validate, {} to test\n"
             "{}\n"
             "validation accuracy {:.2f} %\n"
             "test ",
             run.spec.text(), result.train_graphs, result.validation_graphs, result.test.count,
             told, result.validation_accuracy * 100) +
         metrics_text(result.test, run.class_names) +
         (result.last
              ? fmt::format("at the last epoch: accuracy {:.2f} %, macro-F1 {:.2f} %\n",
                            result.last->test.accuracy * 100, result.last->test.macro_f1 * 100)
              : "");
}

}  // namespace bermuda::app
