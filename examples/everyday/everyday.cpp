// Everyday use of the library: a data set from a file or from a generator, an audit, a fitted
// method.
#include <fmt/format.h>

#include <exception>

#include "bermuda/bermuda.hpp"

namespace {

using namespace bermuda;

void study(const DataSet& data, const Execution& execution) {
  // Is the data about topology at all?
  const AuditReport report = audit_dataset(data, AuditOptions(), execution);
  fmt::print("{}\n\n", report.summary);

  // Fit a method on the first fold, as `bermuda train svm-wl DATA --max-rounds 3` would.
  MethodRegistry methods;
  register_kernel_methods(methods);
  const std::unique_ptr<Method> method = methods.get("svm-wl").make();
  method->parameters().get("max-rounds").set("3");
  const FoldParts parts = fold_parts(data, 0);
  const int classes = static_cast<int>(data.class_names.size());
  const FitReport fitted = method->fit({parts.train, parts.validation, classes}, execution);

  // Ask it, and keep it for `bermuda predict`.
  const Metrics test = measure(parts.test, method->predict(parts.test, execution), classes);
  fmt::print("{}: {:.1f} % on validation graphs, {:.1f} % on {} test graphs\n", method->name(),
             100 * fitted.validation_accuracy, 100 * test.accuracy, test.count);
  write_file_atomically("everyday.bermuda", encode_model(*method, data.class_names), true);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Execution execution;
    execution.threads = 2;
    study(argc > 1 ? read_dataset(argv[1])
                   : generate_candidates(*make_task("triangles"), 1, 400, execution),
          execution);
    return 0;
  } catch (const std::exception& error) {
    fmt::print(stderr, "everyday: {}\n", error.what());
    return 1;
  }
}
