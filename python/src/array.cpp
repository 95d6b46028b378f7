#include "array.hpp"

namespace bermuda::python {

Array::Array(std::shared_ptr<const void> owner, const void* data, std::string format,
             py::ssize_t item_size, std::vector<py::ssize_t> shape,
             std::vector<py::ssize_t> strides, bool writable)
    : owner_(std::move(owner)),
      data_(data),
      format_(std::move(format)),
      item_size_(item_size),
      shape_(std::move(shape)),
      strides_(std::move(strides)),
      writable_(writable) {}

py::buffer_info Array::info() const {
  static const double kNothing = 0;  // an empty vector has no address
  const void* data = data_ == nullptr ? &kNothing : data_;
  return py::buffer_info(const_cast<void*>(data), item_size_, format_,
                         static_cast<py::ssize_t>(shape_.size()), shape_, strides_, !writable_);
}

void bind_array(py::module_& module) {
  py::class_<Array>(module, "Array", py::buffer_protocol(),
                    "Numbers of the library, for numpy.asarray(), without a copy.")
      .def_buffer([](const Array& array) { return array.info(); });
}

}  // namespace bermuda::python
