// Calibration where it has little to gain, and what it costs.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

Figures does_no_harm(Context& context, const NamedKernel& named, Sampler sampler) {
  constexpr std::size_t dim = 57;
  const Problem& problem = context.uniform_data(dim);
  const Kernel& kernel = *named.kernel;
  std::vector<double> before, after;
  const auto ratios = trials(context.sizes().trials, [&](std::uint64_t seed) {
    const SpectralAtoms atoms = plain_atoms(kernel, problem, Estimator::polar, sampler, context.scaled(16 * dim), seed);
    before.push_back(error_of(kernel, atoms, problem));
    after.push_back(error_of(kernel, calibrate(kernel, atoms, problem.training, {.seed = seed}), problem));
    return after.back() / before.back();
  });
  Figures figures = figures_of(ratios);
  figures.allowance = 2 * figures.deviation / std::sqrt(static_cast<double>(ratios.size()));
  figures.note = fmt::format("uncalibrated {:.3e}, calibrated {:.3e}; standard error of the ratio {:.4f}", mean_of(before), mean_of(after),
                             figures.allowance / 2);
  return figures;
}

Figures seconds_to_calibrate(Context& context) {
  constexpr std::size_t dim = 22;
  const Problem& problem = context.uniform_data(dim);
  const auto kernel = shift_gaussian();
  const SpectralAtoms atoms = plain_atoms(*kernel, problem, Estimator::polar, Sampler::mub, context.scaled(4096), trial_seed(0));
  const auto start = std::chrono::steady_clock::now();
  const SpectralAtoms calibrated = calibrate(*kernel, atoms, problem.training, {.seed = trial_seed(0), .execution = {2}});
  Figures figures{.value = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
  figures.note = fmt::format("{} pairs", calibrated.provenance().calibration->n_pairs);
  return figures;
}

}  // namespace

Group calibration_rows() {
  Group group{"Calibration",
              "Uniform data in [0,1]^57 leave calibration almost nothing to learn: its error over that of the same atoms before it, 16d "
              "frequencies, polar estimator. It must do no harm. Then the time it takes.",
              {}};
  const auto kernels = paper_kernels();
  for (const Sampler sampler : {Sampler::mub, Sampler::exact})
    for (const std::size_t which : {1, 0}) {
      const NamedKernel& kernel = kernels[which];
      group.rows.push_back({fmt::format("calibration-{}-{}", kernel.name, name_of(sampler)),
                            fmt::format("d = 57, {}-gaussian, {} frequencies, {}", kernel.name, 16 * 57, name_of(sampler)),
                            "× the error before", Target{Sense::at_most, 1, "2 standard errors"},
                            [=](Context& context) { return does_no_harm(context, kernel, sampler); }});
    }
  group.rows.push_back({"calibration-seconds", "4096 frequencies on 2 threads, d = 22, shift-gaussian", "s", Target{Sense::at_most, 60},
                        seconds_to_calibrate});
  return group;
}

}  // namespace askrff::accuracy
