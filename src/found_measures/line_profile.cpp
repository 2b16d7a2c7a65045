// Panels halved until polynomials hold, and the transform of all of them.
#include "found_measures/line_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/portable_math.hpp"
#include "found_measures/legendre.hpp"
#include "found_measures/line_breaks.hpp"
#include "found_measures/line_probes.hpp"

namespace askrff::found_measures {
namespace {

constexpr std::size_t max_panels = 6000, points_at_once = 16384;
constexpr double least_width = 0x1p-26;     // of a panel, relative to its distance from 0
constexpr double least_at_zero = 0x1p-900;  // … but not without end: it is in units, and f has been seen to be constant within
constexpr double profile_jump = 0x1p-10;    // of the largest |f|

double grain_for(double tolerance) { return std::ldexp(1.0, std::ilogb(tolerance) - 10); }

}  // namespace

/// All in units.
class LineProfile::Builder {
 public:
  Builder(const Line& f, const LineProfile& profile, const std::string& owner) : f_(f), profile_(profile), owner_(owner) {}

  std::vector<Panel> build(LineProbes probes) {
    looks_ = std::move(probes.looks);
    add_side(probes.sides[0], probes.unit, 1);
    if (profile_.parity_ == LineParity::none) add_side(probes.sides[1], probes.unit, -1);
    if (f_.pieces) breaks_ = find_breaks(f_.pieces, profile_.x_unit_, pending_);
    while (!pending_.empty()) {
      fill_pending();
      std::vector<Panel> rough;
      for (Panel& panel : pending_) sort_out(panel, rough);
      pending_ = std::move(rough);
      if (done_.size() + pending_.size() > max_panels)
        throw NoMeasure(owner_, fmt::format("k is too rough or oscillates too far: more than {} pieces are needed to follow it; use the "
                                            "calibrated route or Nyström",
                                            max_panels));
    }
    std::ranges::sort(done_, {}, &Panel::from);
    require_no_jumps();
    trim();
    return std::move(done_);
  }

 private:
  void add_side(const ProbedSide& side, int unit, double sign) {
    const auto add = [&](double from, double to) {
      pending_.push_back(sign > 0 ? Panel{.from = from, .to = to} : Panel{.from = -to, .to = -from});
    };
    add(0, std::ldexp(1.0, side.first - unit));
    for (int octave = side.first; octave < side.last; ++octave) {
      const double start = std::ldexp(1.0, octave - unit);
      add(start, 1.5 * start);
      add(1.5 * start, 2 * start);
    }
  }

  void fill_pending() {
    const GaussRule& rule = gauss_rule();
    const std::size_t at_once = points_at_once / panel_order;
    std::vector<double> points, values;
    for (std::size_t first = 0; first < pending_.size(); first += at_once) {
      const auto some = std::span(pending_).subspan(first, std::min(at_once, pending_.size() - first));
      points.clear();
      for (const Panel& panel : some)
        for (const double node : rule.nodes) points.push_back((panel.centre() + panel.half_width() * node) * profile_.x_unit_);
      values.resize(points.size());
      f_.values(points, values);
      for (std::size_t i = 0; i < some.size(); ++i) set_values(some[i], std::span(values).subspan(i * panel_order, panel_order));
    }
  }

  void set_values(Panel& panel, std::span<const double> values) const {
    PanelValues rounded;
    for (std::size_t i = 0; i < panel_order; ++i) {
      if (!std::isfinite(values[i]))
        throw NoMeasure(owner_, fmt::format("k is {} at a distance of about {:.3g}, expected finite numbers", values[i],
                                            std::fabs(panel.centre() * profile_.x_unit_)));
      rounded[i] = std::floor(values[i] / profile_.f_unit_ / profile_.grain_ + 0.5) * profile_.grain_;
      panel.largest = std::max(panel.largest, std::fabs(rounded[i]));
    }
    panel.coefficients = legendre_coefficients(rounded);
  }

  void sort_out(Panel& panel, std::vector<Panel>& rough) {
    const PanelValues& c = panel.coefficients;
    const double last = std::fabs(c[panel_order - 3]) + std::fabs(c[panel_order - 2]) + std::fabs(c[panel_order - 1]);
    const double farthest = std::max(std::fabs(panel.from), std::fabs(panel.to));
    if (last <= 16 * profile_.grain_ && distance_to_looks(panel) <= 64 * profile_.grain_) {
      done_.push_back(panel);
    } else if (panel.to - panel.from > least_width * farthest) {  // which panels that begin at 0 are at any width …
      (panel.to - panel.from > least_at_zero ? split(panel, rough) : done_.push_back(panel));
    } else {
      done_.push_back(panel);
    }
  }

  /// The most by which the panel's polynomial misses what f was seen to be near its lengths.
  double distance_to_looks(const Panel& panel) const {
    double most = 0;
    for (auto look = std::ranges::lower_bound(looks_, panel.from, {}, &Look::x); look != looks_.end() && look->x <= panel.to; ++look)
      most = std::max(most, std::fabs(legendre_sum(panel.coefficients, (look->x - panel.centre()) / panel.half_width()) - look->value));
    return most;
  }

  void split(const Panel& panel, std::vector<Panel>& rough) const {
    const double at = cut_of(panel);
    rough.push_back({.from = panel.from, .to = at});
    rough.push_back({.from = at, .to = panel.to});
  }

  /// The break that is nearest to the middle, but for those at the ends.
  double cut_of(const Panel& panel) const {
    const double centre = panel.centre(), margin = least_width * std::max(std::fabs(panel.from), std::fabs(panel.to));
    const auto after = std::ranges::lower_bound(breaks_, centre);
    double cut = centre, distance = panel.half_width() - margin;
    for (const auto near : {after, after == breaks_.begin() ? after : after - 1})
      if (near != breaks_.end() && std::fabs(*near - centre) < distance) {
        cut = *near;
        distance = std::fabs(cut - centre);
      }
    return cut;
  }

  void require_no_jumps() const {
    double largest = 0;
    for (const Panel& panel : done_) largest = std::max(largest, panel.largest);
    const auto refuse = [&](double at) {
      throw NoMeasure(owner_, fmt::format("k jumps at a difference of about {:.6g}, so its Fourier measure has infinite total mass: smooth "
                                          "the jump, or use the calibrated route or Nyström",
                                          at * profile_.x_unit_));
    };
    for (std::size_t i = 0; i < done_.size(); ++i) {
      const Panel& panel = done_[i];
      const double start = legendre_sum(panel.coefficients, -1), end = legendre_sum(panel.coefficients, 1);
      const double farthest = std::max(std::fabs(panel.from), std::fabs(panel.to));
      if (panel.to - panel.from <= 2 * least_width * farthest && std::fabs(end - start) > profile_jump * largest) refuse(panel.centre());
      const bool is_origin = i == 0 && profile_.parity_ == LineParity::even;  // where the other half follows
      const double before = is_origin ? start : i == 0 ? 0.0 : legendre_sum(done_[i - 1].coefficients, 1);
      if (std::fabs(start - before) > profile_jump * largest) refuse(panel.from);
      if (i + 1 == done_.size() && std::fabs(end) > profile_jump * largest) refuse(panel.to);
      if (distance_to_looks(panel) > profile_jump * largest) refuse(panel.centre());
    }
  }

  // Panels at the ends where all is 0.
  void trim() {
    while (done_.size() > 1 && done_.back().largest == 0) done_.pop_back();
    std::size_t first = 0;
    while (profile_.parity_ == LineParity::none && first + 1 < done_.size() && done_[first].largest == 0) ++first;
    done_.erase(done_.begin(), done_.begin() + static_cast<std::ptrdiff_t>(first));
  }

  const Line& f_;
  const LineProfile& profile_;
  const std::string& owner_;
  std::vector<Panel> pending_, done_;
  std::vector<double> breaks_;
  std::vector<Look> looks_;
};

LineProfile::LineProfile(const Line& f, double tolerance, const Search& search) : grain_(grain_for(tolerance)) {
  const LineProbes probes = probe_line(f, grain_, search.owner());
  parity_ = probes.parity;
  x_unit_ = std::ldexp(1.0, probes.unit);
  f_unit_ = probes.f_unit;
  panels_ = Builder(f, *this, search.owner()).build(probes);
  finish();
}

void LineProfile::finish() {
  const GaussRule& rule = gauss_rule();
  for (const Panel& panel : panels_) half_widths_.push_back(panel.half_width());
  std::ranges::sort(half_widths_);
  half_widths_.erase(std::unique(half_widths_.begin(), half_widths_.end()), half_widths_.end());
  std::vector<std::pair<double, double>> shares;  // farthest distance of a panel, ∫|f| over it
  double all = 0;
  for (Panel& panel : panels_) {
    panel.width = static_cast<std::size_t>(std::ranges::lower_bound(half_widths_, panel.half_width()) - half_widths_.begin());
    end_derivatives(panel.coefficients, panel.at_start, panel.at_end);
    double absolute = 0;
    for (std::size_t i = 0; i < panel_order; ++i) absolute += rule.weights[i] * std::fabs(legendre_sum(panel.coefficients, rule.nodes[i]));
    absolute *= panel.half_width();
    all += absolute;
    shares.emplace_back(std::max(std::fabs(panel.from), std::fabs(panel.to)), absolute);
    for (std::size_t n = 0; n < panel_order; ++n)
      energy_ += panel.half_width() * panel.coefficients[n] * panel.coefficients[n] * 2 / (2 * static_cast<double>(n) + 1);
    largest_ = std::max(largest_, panel.largest);
    finest_ = std::min(finest_, panel.half_width());
  }
  if (parity_ != LineParity::none) energy_ *= 2;
  std::ranges::sort(shares);
  reach_ = shares.back().first;
  double inside = 0;
  for (const auto& [distance, share] : shares) {
    inside += share;
    extent_ = distance;
    if (inside >= 0.999 * all) break;
  }
  std::vector<std::pair<double, double>> sizes;  // farthest distance of a panel, |f| there at most
  for (const Panel& panel : panels_) sizes.emplace_back(std::max(std::fabs(panel.from), std::fabs(panel.to)), panel.largest);
  std::ranges::sort(sizes);
  double largest = 0;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    largest = std::max(largest, sizes[i].second);
    sizes[i].second = largest;
  }
  for (const auto& [distance, size] : sizes) {
    distances_.push_back(distance);
    beyond_.push_back(size);
  }
}

double LineProfile::largest_beyond(double x) const {
  const auto first = std::ranges::lower_bound(distances_, x);  // panels that end before x do not count
  return first == distances_.end() ? 0.0 : beyond_[static_cast<std::size_t>(first - distances_.begin())];
}

double LineProfile::operator()(double x) const {
  const bool mirrored = parity_ != LineParity::none && x < 0;
  const double at = mirrored ? -x : x;
  if (at < panels_.front().from || at > panels_.back().to) return 0;
  auto after = std::ranges::upper_bound(panels_, at, {}, &Panel::from);
  const Panel& panel = *(after == panels_.begin() ? after : after - 1);
  const double value = legendre_sum(panel.coefficients, (at - panel.centre()) / panel.half_width());
  return mirrored && parity_ == LineParity::odd ? -value : value;
}

std::complex<double> LineProfile::fourier(double omega) const {
  struct Wave {
    double cos, sin;
  };
  const auto wave = [&](double x) {
    const auto turned = portable::sincos(omega * x);
    return Wave{turned.cos, turned.sin};
  };
  std::vector<std::optional<PanelValues>> bessels(half_widths_.size());
  double real = 0, imaginary = 0;
  const auto add = [&](double size, const Wave& e, double re, double im) {  // size · (re + i im) · conj(e)
    real += size * (re * e.cos + im * e.sin);
    imaginary += size * (im * e.cos - re * e.sin);
  };
  Wave at_end{};
  double end_of_wave = std::numeric_limits<double>::quiet_NaN();
  for (const Panel& panel : panels_) {
    const double width = panel.half_width(), kappa = omega * width;
    if (kappa >= end_series_from) {
      const Wave start = panel.from == end_of_wave ? at_end : wave(panel.from);
      at_end = wave(panel.to);
      end_of_wave = panel.to;
      const auto first = end_series(panel.at_start, kappa), last = end_series(panel.at_end, kappa);
      add(width, start, first.real(), first.imag());
      add(-width, at_end, last.real(), last.imag());
      continue;
    }
    auto& of_width = bessels[panel.width];
    if (!of_width) of_width = spherical_bessel(kappa);
    const PanelValues& bessel = *of_width;
    double re = 0, im = 0;  // Σ c_n (-i)^n j_n
    for (std::size_t n = 0; n < panel_order; n += 4) {
      re += panel.coefficients[n] * bessel[n] - panel.coefficients[n + 2] * bessel[n + 2];
      im += panel.coefficients[n + 3] * bessel[n + 3] - panel.coefficients[n + 1] * bessel[n + 1];
    }
    add(2 * width, wave(panel.centre()), re, im);
  }
  constexpr double over_two_pi = 0.5 / std::numbers::pi;
  if (parity_ == LineParity::even) return {2 * over_two_pi * real, 0.0};
  if (parity_ == LineParity::odd) return {0.0, 2 * over_two_pi * imaginary};
  return {over_two_pi * real, over_two_pi * imaginary};
}

}  // namespace askrff::found_measures
