// A foreign program without data files: the same for every way of consuming the library, which needs no Boost.Iostreams.
#include <askrff/askrff.hpp>
#include <cstdio>

int main() {
  const auto kernel = askrff::make_kernel("shift-gaussian", {{"sigma", 2.0}, {"shift", 0.25}});
  const auto masses = askrff::exact_masses(*kernel->measure(8));
  const askrff::Matrix<double> X(3, 2, {0, 1, 2, 3, 4, 5});
  askrff::MemoryRows rows(X);
  const askrff::FeatureMap map(askrff::approximate(*kernel, rows.n_columns(), {.n_frequencies = 64}));
  std::printf("askrff %s: mass %.15f, %zu features\n", ASKRFF_VERSION, masses.real_positive, map.left(X).cols());
  return masses.real_positive > 0.9394137 && masses.real_positive < 0.9394138 ? 0 : 1;
}
