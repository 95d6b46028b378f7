#include "run_folder.hpp"

#include <fmt/format.h>

namespace bermuda::app {

std::string metrics_text(const Metrics& metrics, const std::vector<std::string>& class_names) {
  std::string text = fmt::format("accuracy {:.2f} %, macro-F1 {:.2f} %, F1 of class {} {:.2f} %\n",
                                 metrics.accuracy * 100, metrics.macro_f1 * 100, class_names.back(),
                                 metrics.positive_f1 * 100);
  text += fmt::format("{:>14}", "true \\ said");
  for (const std::string& name : class_names) text += fmt::format("{:>8}", name);
  text += "\n";
  for (std::size_t c = 0; c < metrics.confusion.size(); ++c) {
    text += fmt::format("{:>14}", class_names[c]);
    for (const std::size_t count : metrics.confusion[c]) text += fmt::format("{:>8}", count);
    text += "\n";
  }
  return text;
}

}  // namespace bermuda::app
