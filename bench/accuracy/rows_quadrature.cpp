// Few dimensions, where frequencies need not be random at all.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "methods.hpp"

namespace askrff::accuracy {
namespace {

Figures worst_error(Context& context, std::size_t dim, std::size_t n) {
  const Problem& problem = context.uniform_data(dim);
  Figures figures;
  for (const NamedKernel& named : paper_kernels()) {
    const SpectralAtoms atoms =
        approximate(*named.kernel, dim, {.n_frequencies = n, .estimator = Estimator::polar, .sampler = Sampler::quadrature});
    if (atoms.size() > n) throw std::runtime_error(fmt::format("{} frequencies, {} were asked for", atoms.size(), n));
    const double error = error_of(*named.kernel, atoms, problem);
    figures.value = std::max(figures.value, error);
    figures.note += fmt::format("{}{} {:.1e} with {}", figures.note.empty() ? "" : ", ", named.name, error, atoms.size());
  }
  return figures;
}

}  // namespace

Group quadrature_rows() {
  struct Case {
    std::size_t dim, n;
    double target;
  };
  constexpr std::array<Case, 5> cases{{{1, 24, 1e-13}, {2, 250, 1e-12}, {3, 900, 1e-11}, {4, 600, 1e-5}, {5, 1500, 1e-4}}};
  Group group{
      "Quadrature in few dimensions",
      "Error of the quadrature rule, the worst of the three kernels, uniform data in [0,1]^d. It is not random: one trial. It may use "
      "fewer frequencies than it is allowed; how many is in the note.",
      {}};
  for (const Case& each : cases)
    group.rows.push_back({fmt::format("quadrature-d{}", each.dim), fmt::format("d = {}, at most {} frequencies", each.dim, each.n),
                          "relative error", Target{Sense::at_most, each.target},
                          [=](Context& context) { return worst_error(context, each.dim, each.n); }});
  return group;
}

}  // namespace askrff::accuracy
