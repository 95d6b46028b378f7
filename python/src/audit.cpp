#include "bermuda/probe/audit.hpp"

#include <pybind11/stl.h>

#include <array>

#include "bermuda/core/text.hpp"
#include "bindings.hpp"
#include "graphs.hpp"
#include "long_call.hpp"
#include "settings.hpp"

namespace bermuda::python {
namespace {

/// What `bermuda audit` does: (the report as JSON, the report for people).
py::tuple audit(const Graphs& graphs, std::uint64_t seed, const Options& given, const Work& work) {
  AuditOptions options;
  set_options(std::array{options.parameters()}, given);
  options.seed = seed;
  const AuditReport report = long_call(work, [&](const Execution& execution) {
    DataSet copy;
    return audit_dataset(graphs.as_classified(copy), options, execution);
  });
  using Json = nlohmann::ordered_json;
  return py::make_tuple(to_json(report).dump(-1, ' ', false, Json::error_handler_t::replace),
                        printable_lines(to_text(report)));
}

}  // namespace

void bind_audit(py::module_& module) { module.def("audit", &audit); }

}  // namespace bermuda::python
