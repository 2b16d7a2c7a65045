// The data of docs/figures/asymmetric-kernel.png: a sinh-Gaussian kernel in one dimension beside its approximation with few and many
// frequencies. Prints two blocks for gnuplot: "x y exact few many" on a grid, then "δ exact few many" along a line.
#include <askrff/askrff.hpp>
#include <cstdio>

namespace {

constexpr std::size_t n_grid = 81, n_line = 401, n_few = 16, n_many = 1024;

askrff::Matrix<double> equally_spaced(std::size_t n, double from, double to) {
  askrff::Matrix<double> points(n, 1);
  for (std::size_t i = 0; i < n; ++i) points(i, 0) = from + (to - from) * static_cast<double>(i) / static_cast<double>(n - 1);
  return points;
}

}  // namespace

int main() {
  const auto kernel = askrff::sinh_gaussian({.sigma = 1.0, .beta = 1.0});
  const askrff::FeatureMap few(askrff::approximate(*kernel, 1, {.n_frequencies = n_few, .seed = 1}));
  const askrff::FeatureMap many(askrff::approximate(*kernel, 1, {.n_frequencies = n_many, .seed = 1}));

  const auto x = equally_spaced(n_grid, -4, 4);
  const auto exact = askrff::exact_gram(*kernel, x, x), with_few = askrff::approximate_gram(few, x, x),
             with_many = askrff::approximate_gram(many, x, x);
  for (std::size_t i = 0; i < n_grid; ++i, std::printf("\n"))
    for (std::size_t j = 0; j < n_grid; ++j)
      std::printf("%.3f %.3f %.5f %.5f %.5f\n", x(i, 0), x(j, 0), exact(i, j), with_few(i, j), with_many(i, j));
  std::printf("\n");

  const auto delta = equally_spaced(n_line, -6, 6);
  const askrff::Matrix<double> origin(1, 1);
  const auto k = askrff::exact_gram(*kernel, delta, origin), k_few = askrff::approximate_gram(few, delta, origin),
             k_many = askrff::approximate_gram(many, delta, origin);
  for (std::size_t i = 0; i < n_line; ++i) std::printf("%.3f %.5f %.5f %.5f\n", delta(i, 0), k(i, 0), k_few(i, 0), k_many(i, 0));

  return askrff::approximation_error(*kernel, many, x, x).frobenius < 0.1 ? 0 : 1;
}
