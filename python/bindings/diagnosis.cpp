// diagnose(): what a kernel is on given rows.
#include "askrff/diagnose.hpp"

#include <cstdint>

#include "arrays.hpp"
#include "askrff/map.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "kernels.hpp"
#include "sparse.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

nb::dict to_python(const KernelLine& line) {
  nb::dict result;
  result["name"] = line.name;
  result["at"] = line.at;
  result["value"] = line.value;
  result["skew"] = line.skew;
  result["frequency"] = line.frequency;
  result["real"] = line.real;
  result["imaginary"] = line.imaginary;
  return result;
}

nb::dict to_python(const NamedKernel& kernel, const Diagnosis& found) {
  nb::dict result;
  result["kernel"] = kernel.kernel->name();
  result["dim"] = found.dim;
  result["n_rows"] = found.n_rows;
  result["kernel_class"] = name_of(found.kernel_class);
  result["symmetric_share"] = found.symmetric_share;
  result["skew_share"] = found.skew_share;
  result["negative_share"] = found.negative_share;
  result["smallest_eigenvalue"] = found.smallest_eigenvalue;
  result["largest_eigenvalue"] = found.largest_eigenvalue;
  result["singular_values"] = found.singular_values;
  result["features_for_1e_2"] = found.features_for_1e_2;
  result["features_for_1e_3"] = found.features_for_1e_3;
  result["shift_invariant"] = found.shift_invariant;
  result["shift_variation"] = found.shift_variation;
  result["smoothness"] = name_of(found.smoothness);
  result["decay"] = found.decay;
  result["integrable"] = found.integrable;
  result["has_measure"] = found.has_measure;
  result["measure_reason"] = found.measure_reason;
  result["total_variation"] = found.total_variation;
  nb::list lines;
  for (const KernelLine& line : found.lines) lines.append(to_python(line));
  result["lines"] = lines;
  result["route"] = found.route;
  result["reason"] = found.reason;
  return result;
}

nb::dict diagnosed(const nb::object& kernel, const nb::dict& params, const nb::object& X, std::size_t n_rows, std::uint64_t seed,
                   std::size_t n_threads) {
  const KernelChoice choice = kernel_choice(kernel, params);
  const RowsView<double> rows = rows_of_either(X, "diagnose", "X");
  NamedKernel fitted;
  const Diagnosis found = interruptible(n_threads, [&](const Execution& execution) {
    fitted = fitted_kernel(choice, rows, seed, execution.stop);
    return diagnose(*fitted.kernel, rows, {.n_rows = n_rows, .seed = seed, .execution = execution});
  });
  return to_python(fitted, found);
}

}  // namespace

void bind_diagnosis(nb::module_& module) {
  module.def("diagnose", &diagnosed, "kernel"_a, "params"_a, "X"_a, "n_rows"_a, "seed"_a, "n_threads"_a,
             "What a kernel is on rows of X, as a dict; a name without sigma is stretched to them.");
}

}  // namespace askrff::python
