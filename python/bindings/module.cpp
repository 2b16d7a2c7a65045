// The module askrff._core.
#include "askrff/machine.hpp"
#include "askrff/svm.hpp"
#include "askrff/version.hpp"
#include "bindings.hpp"

namespace askrff::python {
namespace {

nb::dict machine() {
  const Machine found = describe_machine();
  nb::dict result;
  result["processor"] = found.processor;
  result["backends"] = found.backends;
  result["backend"] = found.backend;
  result["n_processors"] = found.n_processors;
  result["n_threads"] = found.n_threads;
  return result;
}

}  // namespace

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // a kernel's function may hold, through its globals, what holds the kernel: at exit such a ring stays
  module.doc() = "The library behind askrff: kernels, feature maps, linear models. Users want the classes of askrff itself.";
  module.attr("version") = ASKRFF_VERSION;
  module.def("has_liblinear", &has_liblinear, "Whether the solver 'liblinear' was built in.");
  module.def("describe_machine", &machine, "What was found here: processor, backends, threads.");
  bind_errors(module);
  bind_kernels(module);
  bind_maps(module);
  bind_map_makers(module);
  bind_training(module);
  bind_models(module);
}

}  // namespace askrff::python
