// The library's exceptions as Python's. std::invalid_argument becomes ValueError and std::bad_alloc MemoryError by nanobind itself.
#include "askrff/errors.hpp"

#include <exception>

#include "bindings.hpp"

namespace askrff::python {

void bind_errors(nb::module_& module) {
  nb::exception<NumericalError>(module, "NumericalError", PyExc_RuntimeError).doc() =
      "A computation that could not reach its stated accuracy or end in bounded time.";
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const WriteError& failed) {
      PyErr_SetString(PyExc_OSError, failed.what());
    } catch (const Stopped& stopped) {
      PyErr_SetString(PyExc_KeyboardInterrupt, stopped.what());
    }
  });
}

}  // namespace askrff::python
