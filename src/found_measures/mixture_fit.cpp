// Lawson and Hanson's active set on a ladder of widths, which is refined around those that are used.
#include "found_measures/mixture_fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/portable_math.hpp"
#include "found_measures/legendre.hpp"

namespace askrff::found_measures {
namespace {

constexpr double widths_per_octave = 6;
constexpr std::size_t max_octaves_of_widths = 80, max_active = 80;
constexpr int max_rounds = 7, max_exchanges = 400;

using Column = std::vector<double>;

double inner(const Column& a, const Column& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double bell(double width, double r) { return portable::exp(std::max(-745.0, -0.5 * width * width * r * r)); }

constexpr double lowest_width = 0.25, farthest = 32;  // over and of the profile's reach: there the widest Gaussian is nothing

/// Distances of the fit, and those between them that judge it: a panel is where the function changes. Beyond the last one it is 0, and so
/// has the sum to be.
std::vector<double> distances_of(const LineProfile& profile, double offset) {
  std::vector<double> distances;
  const auto add = [&](double from, double to) {
    for (int i = 0; i < 8; ++i) distances.push_back(from + (to - from) * (i + offset) / 8);
  };
  for (const Panel& panel : profile.panels()) add(panel.from, panel.to);
  for (double from = profile.reach(); from < farthest * profile.reach(); from *= 2) {
    add(from, 1.5 * from);
    add(1.5 * from, 2 * from);
  }
  return distances;
}

/// min ‖A x - b‖ with signs[j]·x_j ≥ 0, columns of unit length, started from nothing.
class ActiveSet {
 public:
  ActiveSet(std::vector<Column> columns, Column target, const Search& search)
      : columns_(std::move(columns)), target_(std::move(target)), residual_(target_), search_(search) {
    x_.assign(columns_.size(), 0.0);
  }

  void solve() {
    std::vector<bool> blocked(columns_.size(), false);
    const double small = 1e-13 * std::sqrt(inner(target_, target_));
    for (int step = 0; step < max_exchanges && active_.size() < max_active; ++step) {
      std::size_t best = columns_.size();
      double most = small;
      search_.go_on();
      for (std::size_t j = 0; j < columns_.size(); ++j) {
        if (x_[j] > 0 || blocked[j]) continue;
        if (const double gain = inner(columns_[j], residual_); gain > most) {
          most = gain;
          best = j;
        }
      }
      if (best == columns_.size()) return;
      active_.push_back(best);
      if (!move_to_minimum()) {
        active_.erase(std::remove(active_.begin(), active_.end(), best), active_.end());
        blocked[best] = true;
        continue;
      }
      if (x_[best] > 0)
        blocked.assign(blocked.size(), false);
      else
        blocked[best] = true;
    }
  }
  std::span<const double> x() const { return x_; }

 private:
  // To the least squares of the active columns, or as far as none changes its sign; those that would leave. False: they depend on each
  // other.
  bool move_to_minimum() {
    for (int guard = 0; guard < 200; ++guard) {
      std::vector<double> wanted;
      if (!least_squares(wanted)) return false;
      double share = 1;
      for (std::size_t i = 0; i < active_.size(); ++i)
        if (wanted[i] <= 0) share = std::min(share, x_[active_[i]] / (x_[active_[i]] - wanted[i] + 1e-300));
      for (std::size_t i = 0; i < active_.size(); ++i) x_[active_[i]] += share * (wanted[i] - x_[active_[i]]);
      const bool done = share >= 1;
      std::vector<std::size_t> kept;
      for (std::size_t i = 0; i < active_.size(); ++i) {
        const bool leaves = !done && wanted[i] <= 0 && x_[active_[i]] <= 1e-15;
        if (leaves || x_[active_[i]] < 0) x_[active_[i]] = 0;
        if (x_[active_[i]] > 0) kept.push_back(active_[i]);
      }
      active_ = std::move(kept);
      if (done) break;
    }
    residual_ = target_;
    for (const std::size_t j : active_)
      for (std::size_t r = 0; r < residual_.size(); ++r) residual_[r] -= x_[j] * columns_[j][r];
    return true;
  }

  // Gram and Schmidt's, twice; triangle R row by row.
  bool least_squares(std::vector<double>& solution) const {
    const std::size_t n = active_.size();
    std::vector<Column> q;
    std::vector<std::vector<double>> R(n, std::vector<double>(n, 0.0));
    for (std::size_t j = 0; j < n; ++j) {
      search_.go_on();
      Column column = columns_[active_[j]];
      for (int pass = 0; pass < 2; ++pass)
        for (std::size_t i = 0; i < j; ++i) {
          const double share = inner(q[i], column);
          R[i][j] += share;
          for (std::size_t r = 0; r < column.size(); ++r) column[r] -= share * q[i][r];
        }
      const double length = std::sqrt(inner(column, column));
      if (!(length > 1e-9)) return false;
      R[j][j] = length;
      for (double& value : column) value /= length;
      q.push_back(std::move(column));
    }
    solution.assign(n, 0.0);
    Column rest = target_;
    for (std::size_t j = 0; j < n; ++j) {
      solution[j] = inner(q[j], rest);
      for (std::size_t r = 0; r < rest.size(); ++r) rest[r] -= solution[j] * q[j][r];
    }
    for (std::size_t j = n; j-- > 0;) {
      for (std::size_t i = j + 1; i < n; ++i) solution[j] -= R[j][i] * solution[i];
      solution[j] /= R[j][j];
    }
    return true;
  }

  std::vector<Column> columns_;
  Column target_, residual_;
  const Search& search_;
  std::vector<double> x_;
  std::vector<std::size_t> active_;
};

class MixtureFit {
 public:
  MixtureFit(const LineProfile& profile, double tolerance, const Search& search)
      : profile_(profile),
        search_(search),
        allowed_(tolerance * profile.largest()),
        distances_(distances_of(profile, 0.31)),
        tests_(distances_of(profile, 0.77)) {
    for (const double r : distances_) target_.push_back(profile_(r));
    sign_ = profile_(0) < 0 ? -1 : 1;
  }

  std::optional<GaussianSum> best() const {
    const double lowest = lowest_width / profile_.reach(), highest = 4 / profile_.finest();
    if (!(highest / lowest < std::ldexp(1.0, static_cast<int>(max_octaves_of_widths)))) return std::nullopt;
    std::vector<double> ladder;
    const double step = portable::exp(std::numbers::ln2 / widths_per_octave);
    for (double width = lowest; width < highest; width *= step) ladder.push_back(width);
    GaussianSum found = refined(ladder, step, false);
    if (found.error > allowed_)
      if (GaussianSum of_any_sign = refined(ladder, step, true); of_any_sign.error < found.error) found = std::move(of_any_sign);
    double size = 0;
    for (const double weight : found.weights) size += std::fabs(weight);
    if (found.weights.empty() || found.error > 1e-3 * profile_.largest() || size > 20 * profile_.largest()) return std::nullopt;
    return found;
  }

 private:
  GaussianSum refined(std::vector<double> widths, double step, bool any_sign) const {
    GaussianSum best = fitted(widths, any_sign);
    for (int round = 1; round < max_rounds && best.error > 0.1 * allowed_ && !best.widths.empty(); ++round) {
      step = std::sqrt(step);
      std::vector<double> finer;
      for (const double width : best.widths)
        for (const double factor : {1 / (step * step), 1 / step, 1.0, step, step * step}) finer.push_back(width * factor);
      std::ranges::sort(finer);
      finer.erase(std::unique(finer.begin(), finer.end(), [](double a, double b) { return b - a < 1e-6 * b; }), finer.end());
      GaussianSum next = fitted(finer, any_sign);
      if (!(next.error < 0.98 * best.error)) break;
      best = std::move(next);
    }
    return best;
  }

  GaussianSum fitted(const std::vector<double>& widths, bool any_sign) const {
    std::vector<Column> columns;
    std::vector<double> lengths;
    for (const double width : widths) {
      search_.go_on();
      Column column;
      for (const double r : distances_) column.push_back(bell(width, r));
      const double length = std::sqrt(inner(column, column));
      for (double& value : column) value *= sign_ / length;
      lengths.push_back(length);
      columns.push_back(std::move(column));
    }
    if (any_sign)
      for (std::size_t j = 0; j < widths.size(); ++j) {
        Column opposite = columns[j];
        for (double& value : opposite) value = -value;
        columns.push_back(std::move(opposite));
      }
    ActiveSet problem(std::move(columns), target_, search_);
    problem.solve();
    GaussianSum sum;
    for (std::size_t j = 0; j < widths.size(); ++j) {
      const double x = problem.x()[j] - (any_sign ? problem.x()[j + widths.size()] : 0.0);
      if (x == 0) continue;
      sum.widths.push_back(widths[j]);
      sum.weights.push_back(sign_ * x / lengths[j]);
    }
    for (const double r : tests_) sum.error = std::max(sum.error, std::fabs(sum(r) - profile_(r)));
    return sum;
  }

  const LineProfile& profile_;
  const Search& search_;
  double allowed_, sign_ = 1;
  std::vector<double> distances_, tests_;
  Column target_;
};

}  // namespace

double GaussianSum::operator()(double r) const {
  double sum = 0;
  for (std::size_t j = 0; j < widths.size(); ++j) sum += weights[j] * bell(widths[j], r);
  return sum;
}

std::optional<GaussianSum> fit_gaussian_sum(const LineProfile& profile, double tolerance, const Search& search) {
  if (profile.parity() != LineParity::even) return std::nullopt;
  return MixtureFit(profile, tolerance, search).best();
}

}  // namespace askrff::found_measures
