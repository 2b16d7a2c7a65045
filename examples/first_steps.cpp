// Ten lines: an asymmetric kernel as a product of features.
#include <askrff/askrff.hpp>
#include <cstdio>

int main() {
  const auto X = askrff::read_data("builtin:uniform:8:300").X;
  const auto kernel = askrff::sinh_gaussian({.sigma = 2.0, .beta = 0.1});
  const auto atoms = askrff::approximate(*kernel, X.cols(), {.n_frequencies = 1024, .seed = 7});
  const askrff::FeatureMap map(atoms);
  const auto L = map.left(X), R = map.right(X);  // K ≈ L Rᵀ
  std::printf("%zu rows became %zu left and %zu right features each\n", X.rows(), L.cols(), R.cols());
  std::printf("relative error: %.3f\n", askrff::approximation_error(*kernel, map, X, X).frobenius);
}
