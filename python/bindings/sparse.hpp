// Sparse rows that Python holds: the three arrays of a matrix in compressed rows, looked at without a copy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "arrays.hpp"
#include "askrff/sparse.hpp"
#include "bindings.hpp"

namespace askrff::python {

class SparseArrays {
 public:
  /// starts: uint64, one more than rows; columns: uint32; values: float32 or float64. Throws TypeError for another dtype, ValueError for
  /// arrays that are not of one dimension and contiguous.
  SparseArrays(Array starts, Array columns, Array values, std::size_t n_columns);

  const Array& values() const { return values_; }
  std::size_t n_rows() const { return starts_.shape(0) - 1; }
  std::size_t n_columns() const { return n_columns_; }
  /// Valid while this lives. Throws TypeError if the values are not T; InvalidArgument as SparseView.
  template <class T>
  SparseView<T> view(const char* who) const {
    require_type(values_, nb::dtype<T>(), who, "the values");
    return {{static_cast<const std::uint64_t*>(starts_.data()), starts_.shape(0)},
            {static_cast<const std::uint32_t*>(columns_.data()), columns_.shape(0)},
            {static_cast<const T*>(values_.data()), values_.shape(0)},
            n_columns_};
  }

 private:
  static void require_type(const Array& array, nb::dlpack::dtype wanted, const char* who, const char* what);

  Array starts_, columns_, values_;
  std::size_t n_columns_;
};

/// Rows of either kind, looked at without a copy while X lives. Throws as SparseArrays::view and view_of; `who` names the function.
template <class T>
RowsView<T> view_of_either(const nb::object& X, const char* who, const char* name) {
  if (const SparseArrays* sparse = nullptr; nb::try_cast(X, sparse)) return sparse->view<T>(who);
  return view_of<T>(nb::cast<Array>(X), who, name);
}
inline RowsView<double> rows_of_either(const nb::object& X, const char* who, const char* name) {
  return view_of_either<double>(X, who, name);
}

}  // namespace askrff::python
