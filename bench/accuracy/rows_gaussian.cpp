// The ordinary Gaussian kernel in many dimensions, where users of random features are at home.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

// exp(-γ‖δ‖²) with γ = 0.5/d.
std::unique_ptr<Kernel> kernel_in(std::size_t dim) { return gaussian({.sigma = std::sqrt(static_cast<double>(dim))}); }

Figures plain_error(Context& context, std::size_t dim, std::size_t n, Sampler sampler) {
  const Problem& problem = context.normal_data(dim);
  const auto kernel = kernel_in(dim);
  return figures_of(trials(context.sizes().trials, [&](std::uint64_t seed) {
    return error_of(*kernel, plain_atoms(*kernel, problem, Estimator::polar, sampler, context.scaled(n), seed), problem);
  }));
}

Figures calibrated_error(Context& context, std::size_t dim, std::size_t n, Sampler sampler) {
  const Problem& problem = context.normal_data(dim);
  const auto kernel = kernel_in(dim);
  return figures_of(trials(context.sizes().curve_trials, [&](std::uint64_t seed) {
    const SpectralAtoms atoms = plain_atoms(*kernel, problem, Estimator::polar, sampler, context.scaled(n), seed);
    return error_of(*kernel, calibrate(*kernel, atoms, problem.training, {.seed = seed}), problem);
  }));
}

}  // namespace

Group gaussian_rows() {
  struct Case {
    std::size_t dim, n_features;
    double target;
  };
  constexpr std::array<Case, 3> cases{{{22, 4096, 0.018}, {64, 2048, 0.026}, {512, 4096, 0.019}}};
  Group group{
      "Gaussian kernel in many dimensions",
      "Error for exp(-γ‖x-y‖²), γ = 0.5/d, on standard normal data, two features per frequency. Without calibration these have a target; "
      "calibrated ones (fitted on 4000 rows, 3 trials) are reported.",
      {}};
  for (const Case& each : cases)
    for (const Sampler sampler : {Sampler::orthogonal, Sampler::structured, Sampler::mub}) {
      const std::string name = fmt::format("gaussian-d{}-{}", each.dim, name_of(sampler));
      const std::string what = fmt::format("d = {}, {} features, {}", each.dim, each.n_features, name_of(sampler));
      const std::size_t n = each.n_features / 2;
      group.rows.push_back({name, what, "relative error", Target{Sense::at_most, each.target},
                            [=](Context& context) { return plain_error(context, each.dim, n, sampler); }});
      group.rows.push_back({name + "-calibrated", what + ", calibrated", "relative error", Target{},
                            [=](Context& context) { return calibrated_error(context, each.dim, n, sampler); }});
    }
  return group;
}

}  // namespace askrff::accuracy
