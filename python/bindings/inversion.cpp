// Which sources explain readings, by a kernel on a grid of frequencies.
#include "askrff/inversion.hpp"

#include <optional>

#include "arrays.hpp"
#include "calls.hpp"
#include "kernels.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

nb::dict to_dict(Inversion found) {
  nb::dict out;
  out["amplitudes"] = to_array(std::move(found.amplitudes));
  out["alpha"] = found.lambda;
  out["residual"] = found.residual;
  out["n_iter"] = found.iterations;
  out["converged"] = found.converged;
  std::vector<double> alphas, errors;
  for (const HeldOutReadings& tried : found.path) {
    alphas.push_back(tried.lambda);
    errors.push_back(tried.error);
  }
  out["alphas"] = to_array(std::move(alphas));
  out["errors"] = to_array(std::move(errors));
  return out;
}

nb::dict source_inversion(const NamedKernel& kernel, const Array& X, const Array& sources, const Array& y, std::optional<double> alpha,
                          std::optional<double> noise, bool positive, double tolerance, std::size_t n_folds, std::uint64_t seed,
                          std::size_t n_threads) {
  constexpr const char* who = "SourceInversion";
  const auto sensors = view_of<double>(X, who, "X"), places = view_of<double>(sources, who, "sources");
  const auto readings = view_of<double>(y, who, "y");
  return to_dict(interruptible(n_threads, [&](const Execution& execution) {
    const GridOperator<double> K(*kernel.kernel, sensors, places, {.tolerance = tolerance}, execution);
    return invert_sources(K, {readings.data(), readings.rows() * readings.cols()},
                          {.lambda = alpha,
                           .noise = noise,
                           .non_negative = positive,
                           .tolerance = tolerance,
                           .n_folds = n_folds,
                           .seed = seed,
                           .execution = execution});
  }));
}

}  // namespace

void bind_inversion(nb::module_& module) {
  module.def("source_inversion", &source_inversion, "kernel"_a, "X"_a, "sources"_a, "y"_a, "alpha"_a = nb::none(), "noise"_a = nb::none(),
             "positive"_a = true, "tolerance"_a = InversionOptions{}.tolerance, "n_folds"_a = InversionOptions{}.n_folds, "seed"_a = 0,
             "n_threads"_a = 0, "Amplitudes of sources whose readings are y (one row), and how they were found, as a dict.");
}

}  // namespace askrff::python
