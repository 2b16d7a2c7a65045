// The worst case: data that fill all dimensions, at an equal number of frequencies.
#include <fmt/format.h>

#include <array>

#include "methods.hpp"

namespace askrff::accuracy {
namespace {

Figures against_paper(Context& context, const NamedKernel& named, std::size_t dim) {
  const Problem& problem = context.uniform_data(dim);
  const Kernel& kernel = *named.kernel;
  const std::size_t n = context.scaled(48 * dim);
  // A search among maps of 2736 frequencies takes half a minute.
  const std::size_t n_trials = dim > 50 ? context.sizes().curve_trials : context.sizes().trials;
  std::string chosen;
  const auto paper =
      trials(n_trials, [&](std::uint64_t seed) { return error_of(kernel, paper_atoms_in_all(kernel, problem, n, seed), problem); });
  const auto ours = trials(n_trials, [&](std::uint64_t seed) {
    const SpectralAtoms atoms = chosen_atoms(named.kernel, problem, n, seed);
    chosen = fmt::format("{} {}", atoms.provenance().estimator, atoms.provenance().sampler);
    return error_of(kernel, atoms, problem);
  });
  Figures figures = ratio_figures(paper, ours);
  figures.note = fmt::format("the paper's {:.2e}, ours {:.2e} ± {:.0e} ({} in the last trial)", mean_of(paper), mean_of(ours),
                             deviation_of(ours), chosen);
  return figures;
}

}  // namespace

Group uniform_rows() {
  struct Case {
    std::size_t dim;
    double target;
  };
  constexpr std::array<Case, 4> cases{{{8, 40}, {16, 8}, {22, 7}, {57, 4.5}}};
  Group group{"Worst case: uniform data",
              "Error of the paper's estimator over that of the Fourier map of `choose_features`, both with 48d frequencies in all, on data "
              "uniform in [0,1]^d. Its square is about the saving in frequencies.",
              {}};
  for (const Case& each : cases)
    for (const NamedKernel& kernel : paper_kernels())
      group.rows.push_back({fmt::format("uniform-d{}-{}", each.dim, kernel.name),
                            fmt::format("d = {}, {}-gaussian, {} frequencies", each.dim, kernel.name, 48 * each.dim), "× lower error",
                            Target{Sense::at_least, each.target},
                            [=](Context& context) { return against_paper(context, kernel, each.dim); }});
  return group;
}

}  // namespace askrff::accuracy
