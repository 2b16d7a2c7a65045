// Sums over pieces, and one quadratic equation for a draw.
#include "found_measures/half_law.hpp"

#include <algorithm>
#include <cmath>

namespace askrff::found_measures {

void HalfLaw::add(double from, double to, double first, double last, int sign) {
  const double width = to - from, area = 0.5 * width * (first + last);
  if (!(area > 0)) return;
  pieces_.push_back({from, to, first, last, sign});
  cumulative_.push_back(mass() + area);
  // ∫ (from + w t)² (first + (last - first) t) w dt
  const double rise = last - first;
  moment_ +=
      width * (from * from * (first + rise / 2) + 2 * from * width * (first / 2 + rise / 3) + width * width * (first / 3 + rise / 4));
}

void HalfLaw::add_absolute(double from, double to, double first, double last) {
  const auto signed_piece = [&](double a, double b, double start, double end) {
    add(a, b, std::fabs(start), std::fabs(end), start + end < 0 ? -1 : 1);
  };
  if ((first < 0) == (last < 0) || first == 0 || last == 0) return signed_piece(from, to, first, last);
  const double zero = std::clamp(from + (to - from) * (first / (first - last)), from, to);
  signed_piece(from, zero, first, 0);
  signed_piece(zero, to, 0, last);
}

void HalfLaw::add_positive(double from, double to, double first, double last) {
  if (first <= 0 && last <= 0) return;
  if (first >= 0 && last >= 0) return add(from, to, first, last);
  const double zero = std::clamp(from + (to - from) * (first / (first - last)), from, to);
  if (first > 0)
    add(from, zero, first, 0);
  else
    add(zero, to, 0, last);
}

double HalfLaw::mass_beyond(double cut) const {
  if (pieces_.empty() || cut >= pieces_.back().to) return 0;
  const auto piece = std::ranges::upper_bound(pieces_, cut, {}, &Piece::to);
  const std::size_t i = static_cast<std::size_t>(piece - pieces_.begin());
  const double rest = mass() - cumulative_[i];
  const double width = piece->to - piece->from, t = std::clamp((cut - piece->from) / width, 0.0, 1.0);
  const double at_cut = piece->first + (piece->last - piece->first) * t;
  return rest + 0.5 * width * (1 - t) * (at_cut + piece->last);
}

HalfLaw::Draw HalfLaw::at(double u) const {
  const double target = u * mass();
  const auto found = std::ranges::upper_bound(cumulative_, target);
  const std::size_t i = std::min(static_cast<std::size_t>(found - cumulative_.begin()), pieces_.size() - 1);
  const Piece& piece = pieces_[i];
  const double width = piece.to - piece.from, area = std::max(0.0, target - (i == 0 ? 0.0 : cumulative_[i - 1])) / width;
  const double rise = piece.last - piece.first;
  const double root = std::sqrt(std::max(0.0, piece.first * piece.first + 2 * rise * area)), below = piece.first + root;
  const double t = below > 0 ? std::min(1.0, 2 * area / below) : 0.0;
  return {piece.from + width * t, piece.sign};
}

}  // namespace askrff::found_measures
