// A kernel as Python holds it: one of the library's by name, or a Python function.
#pragma once

#include <memory>
#include <string>

#include "askrff/kernels.hpp"
#include "bindings.hpp"

namespace askrff::python {

struct PythonKernel {
  NamedKernel named;  ///< name and parameters are empty for a Python function: files cannot hold one
  bool is_callable = false;

  const std::shared_ptr<const Kernel>& kernel() const { return named.kernel; }
};

/// k(δ) by function(differences) → values. Evaluated under the lock of the interpreter, on any thread; what the function raises comes out
/// of the library as it was raised. Throws nb::python_error, and std::invalid_argument for a result of a wrong shape or not finite.
std::shared_ptr<const Kernel> callable_kernel(nb::object function, std::string name, bool symmetric);
/// The function of such a kernel; None of any other.
nb::object function_of(const Kernel& kernel);
bool is_function(const Kernel& kernel);

}  // namespace askrff::python
