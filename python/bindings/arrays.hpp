// NumPy arrays as the library's views and the library's matrices as NumPy arrays, without a copy in either direction.
#pragma once

#include <nanobind/ndarray.h>

#include <complex>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "askrff/views.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// What a call reads and what it writes: any array in main memory. Type, shape and strides are checked by view_of, in our own words.
using Array = nb::ndarray<nb::ro, nb::device::cpu>;
using WritableArray = nb::ndarray<nb::device::cpu>;

/// "float32", "int64", …
std::string dtype_name(nb::dlpack::dtype type);

namespace detail {

/// Throws TypeError for another dtype or number of dimensions, ValueError for rows whose elements are not side by side. `who` and `what`
/// name function and argument. Gives the distance between rows.
std::size_t checked_stride(nb::dlpack::dtype type, nb::dlpack::dtype wanted, std::size_t n_dims, const std::int64_t* shape,
                           const std::int64_t* strides, const char* who, const char* what);

}  // namespace detail

/// rows × columns of `array`, which must outlive the view. T: double, float. Throws as checked_stride.
template <class T>
MatrixView<const T> view_of(const Array& array, const char* who, const char* what) {
  const std::size_t stride =
      detail::checked_stride(array.dtype(), nb::dtype<T>(), array.ndim(), array.shape_ptr(), array.stride_ptr(), who, what);
  return {static_cast<const T*>(array.data()), array.shape(0), array.shape(1), stride};
}
template <class T>
MatrixView<T> view_of(const WritableArray& array, const char* who, const char* what) {
  const std::size_t stride =
      detail::checked_stride(array.dtype(), nb::dtype<T>(), array.ndim(), array.shape_ptr(), array.stride_ptr(), who, what);
  return {static_cast<T*>(array.data()), array.shape(0), array.shape(1), stride};
}

template <class T, class A>
bool holds(const A& array) {
  return array.dtype() == nb::dtype<T>();
}

/// Throws TypeError: neither float32 nor float64.
[[noreturn]] void refuse_dtype(nb::dlpack::dtype type, const char* who, const char* what);

/// Calls f(T{}) with T the type of the array's numbers, float or double. Throws TypeError for any other.
template <class A, class F>
auto with_type_of(const A& array, const char* who, const char* what, const F& f) {
  if (holds<float>(array)) return f(float{});
  if (!holds<double>(array)) refuse_dtype(array.dtype(), who, what);
  return f(double{});
}

/// Moves `value` to where an array can keep it alive; a pointer to it and its owner.
template <class Value>
std::pair<Value*, nb::capsule> owned(Value value) {
  auto* const kept = new Value(std::move(value));
  return {kept, nb::capsule(kept, [](void* pointer) noexcept { delete static_cast<Value*>(pointer); })};
}

/// A NumPy array that owns the matrix.
template <class T>
nb::object to_array(Matrix<T> matrix) {
  const std::size_t rows = matrix.rows(), cols = matrix.cols();
  auto [kept, owner] = owned(std::move(matrix));
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(kept->data(), {rows, cols}, owner));
}
template <class T>
nb::object to_array(std::vector<T> values) {
  const std::size_t size = values.size();
  auto [kept, owner] = owned(std::move(values));
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(kept->data(), {size}, owner));
}

/// A read-only NumPy array of memory that `owner` keeps where it is, also when it is copied or moved (a Map, a Matrix). The array has a
/// copy of its own: were it a Python object, the garbage collector would not see that the array holds it.
template <class T, class Owner>
nb::object to_array_of(Owner owner, MatrixView<const T> view) {
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<2>>(view.data(), {view.rows(), view.cols()}, owned(std::move(owner)).second,
                                                               {static_cast<std::int64_t>(view.stride()), 1}));
}
template <class T, class Owner>
nb::object to_array_of(Owner owner, std::span<const T> view) {
  return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<1>>(view.data(), {view.size()}, owned(std::move(owner)).second));
}

}  // namespace askrff::python
