// Checks of arrays that come from Python.
#include "arrays.hpp"

#include <stdexcept>

namespace askrff::python {

std::string dtype_name(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const std::string bits = std::to_string(type.bits);
  switch (static_cast<Code>(type.code)) {
    case Code::Float:
      return "float" + bits;
    case Code::Int:
      return "int" + bits;
    case Code::UInt:
      return "uint" + bits;
    case Code::Complex:
      return "complex" + bits;
    case Code::Bool:
      return "bool";
    default:
      return "an unknown type of " + bits + " bits";
  }
}

void refuse_dtype(nb::dlpack::dtype type, const char* who, const char* what) {
  throw nb::type_error((std::string(who) + ": " + what + " holds " + dtype_name(type) + ", expected float32 or float64").c_str());
}

std::size_t detail::checked_stride(nb::dlpack::dtype type, nb::dlpack::dtype wanted, std::size_t n_dims, const std::int64_t* shape,
                                   const std::int64_t* strides, const char* who, const char* what) {
  const std::string start = std::string(who) + ": " + what;
  if (type != wanted) throw nb::type_error((start + " holds " + dtype_name(type) + ", expected " + dtype_name(wanted)).c_str());
  if (n_dims != 2)
    throw std::invalid_argument(start + " has " + std::to_string(n_dims) + (n_dims == 1 ? " dimension" : " dimensions") + ", expected 2");
  const auto cols = static_cast<std::size_t>(shape[1]);
  if (shape[0] == 0 || cols == 0) return cols;
  // Strides of a dimension of one element have no meaning.
  const std::int64_t along = cols == 1 ? 1 : strides[1], across = shape[0] == 1 ? shape[1] : strides[0];
  if (along != 1 || across < shape[1])
    throw std::invalid_argument(start + " is not in C order (rows one after another), expected numpy.ascontiguousarray of it");
  return static_cast<std::size_t>(across);
}

}  // namespace askrff::python
