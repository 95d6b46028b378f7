#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bermuda::python {

namespace py = pybind11;

/// Numbers that Python sees through the buffer protocol, without a copy: `numpy.asarray(array)`.
/// (pybind11/numpy.h would tie us to one version of NumPy.)
class Array {
 public:
  /// Keeps `owner`, which the numbers are part of. Strides are in bytes. Python may write only
  /// where nobody else looks at the numbers.
  Array(std::shared_ptr<const void> owner, const void* data, std::string format,
        py::ssize_t item_size, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
        bool writable = false);
  py::buffer_info info() const;

 private:
  std::shared_ptr<const void> owner_;
  const void* data_;
  std::string format_;
  py::ssize_t item_size_;
  std::vector<py::ssize_t> shape_;
  std::vector<py::ssize_t> strides_;
  bool writable_;
};

/// Rows one after the other.
template <typename T>
Array array_view(std::shared_ptr<const void> owner, const T* data, std::vector<py::ssize_t> shape,
                 bool writable = false) {
  std::vector<py::ssize_t> strides(shape.size());
  py::ssize_t step = sizeof(T);
  for (std::size_t i = shape.size(); i-- > 0;) {
    strides[i] = step;
    step *= shape[i];
  }
  return Array(std::move(owner), data, py::format_descriptor<T>::format(), sizeof(T),
               std::move(shape), std::move(strides), writable);
}

/// Numbers that were made for Python; without a shape in one row.
template <typename T>
Array array_of(std::vector<T> values, std::vector<py::ssize_t> shape = {}) {
  const auto owner = std::make_shared<std::vector<T>>(std::move(values));
  if (shape.empty()) shape = {static_cast<py::ssize_t>(owner->size())};
  return array_view(owner, owner->data(), std::move(shape), /*writable=*/true);
}

/// Numbers that Python gave: contiguous and of exactly this type, which the package sees to.
template <typename T>
class Input {
 public:
  explicit Input(const py::buffer& buffer) : info_(buffer.request()) {
    if (info_.itemsize != static_cast<py::ssize_t>(sizeof(T))) {
      throw py::type_error("an array of another type than expected");
    }
  }
  std::span<const T> values() const {
    return {static_cast<const T*>(info_.ptr), static_cast<std::size_t>(info_.size)};
  }

 private:
  py::buffer_info info_;
};

void bind_array(py::module_& module);

}  // namespace bermuda::python
