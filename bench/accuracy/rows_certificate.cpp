// Does the certificate of choose_features keep its promise?
#include <fmt/format.h>

#include <cmath>

#include "askrff/choose.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

Figures share_above(Context& context) {
  constexpr std::size_t dim = 3, n_rows = 400;
  const auto kernels = paper_kernels();
  std::size_t above = 0, reached = 0;
  double n_features = 0;
  const std::size_t n_runs = context.sizes().certificates;
  for (std::size_t run = 0; run < n_runs; ++run) {
    const std::uint64_t seed = derive_seed(base_seed, 10'000 + run);
    const Problem problem = make_uniform(dim, n_rows, context.sizes().certificate_evaluation_rows, seed);
    const NamedKernel& named = kernels[run % kernels.size()];
    const Choice choice = choose_features(named.kernel, problem.training, {.tolerance = 0.01, .seed = seed});
    above += error_of(*named.kernel, choice.map, problem) > choice.certificate.error.upper ? 1 : 0;
    reached += choice.certificate.reached ? 1 : 0;
    n_features += static_cast<double>(choice.certificate.n_features) / static_cast<double>(n_runs);
  }
  Figures figures{.value = 100.0 * static_cast<double>(above) / static_cast<double>(n_runs), .trials = n_runs};
  figures.note =
      fmt::format("{} of {} runs; {} certify the tolerance, with {:.0f} features on average", above, n_runs, reached, n_features);
  return figures;
}

}  // namespace

Group certificate_rows() {
  return {
      "Certificates",
      "Runs of `choose_features` with a tolerance whose true error, on 2000 rows that took part in nothing, lies above the upper end of "
      "the 95 % interval of the certificate. 2.5 % are expected if the interval is exact.",
      {{"certificate", "uniform data, d = 3, 400 rows, tolerance 0.01, the three kernels in turn", "% of the runs",
        Target{Sense::at_most, 8}, share_above}}};
}

}  // namespace askrff::accuracy
