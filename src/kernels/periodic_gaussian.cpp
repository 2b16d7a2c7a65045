// exp(-‖δ‖²/2σ² - Σ 2 sin²(πδ_i/p)/ℓ²): periodic, for ever less alike; spectral law: every coordinate N(2πm/p, 1/σ²) for whole numbers m
// with probabilities e^{-κ} I_m(κ), κ = 1/ℓ².
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <numbers>
#include <vector>

#include "askrff/kernels.hpp"
#include "core/vectors.hpp"
#include "kernels/positive_kernel.hpp"

namespace askrff {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

/// e^{-κ} I_m(κ) for m = 0, 1, … as far as they matter: by downward recurrence and Σ over all whole m = 1, in portable arithmetic.
std::vector<double> harmonic_weights(double kappa) {
  const std::size_t last = 40 + static_cast<std::size_t>(9 * std::sqrt(kappa) + std::fmin(kappa, 40.0));
  std::vector<double> weights(last + 1);
  double above = 0, here = 1e-280, sum = 0;
  for (std::size_t m = last; m > 0; --m) {
    weights[m] = here;
    sum += 2 * here;
    const double below = above + 2 * static_cast<double>(m) / kappa * here;
    above = here;
    here = below;
    if (here < 1e200) continue;
    for (std::size_t i = m; i <= last; ++i) weights[i] *= 1e-250;
    sum *= 1e-250, above *= 1e-250, here *= 1e-250;
  }
  weights[0] = here;
  sum += here;
  for (double& weight : weights) weight /= sum;
  while (weights.size() > 1 && weights.back() < 1e-20) weights.pop_back();
  return weights;
}

struct PeriodicFamily {
  double sigma, period, kappa;
  std::vector<double> weights;  // of m = 0, 1, …

  std::string name() const { return "periodic-gaussian"; }
  double at(std::span<const double> delta) const {
    double exponent = kernels::half_scaled_square(delta, sigma);
    for (const double x : delta) {
      const double sine = std::sin(std::numbers::pi * (std::remainder(x, period) / period));
      exponent += 2 * kappa * sine * sine;
    }
    return std::exp(-exponent);
  }
  double log_density(std::span<const double> omega) const {
    double sum = static_cast<double>(omega.size()) * std::log(sigma / std::sqrt(two_pi));
    for (const double w : omega) {
      // The nearest harmonic's exponent is taken out, so that the sum has a logarithm.
      const double harmonic = std::fmin(std::nearbyint(std::fabs(w) * period / two_pi), static_cast<double>(weights.size() - 1));
      const auto exponent = [&](double m) {
        const double from = sigma * (w - two_pi * m / period);
        return -0.5 * from * from + std::log(weights[static_cast<std::size_t>(std::fabs(m))]);
      };
      const double at_nearest = exponent(std::copysign(harmonic, w));
      double terms = 0;
      for (std::size_t m = 0; m < weights.size(); ++m) {
        terms += std::exp(exponent(static_cast<double>(m)) - at_nearest);
        if (m > 0) terms += std::exp(exponent(-static_cast<double>(m)) - at_nearest);
      }
      sum += at_nearest + std::log(terms);
    }
    return sum;
  }
  double tail(double cut) const {
    double sum = 0;
    for (std::size_t m = 0; m < weights.size(); ++m) {
      const double centre = two_pi * static_cast<double>(m) / period;
      const double beyond =
          0.5 * (std::erfc(sigma * (cut - centre) / std::numbers::sqrt2) + std::erfc(sigma * (cut + centre) / std::numbers::sqrt2));
      sum += (m == 0 ? 1 : 2) * weights[m] * beyond;
    }
    return std::fmin(sum, 1.0);
  }
  double draw_centre(RandomStream& random) const {
    const std::uint64_t bits = random.bits();
    const double u = static_cast<double>(bits >> 11) * 0x1p-53;
    double below = weights[0];
    std::size_t m = 0;
    while (u >= below && m + 1 < weights.size()) below += 2 * weights[++m];
    const double centre = two_pi * static_cast<double>(m) / period;
    return (bits & 1) != 0 ? -centre : centre;
  }
  void draw(RandomStream& random, std::span<double> omega) const {
    random.normals(omega);
    for (double& coordinate : omega) coordinate = coordinate / sigma + draw_centre(random);
  }
  static constexpr bool isotropic = false, is_gaussian = false;
  void draw_from(std::span<const double> normals, RandomStream& random, std::span<double> omega) const {
    for (std::size_t i = 0; i < omega.size(); ++i) omega[i] = normals[i] / sigma + draw_centre(random);
  }
  std::optional<double> bound_beyond(std::span<const double> distances) const {
    return std::exp(-kernels::half_scaled_square(distances, sigma));
  }
  void fill_pairs(const Kernel& kernel, const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const;
  // With k = e^g: every coordinate contributes -g'' - g'².
  std::optional<double> minus_laplacian(std::span<const double> delta) const {
    const double q = two_pi / period, k = at(delta);
    if (k == 0) return 0.0;
    double sum = 0;
    for (const double x : delta) {
      const double angle = two_pi * (std::remainder(x, period) / period);
      const double slope = x / (sigma * sigma) + kappa * q * std::sin(angle);
      sum += 1 / (sigma * sigma) + kappa * q * q * std::cos(angle) - slope * slope;
    }
    return sum * k;
  }
};

/// Angles of rows: coordinate c becomes cosine and sine of 2πx/p, moved so that zeros stay zeros: squared distances of these are
/// Σ 4 sin²(πδ_i/p).
class Angles {
 public:
  Angles(double period, std::span<const double> shift) : period_(period), shift_(shift) {}

  RowsMatrix<double> of(const RowsView<double>& rows, bool is_moved) const {
    if (rows.is_sparse()) return of_sparse(rows.sparse(), is_moved);
    Matrix<double> out(rows.rows(), 2 * rows.cols());
    for (std::size_t i = 0; i < rows.rows(); ++i)
      for (std::size_t c = 0; c < rows.cols(); ++c) put(rows.dense()(i, c), 0, out(i, 2 * c), out(i, 2 * c + 1));
    return out;
  }
  /// What is to be added to rows X after they were moved.
  std::vector<double> shift() const {
    std::vector<double> out(2 * shift_.size());
    for (std::size_t c = 0; c < shift_.size(); ++c) put(shift_[c], 0, out[2 * c], out[2 * c + 1]);
    return out;
  }

 private:
  /// cos - cos and sin - sin of the angles of `from + x` and `from`.
  void put(double x, double from, double& cosine, double& sine) const {
    const double angle = two_pi * (std::remainder(x, period_) / period_), start = two_pi * (std::remainder(from, period_) / period_);
    const double half = std::sin(0.5 * angle), middle = start + 0.5 * angle;
    cosine = -2 * half * std::sin(middle);
    sine = 2 * half * std::cos(middle);
  }
  SparseMatrix<double> of_sparse(const SparseView<double>& rows, bool is_moved) const {
    SparseMatrix<double> out(2 * rows.cols());
    std::vector<std::uint32_t> columns;
    std::vector<double> values;
    for (std::size_t i = 0; i < rows.rows(); ++i) {
      columns.clear();
      values.clear();
      for (std::size_t k = 0; k < rows.columns_of(i).size(); ++k) {
        const std::uint32_t c = rows.columns_of(i)[k];
        double cosine = 0, sine = 0;
        put(rows.values_of(i)[k], is_moved && !shift_.empty() ? shift_[c] : 0.0, cosine, sine);
        columns.insert(columns.end(), {2 * c, 2 * c + 1});
        values.insert(values.end(), {cosine, sine});
      }
      out.add_row(columns, values);
    }
    return out;
  }

  double period_;
  std::span<const double> shift_;
};

// Of the exponent: (dim + 8)·2^-52 of itself, and of its periodic part 2^-51·κ times the sizes of the angles 2πx/p.
void PeriodicFamily::fill_pairs(const Kernel& kernel, const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const {
  const RowsView<double> X = rows.X(), Y = rows.Y();
  constexpr std::size_t most_columns = std::numeric_limits<std::uint32_t>::max() / 2;
  if (X.is_sparse() && X.cols() > most_columns)
    return kernel.Kernel::evaluate_sparse_pairs(X.sparse(), Y.sparse(), rows.shift(), out, backend);
  const auto exponentials = kernels::fill_with_form(kernels::PairForm::squared, rows, out, backend);
  if (out.empty()) return;
  const Angles angles(period, rows.shift());
  const RowsMatrix<double> x = angles.of(X, true), y = angles.of(Y, false);
  const kernels::PairRows turned = X.is_sparse() ? kernels::PairRows(x.view().sparse(), y.view().sparse(), angles.shift())
                                                 : kernels::PairRows(x.view().dense(), y.view().dense());
  Matrix<double> chords(out.rows(), out.cols());
  kernels::fill_with_form(kernels::PairForm::squared, turned, chords.view(), backend);
  const double factor = kernels::gaussian_factor(sigma);
  for (std::size_t i = 0; i < out.rows(); ++i) {
    for (std::size_t j = 0; j < out.cols(); ++j) out(i, j) = factor * out(i, j) - 0.5 * kappa * chords(i, j);
    exponentials(out.row(i));
  }
}

}  // namespace

std::unique_ptr<Kernel> periodic_gaussian(PeriodicParameters p) {
  const std::string name = "periodic-gaussian";
  kernels::positive_scale(p.sigma, name, "sigma");
  kernels::positive_scale(p.period, name, "period");
  kernels::within(p.length, 0.01, 1e6, name, "length");
  const double kappa = 1 / (p.length * p.length);
  return std::make_unique<kernels::PositiveKernel<PeriodicFamily>>(PeriodicFamily{p.sigma, p.period, kappa, harmonic_weights(kappa)});
}

}  // namespace askrff
