// Does the automatic choice find the best method where methods change places?
#include <fmt/format.h>

#include <algorithm>

#include "askrff/kernels.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

struct Regime {
  std::string name, what;
  std::size_t dim;
  std::shared_ptr<const Kernel> kernel;
};

std::vector<Regime> regimes() {
  const auto shift = [](double sigma) { return std::shared_ptr<const Kernel>(shift_gaussian({.sigma = sigma})); };
  std::vector<Regime> list{{"cosh-sigma4-d8", "cosh-gaussian, σ = 4, d = 8", 8, cosh_gaussian({.sigma = 4})}};
  for (const std::size_t dim : {8, 22})
    list.push_back({fmt::format("shift-sigma0.25-d{}", dim), fmt::format("shift-gaussian, σ = 0.25, d = {}", dim), dim, shift(0.25)});
  for (const std::size_t dim : {8, 22})
    list.push_back({fmt::format("shift-sigma1-d{}", dim), fmt::format("shift-gaussian, σ = 1, d = {}", dim), dim, shift(1)});
  for (const NamedKernel& named : paper_kernels())
    list.push_back({named.name + "-d1", fmt::format("{}-gaussian, σ = 2, d = 1", named.name), 1, named.kernel});
  return list;
}

struct Method {
  std::string name;
  std::function<SpectralAtoms(std::uint64_t)> make;
};

Figures against_best(Context& context, const Regime& regime) {
  const Problem& problem = context.uniform_data(regime.dim);
  const Kernel& kernel = *regime.kernel;
  const std::size_t n = context.scaled(48 * regime.dim);
  const auto plain = [&](Estimator estimator, Sampler sampler) {
    return [&, estimator, sampler](std::uint64_t seed) { return plain_atoms(kernel, problem, estimator, sampler, n, seed); };
  };
  const bool on_a_line = regime.dim == 1;
  const std::vector<Method> methods{
      {"paper", [&](std::uint64_t seed) { return paper_atoms_in_all(kernel, problem, n, seed); }},
      {"jordan", plain(Estimator::jordan, Sampler::exact)},
      {"polar", plain(Estimator::polar, Sampler::exact)},
      {"mub", plain(Estimator::polar, Sampler::mub)},
      {on_a_line ? "quadrature" : "ridge", plain(Estimator::polar, on_a_line ? Sampler::quadrature : Sampler::ridge)}};
  const auto errors_of = [&](const auto& make) {
    return trials(context.sizes().trials, [&](std::uint64_t seed) { return error_of(kernel, make(seed), problem); });
  };

  std::vector<double> best;
  std::string note;
  for (const Method& method : methods) {
    try {
      const auto errors = errors_of(method.make);
      note += fmt::format("{} {:.2e}, ", method.name, mean_of(errors));
      if (best.empty() || mean_of(errors) < mean_of(best)) best = errors;
    } catch (const std::invalid_argument&) {
      note += method.name + " refused, ";
    }
  }
  const auto automatic = errors_of([&](std::uint64_t seed) { return chosen_atoms(regime.kernel, problem, n, seed); });
  Figures figures = ratio_figures(automatic, best);
  figures.note = note + fmt::format("auto {:.2e} ± {:.0e}", mean_of(automatic), deviation_of(automatic));
  return figures;
}

}  // namespace

Group regime_rows() {
  Group group{
      "Regimes where methods change places",
      "Error of the Fourier map of `choose_features` (auto) over that of the best of five uncalibrated methods, which one would have to "
      "know beforehand. Uniform data in [0,1]^d, 48d frequencies in all.",
      {}};
  for (const Regime& regime : regimes())
    group.rows.push_back({"regime-" + regime.name, regime.what, "× the best's error", Target{Sense::at_most, 1.1},
                          [=](Context& context) { return against_best(context, regime); }});
  return group;
}

}  // namespace askrff::accuracy
