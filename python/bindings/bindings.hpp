// The pieces of the extension module askrff._core. Each file converts views and words, releases the lock of the interpreter and calls the
// library; what is computed is computed there.
#pragma once

#include <nanobind/nanobind.h>
// All conversions that are used anywhere: a file that lacked one would quietly convert otherwise, and the linker would choose between them.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

namespace askrff::python {

namespace nb = nanobind;

void bind_errors(nb::module_& module);
void bind_kernels(nb::module_& module);
void bind_maps(nb::module_& module);
void bind_diagnosis(nb::module_& module);
void bind_matrices(nb::module_& module);
void bind_products(nb::module_& module);
void bind_inversion(nb::module_& module);
void bind_sparse(nb::module_& module);
void bind_models(nb::module_& module);
void bind_training(nb::module_& module);
void bind_parts(nb::module_& module);
void bind_columns(nb::module_& module);
void bind_causal(nb::module_& module);

/// Calls f() without the lock of the interpreter: other Python threads run meanwhile. f may take it again (nb::gil_scoped_acquire).
template <class F>
auto released(const F& f) {
  const nb::gil_scoped_release release;
  return f();
}

}  // namespace askrff::python
