// Twelve points in every octave of distances, and some near those that the form of f tells.
#include "found_measures/line_probes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/portable_math.hpp"

namespace askrff::found_measures {
namespace {

constexpr int lowest_octave = -400, n_octaves = 800, per_octave = 12;
constexpr int side_size = n_octaves * per_octave;
constexpr double jump_share = 0x1p-10;  // of the largest value: differences of neighbours that no continuous function has

/// Distances of one side, not at round numbers, where waves may have their zeros.
std::vector<double> probe_distances() {
  std::vector<double> distances;
  for (int octave = 0; octave < n_octaves; ++octave)
    for (int i = 0; i < per_octave; ++i)
      distances.push_back(std::ldexp(portable::exp(std::numbers::ln2 * (i + 0.37) / per_octave), lowest_octave + octave));
  return distances;
}

class Probing {
 public:
  Probing(const Line& f, double grain, const std::string& owner) : owner_(owner), distances_(probe_distances()) {
    std::vector<double> points{0.0}, values(1 + 2 * side_size);
    for (const double sign : {1.0, -1.0})
      for (const double distance : distances_) points.push_back(sign * distance);
    f.values(points, values);
    at_zero_ = values[0];
    if (!std::isfinite(at_zero_)) throw NoMeasure(owner_, fmt::format("k is {} at a difference of 0, expected a finite number", at_zero_));
    for (int side = 0; side < 2; ++side) {
      const auto from = values.begin() + 1 + side * side_size;
      values_[side].assign(from, from + side_size);
      n_finite_[side] =
          static_cast<int>(std::ranges::find_if(values_[side], [](double value) { return !std::isfinite(value); }) - values_[side].begin());
    }
    find_unit(grain);
    look_near(f);
  }

  LineProbes result() const {
    LineProbes probes{
        .sides = {side_of(0), side_of(1)}, .parity = parity(), .unit = unit_of_distance(), .f_unit = f_unit_, .looks = looks_};
    require_continuous_at_zero();
    for (Look& look : probes.looks) look = {std::ldexp(look.x, -probes.unit), look.value / f_unit_};
    return probes;
  }

 private:
  void find_unit(double grain) {
    double largest = std::fabs(at_zero_);
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < n_finite_[side]; ++i) largest = std::max(largest, std::fabs(values_[side][i]));
    if (largest == 0) throw NoMeasure(owner_, "k is 0 wherever it was looked at; a kernel that is not 0 near the origin is expected");
    f_unit_ = coarse_power_of_two(largest);
    grain_ = grain * f_unit_;
    largest_ = largest;
  }

  // Not a number at a point is none of f's business elsewhere: sin(x - 1)/(x - 1) at 1.
  void look_near(const Line& f) {
    const std::vector<double> points = points_near(f.lengths);
    std::vector<double> values(points.size());
    f.values(points, values);
    for (std::size_t i = 0; i < points.size(); ++i)
      if (std::isfinite(values[i])) looks_.push_back({points[i], values[i]});
  }

  bool is_nothing(int side, int i) const { return std::fabs(values_[side][i]) < 0.5 * grain_; }

  ProbedSide side_of(int side) const {
    int end = n_finite_[side];
    while (end > 0 && is_nothing(side, end - 1)) --end;
    const bool falls = end + 2 * per_octave <= n_finite_[side];
    if (!falls && n_finite_[side] < side_size)
      throw NoMeasure(owner_, fmt::format("k is {} at a distance of {:.3g} and has not fallen to 0 before; expected finite numbers",
                                          values_[side][n_finite_[side]], distances_[n_finite_[side]]));
    if (!falls)
      throw NoMeasure(owner_, fmt::format("k is not integrable: at a distance of {:.3g} it still is {:.3g}. A constant, a polynomial or a "
                                          "wave without end has no Fourier density: subtract it, or use the calibrated route or Nyström",
                                          distances_[end - 1], values_[side][end - 1]));
    int start = 0;
    while (start < end && std::fabs(values_[side][start] - values_[side][0]) <= 8 * grain_) ++start;
    ProbedSide found{lowest_octave + start / per_octave, lowest_octave + (end + per_octave - 1) / per_octave};
    for (const Look& look : looks_) {
      if ((look.x < 0) != (side == 1)) continue;
      if (std::fabs(look.value) >= 0.5 * grain_) found.last = std::max(found.last, std::ilogb(look.x) + 1);
      if (std::fabs(look.value - values_[side][0]) > 8 * grain_) found.first = std::min(found.first, std::ilogb(look.x));
    }
    return {std::min(found.first, found.last), found.last};
  }

  // Both sides end in what f tends to at 0.
  void require_continuous_at_zero() const {
    const double right = values_[0][0], left = values_[1][0];
    const double jump = std::max(std::fabs(right - left), std::fabs(at_zero_ - 0.5 * (right + left)));
    if (jump <= jump_share * largest_) return;
    throw NoMeasure(owner_,
                    fmt::format("k jumps at 0 ({:.4g}, {:.4g} and {:.4g} to its left, at 0 and to its right), so its Fourier measure "
                                "has infinite total mass: smooth the jump, or use the calibrated route or Nyström",
                                left, at_zero_, right));
  }

  LineParity parity() const {
    bool even = true, odd = true;
    for (int i = 0; i < std::min(n_finite_[0], n_finite_[1]); ++i) {
      even = even && std::fabs(values_[0][i] - values_[1][i]) <= grain_;
      odd = odd && std::fabs(values_[0][i] + values_[1][i]) <= grain_;
    }
    for (std::size_t i = 0; i < looks_.size(); ++i) {
      const Look &look = looks_[i], &opposite = looks_[looks_.size() - 1 - i];
      if (look.x != -opposite.x) continue;  // where f is not a number on one side
      even = even && std::fabs(look.value - opposite.value) <= grain_;
      odd = odd && std::fabs(look.value + opposite.value) <= grain_;
    }
    return even ? LineParity::even : odd ? LineParity::odd : LineParity::none;
  }

  // Where |x f(x)| is largest.
  int unit_of_distance() const {
    double most = -1;
    int octave = 0;
    for (int side = 0; side < 2; ++side)
      for (int i = 0; i < n_finite_[side]; ++i)
        if (const double size = std::floor(std::fabs(values_[side][i]) / grain_ + 0.5) * distances_[i]; size > most * 1.0625) {
          most = size;
          octave = i / per_octave;
        }
    return lowest_octave + octave;
  }

  const std::string& owner_;
  std::vector<double> distances_;
  std::array<std::vector<double>, 2> values_;
  std::array<int, 2> n_finite_{};
  std::vector<Look> looks_;  // as f has them
  double at_zero_ = 0, f_unit_ = 1, grain_ = 0, largest_ = 0;
};

}  // namespace

std::vector<double> points_near(std::span<const double> lengths) {
  constexpr int least_octave = -24, step = 3;
  std::vector<double> points;
  for (const double length : lengths)
    for (const double sign : {1.0, -1.0}) {
      points.push_back(sign * length);
      for (int octave = least_octave; octave < 0; octave += step)
        for (const double share : {1.0, -1.0}) points.push_back(sign * length * (1 + std::ldexp(share, octave)));
    }
  std::ranges::sort(points);
  points.erase(std::unique(points.begin(), points.end()), points.end());
  return points;
}

LineProbes probe_line(const Line& f, double grain, const std::string& owner) { return Probing(f, grain, owner).result(); }

double coarse_power_of_two(double size) { return std::ldexp(1.0, std::ilogb(size * 1.371)); }

}  // namespace askrff::found_measures
