#include "bermuda/core/version.hpp"
#include "bindings.hpp"

PYBIND11_MODULE(_bermuda, module) {
  using namespace bermuda::python;
  module.doc() = "The library, for the package bermuda: use that.";
  module.attr("__version__") = std::string(bermuda::kVersion);
  bind_array(module);
  bind_errors(module);
  bind_settings(module);
  bind_graphs(module);
  bind_build(module);
  bind_make(module);
  bind_audit(module);
  bind_models(module);
  bind_features(module);
  bind_expressing(module);
  bind_regimes(module);
}
