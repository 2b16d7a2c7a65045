// Masses, draws and sums of a table.
#include "found_measures/line_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/portable_math.hpp"
#include "found_measures/legendre.hpp"

namespace askrff::found_measures {
namespace {

/// |z| of numbers whose squares neither overflow nor underflow; std::abs may be rounded otherwise elsewhere.
double plain_modulus(std::complex<double> z) { return std::sqrt(z.real() * z.real() + z.imag() * z.imag()); }

/// ∫ √(A t² + C) dt from 0 to T, A > 0.
double root_integral(double A, double C, double T) {
  const double end = std::sqrt(A * T * T + C), a = std::sqrt(A);
  const double turned = C > 0 ? C / (2 * a) * portable::log((a * T + end) / std::sqrt(C)) : 0.0;
  return 0.5 * T * end + turned;
}

/// ∫ |a + (b - a) t| dt over [0, 1].
double mean_modulus(std::complex<double> a, std::complex<double> b) {
  const double dr = b.real() - a.real(), di = b.imag() - a.imag();
  const double A = dr * dr + di * di, B = a.real() * dr + a.imag() * di, C = a.real() * a.real() + a.imag() * a.imag();
  if (A <= 0.01 * C) {  // far from 0: Gauss's rule with three nodes
    double sum = 0;
    for (const auto& [t, weight] :
         {std::pair{0.1127016653792583, 5.0 / 18}, std::pair{0.5, 8.0 / 18}, std::pair{0.8872983346207417, 5.0 / 18}})
      sum += weight * std::sqrt(std::max(0.0, C + t * (2 * B + t * A)));
    return sum;
  }
  const double nearest = -B / A, cross = a.real() * di - a.imag() * dr, least = cross * cross / A;
  const auto upto = [&](double t) { return t < nearest ? -root_integral(A, least, nearest - t) : root_integral(A, least, t - nearest); };
  return std::max(0.0, upto(1) - upto(0));
}

}  // namespace

void LineTable::fill_laws() {
  for (HalfLaw& law : laws_) law = {};
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
    const double from = knots_[i], to = knots_[i + 1];
    const std::complex<double> a = values_[i], b = values_[i + 1];
    laws_[0].add_positive(from, to, a.real(), b.real());
    laws_[1].add_positive(from, to, -a.real(), -b.real());
    laws_[2].add_absolute(from, to, a.imag(), b.imag());
  }
}

// Parts that are smaller than what is not known of them are taken to be empty.
void LineTable::drop_unknown_parts() {
  const bool positive = 2 * laws_[0].mass() > error_, negative = 2 * laws_[1].mass() > error_, imaginary = 2 * laws_[2].mass() > error_;
  if (!(positive || negative || imaginary)) return;  // all is as small as the error, and stays
  double dropped = 0;
  if (!positive) dropped += 2 * laws_[0].mass();
  if (!negative) dropped += 2 * laws_[1].mass();
  if (!imaginary) dropped += 2 * laws_[2].mass();
  if (dropped == 0) return;
  for (auto& value : values_) {
    const double re = value.real() > 0 ? (positive ? value.real() : 0.0) : (negative ? value.real() : 0.0);
    value = {re, imaginary ? value.imag() : 0.0};
  }
  error_ += dropped;
  if (!imaginary)
    parity_ = LineParity::even;
  else if (!positive && !negative)
    parity_ = LineParity::odd;
  fill_laws();
}

void LineTable::finish() {
  fill_laws();
  drop_unknown_parts();
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
    const double width = knots_[i + 1] - knots_[i];
    const std::complex<double> a = values_[i], b = values_[i + 1];
    envelope_.add(knots_[i], knots_[i + 1], plain_modulus(a), plain_modulus(b));
    total_ += 2 * width * mean_modulus(a, b);
  }
  if (parity_ != LineParity::none) total_ = 2 * (parity_ == LineParity::even ? laws_[0].mass() + laws_[1].mass() : laws_[2].mass());
  // ∫ω²|μ| of f may be infinite: what the last two bands of the table, a quarter of an octave each, say of those beyond must not matter.
  const auto moment_within = [&](double end) {
    HalfLaw inner;
    for (std::size_t i = 0; i + 1 < knots_.size() && knots_[i + 1] <= end; ++i)
      inner.add(knots_[i], knots_[i + 1], plain_modulus(values_[i]), plain_modulus(values_[i + 1]));
    return inner.second_moment();
  };
  const double all = envelope_.second_moment(), last = all - moment_within(0.84 * knots_.back());
  const double before = all - last - moment_within(0.7 * knots_.back()), ratio = before > 0 ? last / before : 1.0;
  has_moments_ = ratio < 0.95 && last * ratio / (1 - ratio) <= 1e-3 * all;
}

std::size_t LineTable::piece_of(double omega) const {
  const auto after = std::ranges::upper_bound(knots_, omega);
  return std::min(static_cast<std::size_t>(after - knots_.begin()), knots_.size() - 1) - 1;
}

std::complex<double> LineTable::density(double omega) const {
  const double size = std::fabs(omega);
  if (!(size <= knots_.back())) return 0;
  const std::size_t i = piece_of(size);
  const double t = (size - knots_[i]) / (knots_[i + 1] - knots_[i]);
  const double re = values_[i].real() + t * (values_[i + 1].real() - values_[i].real());
  const double im = values_[i].imag() + t * (values_[i + 1].imag() - values_[i].imag());
  return {re, omega < 0 ? -im : im};
}

std::complex<double> LineTable::envelope_ratio(double omega) const {
  const double size = std::fabs(omega);
  if (!(size <= knots_.back())) return 0;
  const std::size_t i = piece_of(size);
  const double t = (size - knots_[i]) / (knots_[i + 1] - knots_[i]);
  const double first = plain_modulus(values_[i]), last = plain_modulus(values_[i + 1]), above = first + t * (last - first);
  if (!(above > 0)) return 0;
  // Where μ is real and keeps its sign it is its envelope, without a rounding.
  if (parity_ == LineParity::even && (values_[i].real() < 0) == (values_[i + 1].real() < 0))
    return values_[i].real() < 0 || values_[i + 1].real() < 0 ? -1.0 : 1.0;
  const std::complex<double> mu = density(omega);
  return {mu.real() / above, mu.imag() / above};
}

double LineTable::envelope_quantile(double u) const {
  if (u == 0.5) return 0;
  return u < 0.5 ? -envelope_.at(1 - 2 * u).omega : envelope_.at(2 * u - 1).omega;
}

double LineTable::mass(Part part) const {
  const double half = laws_[static_cast<std::size_t>(part)].mass();
  return part == Part::imaginary_positive ? half : 2 * half;  // a positive value at ω is one of -ω too, or a negative one there
}

std::optional<double> LineTable::second_moment(Part part) const {
  if (!has_moments_) return std::nullopt;
  const double half = laws_[static_cast<std::size_t>(part)].second_moment();
  return part == Part::imaginary_positive ? half : 2 * half;
}

double LineTable::part_quantile(Part part, double u) const {
  const HalfLaw& law = laws_[static_cast<std::size_t>(part)];
  if (part == Part::imaginary_positive) {
    const auto [omega, sign] = law.at(u);
    return sign * omega;
  }
  if (u == 0.5) return 0;
  return u < 0.5 ? -law.at(1 - 2 * u).omega : law.at(2 * u - 1).omega;
}

double LineTable::transform(double x) const {
  double sum = 0;
  auto before = portable::sincos(x * knots_[0]);
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i) {
    const double width = knots_[i + 1] - knots_[i], turn = x * width;
    const auto after = portable::sincos(x * knots_[i + 1]);
    const std::complex<double> a = values_[i], b = values_[i + 1];
    // ∫ v(t) e^{ixω} over the piece, v linear: by parts, or for little turns by Simpson's rule, whose error is turn⁴/2880.
    if (std::fabs(turn) < 0.01) {
      const auto middle = portable::sincos(x * (knots_[i] + 0.5 * width));
      const double re = a.real() * before.cos + 2 * (a.real() + b.real()) * middle.cos + b.real() * after.cos;
      const double im = a.imag() * before.sin + 2 * (a.imag() + b.imag()) * middle.sin + b.imag() * after.sin;
      sum += width / 6 * (re - im);
    } else {
      const double dr = (b.real() - a.real()) / width, di = (b.imag() - a.imag()) / width;
      sum += (b.real() * after.sin - a.real() * before.sin + b.imag() * after.cos - a.imag() * before.cos) / x;
      sum += (dr * (after.cos - before.cos) - di * (after.sin - before.sin)) / (x * x);
    }
    before = after;
  }
  return 2 * sum;
}

std::vector<double> LineTable::phase_moments(std::size_t count) const {
  std::vector<double> moments(count, 0.0);
  constexpr double node = 0.28867513459481287;  // Gauss's rule with two nodes on each piece, at 1/2 ± this
  for (std::size_t i = 0; i + 1 < knots_.size(); ++i)
    for (const double t : {0.5 - node, 0.5 + node}) {
      const double re = values_[i].real() + t * (values_[i + 1].real() - values_[i].real());
      const double im = values_[i].imag() + t * (values_[i + 1].imag() - values_[i].imag());
      const double square = re * re + im * im;
      if (!(square > 0)) continue;
      const double weight = (knots_[i + 1] - knots_[i]) * std::sqrt(square);        // half a piece, on both sides of 0
      const double cos = (re * re - im * im) / square, sin = 2 * re * im / square;  // of twice the phase
      double c = 1, s = 0;
      for (std::size_t n = 0; n < count; ++n) {
        moments[n] += weight * c;
        const double next = c * cos - s * sin;
        s = s * cos + c * sin;
        c = next;
      }
    }
  return moments;
}

}  // namespace askrff::found_measures
