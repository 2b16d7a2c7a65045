// Calls of the library that may take long: on the thread of the caller, without the lock of the interpreter, ended by signals.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// Returns f(execution). A signal whose handler raises (Ctrl-C: KeyboardInterrupt) stops the work, all its threads, and its exception is
/// thrown here as nb::python_error. Python handles signals on its main thread only, so calls from other threads are not stopped by them.
template <class F>
auto interruptible(std::size_t n_threads, const F& f) {
  const auto raised = std::make_shared<std::exception_ptr>();
  const StopSource source([raised] {
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() == 0) return false;
    *raised = std::make_exception_ptr(nb::python_error());
    return true;
  });
  const nb::gil_scoped_release release;
  try {
    return f(Execution{.n_threads = n_threads, .stop = source.token()});
  } catch (const Stopped&) {
    if (*raised) std::rethrow_exception(*raised);
    throw;
  }
}

}  // namespace askrff::python
