// Functions of Python's and their results.
#include "callables.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>

namespace askrff::python {

OwnedFunction::~OwnedFunction() {
  if (!nb::is_alive()) {  // the interpreter is gone, and the reference with it
    owner_.release();
    return;
  }
  const nb::gil_scoped_acquire lock;
  owner_.reset();
}

nb::object OwnedFunction::get() const {
  const nb::object owner = owner_();
  if (owner.is_none()) throw std::runtime_error(who() + "is gone");
  return owner.attr(attribute);
}

nb::object read_only_copy(MatrixView<const double> values) {
  Matrix<double> copy(values.rows(), values.cols());
  for (std::size_t i = 0; i < values.rows(); ++i) std::ranges::copy(values.row(i), copy.row(i).begin());
  nb::object array = to_array(std::move(copy));
  array.attr("setflags")(nb::arg("write") = false);
  return array;
}

nb::object as_float64(const nb::object& result, const std::string& who) {
  const nb::object numpy = nb::module_::import_("numpy"), array = numpy.attr("asanyarray")(result), dtype = array.attr("dtype");
  const bool is_masked = nb::hasattr(array, "mask");
  const std::string kind = nb::cast<std::string>(nb::object(dtype.attr("kind")));
  if (is_masked || std::string_view("biuf").find(kind) == std::string_view::npos)
    throw nb::type_error(
        (who + "returned " + (is_masked ? "a masked array" : nb::cast<std::string>(nb::str(dtype))) + ", expected float64").c_str());
  return numpy.attr("ascontiguousarray")(array, nb::arg("dtype") = "float64");
}

std::string shape_text(const nb::object& result) {
  return "shape " + nb::cast<std::string>(nb::str(nb::module_::import_("numpy").attr("shape")(result)));
}

void copy_result(const nb::object& result, MatrixView<double> out, const std::string& who, const std::string& of) {
  const std::string wanted = "shape (" + std::to_string(out.rows()) + ", " + std::to_string(out.cols()) + ")";
  Array values;
  if (!nb::try_cast(as_float64(result, who), values, false))
    throw std::invalid_argument(who + "returned something that is no array for " + of + ", expected " + wanted);
  if (values.ndim() != 2 || values.shape(0) != out.rows() || values.shape(1) != out.cols())
    throw std::invalid_argument(who + "returned " + shape_text(result) + " for " + of + ", expected " + wanted);
  const auto* const numbers = static_cast<const double*>(values.data());
  for (std::size_t i = 0; i < out.rows(); ++i) {
    std::copy_n(numbers + i * out.cols(), out.cols(), out.row(i).begin());
    for (const double value : out.row(i))
      if (!std::isfinite(value))
        throw std::invalid_argument(who + "returned " + std::to_string(value) + " for " + of + ", expected finite numbers");
  }
}

}  // namespace askrff::python
