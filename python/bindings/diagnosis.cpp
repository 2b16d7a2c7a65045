// diagnose(): what a kernel is on given rows.
#include "askrff/diagnose.hpp"

#include <cstdint>
#include <memory>
#include <optional>

#include "arrays.hpp"
#include "askrff/map.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "kernels.hpp"
#include "matrices.hpp"
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

nb::dict to_python(const MatrixDiagnosis& found) {
  nb::dict result;
  result["n_rows"] = found.n_rows;
  result["n_columns"] = found.n_columns;
  result["norm"] = found.norm;
  result["is_whole"] = found.is_whole;
  const auto& symmetry = found.symmetry;
  const auto add = [&](const char* name, const auto& value_of) {
    if (symmetry)
      result[name] = value_of(*symmetry);
    else
      result[name] = nb::none();
  };
  add("kernel_class", [](const SymmetryFacts& facts) { return name_of(facts.kernel_class); });
  add("symmetric_share", [](const SymmetryFacts& facts) { return facts.symmetric_share; });
  add("skew_share", [](const SymmetryFacts& facts) { return facts.skew_share; });
  add("negative_share", [](const SymmetryFacts& facts) { return facts.negative_share; });
  add("smallest_eigenvalue", [](const SymmetryFacts& facts) { return facts.smallest_eigenvalue; });
  add("largest_eigenvalue", [](const SymmetryFacts& facts) { return facts.largest_eigenvalue; });
  result["singular_values"] = found.singular_values;
  const auto known = [](std::size_t n) { return n == 0 ? std::nullopt : std::optional(n); };
  result["features_for_1e_2"] = known(found.features_for_1e_2);
  result["features_for_1e_3"] = known(found.features_for_1e_3);
  result["n_features"] = found.n_features;
  result["best_error"] = found.best_error;
  result["reason"] = found.reason;
  return result;
}

nb::dict diagnosed_matrix(const nb::object& K, std::size_t n_rows, std::uint64_t seed, std::size_t n_threads) {
  DiagnoseOptions options{.n_rows = n_rows, .seed = seed};
  if (nb::hasattr(K, "matmat")) {
    const std::unique_ptr<const LinearMap> products = operator_map(K);
    return to_python(interruptible(n_threads, [&](const Execution& execution) {
      options.execution = execution;
      return diagnose_matrix(*products, options);
    }));
  }
  const RowsView<double> rows = rows_of_either(K, "diagnose", "K");
  return to_python(interruptible(n_threads, [&](const Execution& execution) {
    options.execution = execution;
    return diagnose_matrix(rows, options);
  }));
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
  module.def("diagnose_matrix", &diagnosed_matrix, "K"_a, "n_rows"_a, "seed"_a, "n_threads"_a,
             "What a kernel matrix is, as a dict: a float64 array, SparseRows, or what has shape, matmat and rmatmat.");
}

}  // namespace askrff::python
