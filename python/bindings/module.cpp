// The module askrff._core.
#include "askrff/version.hpp"
#include "bindings.hpp"

namespace askrff::python {

NB_MODULE(_core, module) {
  nb::set_leak_warnings(false);  // what modules still hold when the interpreter ends
  module.doc() = "The library behind askrff: kernels, feature maps, linear models. Users want the classes of askrff itself.";
  module.attr("version") = ASKRFF_VERSION;
  bind_errors(module);
  bind_kernels(module);
  bind_maps(module);
  bind_diagnosis(module);
  bind_matrices(module);
  bind_sparse(module);
  bind_products(module);
  bind_inversion(module);
  bind_models(module);
  bind_training(module);
  bind_parts(module);
  bind_columns(module);
  bind_causal(module);
}

}  // namespace askrff::python
