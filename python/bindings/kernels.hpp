// Kernels as Python holds them, askrff::NamedKernel: one of the library's by name, or a Python function, which has none.
#pragma once

#include <memory>
#include <string>

#include "askrff/function_form.hpp"
#include "askrff/kernels.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// The Python object of a kernel k(δ) by function(differences) → values. What the function raises comes out of the library as it was
/// raised; a result of a wrong shape or not finite is std::invalid_argument. It is called on the thread of the library's caller.
///
/// The object owns the function where Python's garbage collector sees it; the library's kernel knows the object by a weak reference only.
/// So whatever holds that kernel must hold the object too: see hold_kernel.
nb::object callable_kernel(nb::object function, FunctionForm form);
/// The same of a kernel k(x, y) by function(X, Y) → values, rows of X × rows of Y.
nb::object callable_pairs(nb::object function, std::string name, bool symmetric);
bool is_function(const NamedKernel& kernel);
/// Of such an object; None of any other.
nb::object function_of(nb::handle kernel);
/// Route, direction and tolerance of such an object as a dict; None of any other.
nb::object form_of(nb::handle kernel);

/// `object` (of a type with nb::dynamic_attr), which holds the library's part of `kernel`, from now on holds `kernel` itself. Nothing
/// happens if that is None or one of the library's. Returns object.
nb::object hold_kernel(nb::object object, const nb::object& kernel);
/// The kernel that was given to hold_kernel, or None.
nb::object held_kernel(nb::handle object);

/// A number, a list of numbers or text like "2/d".
nb::object to_python(const CoordinateParameter& value);

/// What a user chose: a Kernel, or a name of the registry and those parameters he knows.
KernelChoice kernel_choice(const nb::object& kernel, const nb::dict& params);

}  // namespace askrff::python
