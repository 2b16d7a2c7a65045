// Algorithm 2 of the paper with its sign corrected: min ‖K - ξ₁G₁ + ξ₂G₂ + 2ξ₃G₃‖_F subject to ξ ≥ 0, ξ₁ - ξ₂ = k(0).
// Symmetric and skew matrices are orthogonal, so the problem falls into two scalar ones with closed solutions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/errors.hpp"
#include "backend/backend.hpp"
#include "core/checks.hpp"
#include "weighting/subset_kernel.hpp"

namespace askrff {
namespace {

using weighting::inner_product;

// Frequencies whose waves are held at once: their rows stay in the caches.
constexpr std::size_t waves_at_once = 1024, rows_at_once = 192;

// G(i,j) = mean cos(ω·(x_i - x_j)) (or sin for the imaginary part) over the frequencies of one part: with waves e_i = [cos u_i, sin u_i],
// cos(u_i - u_j) = e_i·e_j and sin(u_i - u_j) = [sin u_i, -cos u_i]·e_j.
Matrix<double> mean_wave(const SpectralAtoms& draws, const PartRecord& part, const RowsView<double>& X, const Execution& execution) {
  const auto& primitives = backend::select(execution.backend);
  const bool is_skew = part.part == Part::imaginary_positive;
  const std::size_t n = X.rows();
  Matrix<double> G(n, n);
  for (std::size_t first = 0; first < part.count; first += waves_at_once) {
    const std::size_t count = std::min(waves_at_once, part.count - first);
    const auto projection = primitives.make_projection(draws.frequencies().middle_rows(part.first + first, count));
    const auto waves = [&](double along, double across) {
      Matrix<double> out(n, 2 * count);
      const backend::Amplitudes amplitudes(std::vector<double>(count, along), std::vector<double>(count, across));
      primitives.for_double.waves(*projection, amplitudes, backend::rows_of(X), backend::rows_of(out.view()), backend::Store::cached);
      return out;
    };
    const Matrix<double> right = waves(1, 0), left = is_skew ? waves(0, -1) : right;
    for (std::size_t i = 0; i < n; i += rows_at_once) {
      execution.stop.check();
      const std::size_t rows = std::min(rows_at_once, n - i);
      primitives.for_double.product(backend::rows_of(left.view()).from(i, rows), backend::rows_of(right.view()), 2 * count,
                                    backend::rows_of(G.view()).from(i, rows), backend::Update::add);
    }
  }
  const double scale = 1.0 / static_cast<double>(part.count);
  for (std::size_t i = 0; i < n; ++i)
    for (double& value : G.row(i)) value *= scale;
  return G;
}

// x A + y B
Matrix<double> combine(double x, const Matrix<double>& A, double y, const Matrix<double>& B) {
  Matrix<double> sum(A.rows(), A.cols());
  for (std::size_t i = 0; i < A.rows(); ++i)
    for (std::size_t j = 0; j < A.cols(); ++j) sum(i, j) = x * A(i, j) + y * B(i, j);
  return sum;
}

// A matrix whose entries (means of cosines or sines) are of the size of their rounding errors is zero: nothing can be fitted to it.
bool is_rounding(const Matrix<double>& G) {
  constexpr double rounding = 1e-13;
  return inner_product(G, G) <= rounding * rounding * static_cast<double>(G.rows() * G.cols());
}

}  // namespace

MassFit fit_masses(const Kernel& kernel, const SpectralAtoms& draws, const RowsView<double>& subset, const Execution& execution) {
  require_row_columns(subset, draws.dim(), "fit_masses", "the subset", "the atoms were drawn in dimension");
  require_finite_rows<double>(subset, "fit_masses", "the subset");
  if (subset.rows() == 0) throw InvalidArgument("fit_masses", "the subset is empty");
  const auto k = weighting::split_kernel_matrix(kernel, subset, execution);
  const double k0 = kernel.at_zero(draws.dim());

  std::array<std::optional<Matrix<double>>, 3> waves;
  for (const PartRecord& part : draws.parts())
    if (part.count > 0) waves[static_cast<std::size_t>(part.part)] = mean_wave(draws, part, subset, execution);
  const auto& [G1, G2, G3] = waves;
  if (!G1 && !G2 && !G3) throw InvalidArgument("fit_masses", "the atoms were not drawn part by part");

  MassFit fit;
  Matrix<double> residual = k.symmetric;
  const double smallest = std::max(0.0, -k0);  // ξ₂ ≥ 0 and ξ₁ = ξ₂ + k(0) ≥ 0
  if (G1 && G2) {
    const auto difference = combine(1, *G1, -1, *G2), target = combine(1, k.symmetric, -k0, *G1);
    if (!is_rounding(difference))
      fit.unconstrained_real_negative = inner_product(target, difference) / inner_product(difference, difference);
    fit.real_negative = std::max(smallest, fit.unconstrained_real_negative);
  } else {
    fit.unconstrained_real_negative = fit.real_negative = G2 ? smallest : 0.0;
  }
  fit.real_positive = G1 ? std::max(0.0, fit.real_negative + k0) : 0.0;
  if (G1) residual = combine(1, residual, -fit.real_positive, *G1);
  if (G2) residual = combine(1, residual, fit.real_negative, *G2);

  Matrix<double> skew_residual = k.skew;
  if (G3) {
    if (!is_rounding(*G3)) fit.unconstrained_imaginary_positive = -inner_product(k.skew, *G3) / (2 * inner_product(*G3, *G3));
    fit.imaginary_positive = std::max(0.0, fit.unconstrained_imaginary_positive);
    skew_residual = combine(1, skew_residual, 2 * fit.imaginary_positive, *G3);
  }
  fit.residual = std::sqrt(inner_product(residual, residual) + inner_product(skew_residual, skew_residual));
  return fit;
}

}  // namespace askrff
