// The class SparseRows.
#include "sparse.hpp"

#include <nanobind/stl/pair.h>

#include <string>
#include <utility>

namespace askrff::python {

using namespace nb::literals;

void SparseArrays::require_type(const Array& array, nb::dlpack::dtype wanted, const char* who, const char* what) {
  const std::string start = std::string(who) + ": " + what;
  if (array.dtype() != wanted)
    throw nb::type_error((start + " are " + dtype_name(array.dtype()) + ", expected " + dtype_name(wanted)).c_str());
  if (array.ndim() != 1 || (array.shape(0) > 1 && array.stride(0) != 1))
    throw std::invalid_argument(start + " are no contiguous array of one dimension, as those of a CSR matrix are");
}

SparseArrays::SparseArrays(Array starts, Array columns, Array values, std::size_t n_columns)
    : starts_(std::move(starts)), columns_(std::move(columns)), values_(std::move(values)), n_columns_(n_columns) {
  require_type(starts_, nb::dtype<std::uint64_t>(), "SparseRows", "the starts");
  require_type(columns_, nb::dtype<std::uint32_t>(), "SparseRows", "the columns");
  with_type_of(values_, "SparseRows", "values",
               [&](auto type) { require_type(values_, nb::dtype<decltype(type)>(), "SparseRows", "the values"); });
  if (starts_.shape(0) == 0) throw std::invalid_argument("SparseRows: no starts, expected one more than there are rows");
}

void bind_sparse(nb::module_& module) {
  nb::class_<SparseArrays>(module, "SparseRows", "Rows of a CSR matrix; its arrays must stay as they are.")
      .def(nb::init<Array, Array, Array, std::size_t>(), "starts"_a, "columns"_a, "values"_a, "n_columns"_a)
      .def_prop_ro("shape", [](const SparseArrays& self) { return std::pair(self.n_rows(), self.n_columns()); });
}

}  // namespace askrff::python
