// Optional adapter between Eigen and the library's views; the only public header that needs Eigen.
#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "askrff/views.hpp"
#include "askrff/errors.hpp"

namespace askrff {

namespace detail {
template <class Scalar, class Dense>
MatrixView<Scalar> view_of_dense(Dense& matrix) {
  using Plain = std::remove_const_t<Dense>;
  static_assert(Plain::IsRowMajor || Plain::ColsAtCompileTime == 1, "askrff::view_of needs a row-major Eigen matrix");
  static_assert(bool(Plain::Flags & Eigen::DirectAccessBit),
                "askrff::view_of needs an Eigen object with memory of its own, not an expression");
  if (matrix.cols() > 1 && matrix.innerStride() != 1)
    throw InvalidArgument("askrff::view_of", "the elements of a row are not next to each other");
  const auto rows = static_cast<std::size_t>(matrix.rows()), cols = static_cast<std::size_t>(matrix.cols());
  // A column vector stored column-major is a row-major matrix of one column whose rows are an inner stride apart.
  const auto stride = static_cast<std::size_t>(Plain::IsRowMajor ? matrix.outerStride() : matrix.innerStride());
  return {matrix.data(), rows, cols, stride < cols ? cols : stride};
}
}  // namespace detail

/// A view of a row-major Eigen matrix, map or block of rows; no copy, the matrix must outlive the view.
template <class Derived>
MatrixView<typename Derived::Scalar> view_of(Eigen::DenseBase<Derived>& matrix) {
  return detail::view_of_dense<typename Derived::Scalar>(matrix.derived());
}
template <class Derived>
MatrixView<const typename Derived::Scalar> view_of(const Eigen::DenseBase<Derived>& matrix) {
  return detail::view_of_dense<const typename Derived::Scalar>(matrix.derived());
}

/// An Eigen map of a view, no copy.
template <class T>
auto map_of(MatrixView<T> view) {
  using Plain = Eigen::Matrix<std::remove_const_t<T>, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Mapped = std::conditional_t<std::is_const_v<T>, const Plain, Plain>;
  return Eigen::Map<Mapped, 0, Eigen::OuterStride<>>(view.data(), static_cast<Eigen::Index>(view.rows()),
                                                     static_cast<Eigen::Index>(view.cols()),
                                                     Eigen::OuterStride<>(static_cast<Eigen::Index>(view.stride())));
}

}  // namespace askrff
