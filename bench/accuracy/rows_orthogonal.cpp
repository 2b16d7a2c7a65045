// What orthogonal directions gain over independent ones.
#include <fmt/format.h>

#include "askrff/kernels.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

Figures gain(Context& context, const NamedKernel& named, std::size_t dim, Estimator estimator) {
  const Problem& problem = context.uniform_data(dim);
  const Kernel& kernel = *named.kernel;
  const auto errors = [&](Sampler sampler) {
    return trials(context.sizes().trials, [&](std::uint64_t seed) {
      return error_of(kernel, plain_atoms(kernel, problem, estimator, sampler, context.scaled(48 * dim), seed), problem);
    });
  };
  const auto exact = errors(Sampler::exact), orthogonal = errors(Sampler::orthogonal);
  Figures figures = ratio_figures(exact, orthogonal);
  figures.note =
      fmt::format("independent {:.2e}, orthogonal {:.2e} ± {:.0e}", mean_of(exact), mean_of(orthogonal), deviation_of(orthogonal));
  return figures;
}

Figures polar_gain(Context& context, const NamedKernel& named, std::size_t dim) {
  Figures figures = gain(context, named, dim, Estimator::polar);
  const Figures jordan = gain(context, named, dim, Estimator::jordan);
  figures.note += fmt::format("; jordan estimator: {:.2f}× ({})", jordan.value, jordan.note);
  return figures;
}

}  // namespace

Group orthogonal_rows() {
  Group group{
      "Orthogonal directions",
      "Error with independent frequencies over that with orthogonal ones, polar estimator, exact weights, uniform data in [0,1]^d, 48d "
      "frequencies. The jordan estimator is in the note.",
      {}};
  auto kernels = paper_kernels();
  kernels.push_back({"gaussian", gaussian()});
  for (const std::size_t dim : {16, 22, 57})
    for (const NamedKernel& kernel : kernels)
      group.rows.push_back({fmt::format("orthogonal-d{}-{}", dim, kernel.name),
                            fmt::format("d = {}, {}", dim, kernel.name == "gaussian" ? kernel.name : kernel.name + "-gaussian"),
                            "× lower error", Target{Sense::at_least, 1.5},
                            [=](Context& context) { return polar_gain(context, kernel, dim); }});
  return group;
}

}  // namespace askrff::accuracy
