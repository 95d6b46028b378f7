#pragma once

#include <pybind11/pybind11.h>

namespace bermuda::python {

namespace py = pybind11;

// Each adds its part to the module `_bermuda`, in this order.
void bind_array(py::module_& module);
void bind_errors(py::module_& module);
void bind_settings(py::module_& module);
void bind_graphs(py::module_& module);
void bind_build(py::module_& module);
void bind_make(py::module_& module);
void bind_audit(py::module_& module);
void bind_models(py::module_& module);
void bind_features(py::module_& module);
void bind_expressing(py::module_& module);
void bind_regimes(py::module_& module);

}  // namespace bermuda::python
