#include <pybind11/pybind11.h>

#include "bermuda/core/error.hpp"
#include "bindings.hpp"

namespace bermuda::python {
namespace {

// Made once, and never taken away: exceptions may be raised until the interpreter ends.
struct Types {
  py::handle error;
  py::handle usage;
  py::handle input;
};

Types& types() {
  static Types made;
  return made;
}

py::handle add_type(py::module_& module, const char* name, const char* doc,
                    const py::tuple& bases) {
  PyObject* type = PyErr_NewExceptionWithDoc((std::string("bermuda.") + name).c_str(), doc,
                                             bases.ptr(), nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.add_object(name, type);
  return type;
}

void translate(std::exception_ptr thrown) {
  try {
    if (thrown) std::rethrow_exception(thrown);
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const InputError& error) {
    PyErr_SetString(types().input.ptr(), error.what());
  } catch (const UsageError& error) {
    PyErr_SetString(types().usage.ptr(), error.what());
  } catch (const IoError& error) {
    PyErr_SetObject(PyExc_OSError,
                    py::make_tuple(error.error_number(), error.what(), error.path()).ptr());
  } catch (const Error& error) {
    PyErr_SetString(types().error.ptr(), error.what());
  }
}

}  // namespace

void bind_errors(py::module_& module) {
  const auto type = [](PyObject* object) { return py::reinterpret_borrow<py::object>(object); };
  types().error = add_type(module, "Error", "What the library could not do.",
                           py::make_tuple(type(PyExc_RuntimeError)));
  const auto base = py::reinterpret_borrow<py::object>(types().error);
  types().usage = add_type(module, "UsageError", "Asked for something that cannot be done.",
                           py::make_tuple(base, type(PyExc_ValueError)));
  types().input = add_type(module, "InputError", "A file that is not what its format promises.",
                           py::make_tuple(base, type(PyExc_ValueError)));
  py::register_exception_translator(translate);
}

}  // namespace bermuda::python
