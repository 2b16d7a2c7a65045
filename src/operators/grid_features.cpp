// Modes of the function, its values at cells, its values at points.
#include "operators/grid_features.hpp"

#include "nufft/nufft.hpp"

namespace askrff::operators {

Matrix<double> multiply_on_grid(const SpectralAtoms& atoms, MatrixView<const double> X, MatrixView<const double> W,
                                const Execution& execution) {
  constexpr double tolerance = 1e-13;
  const FrequencyGrid& grid = *atoms.grid();
  Matrix<double> out(X.rows(), W.cols());
  if (out.empty()) return out;
  const nufft::Nufft<double> nufft(grid.half, nufft::Torus::of(grid), tolerance, execution.stop);
  const nufft::SortedPoints<double> points = nufft.sorted(X, execution.stop);
  nufft::GridTransform<double> transform = nufft.transform(execution);
  const std::size_t n = atoms.size();
  for (std::size_t column = 0; column < W.cols(); ++column) {
    nufft::for_each_mode(nufft.shape(), [&](std::size_t, std::size_t j, bool conjugate, std::size_t a, std::size_t b, std::size_t c) {
      const double correction = nufft.corrected(0, a) * nufft.corrected(1, b) * nufft.corrected(2, c);
      const std::complex<double> v = correction * mode_of_weights(atoms, j, W(j, column), W(n + j, column));
      transform.re(a, b)[c] = v.real();
      transform.im(a, b)[c] = conjugate ? -v.imag() : v.imag();
    });
    nufft.to_points(transform, points, out.data() + column, out.cols(), execution);
  }
  return out;
}

}  // namespace askrff::operators
