// Goes on beyond the ends of the grid, two values at a time: one that gains nothing may be noise, two in a row are the end. Upwards too
// where all values do the same.
#include "models/c_search.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace askrff {
namespace {

using models::Reach;

constexpr double step_of_c = 4;
constexpr std::size_t tried_at_once = 2;

Matrix<double> one_above_the_other(const Matrix<double>& a, const Matrix<double>& b) {
  Matrix<double> both(a.rows() + b.rows(), a.cols());
  std::copy_n(b.data(), b.rows() * b.cols(), std::copy_n(a.data(), a.rows() * a.cols(), both.data()));
  return both;
}

/// Of values of C that are all smaller than those of `upper`.
CrossValidation joined(CrossValidation lower, const CrossValidation& upper) {
  lower.c.insert(lower.c.end(), upper.c.begin(), upper.c.end());
  lower.scores = one_above_the_other(lower.scores, upper.scores);
  if (!lower.objectives.empty()) lower.objectives = one_above_the_other(lower.objectives, upper.objectives);
  return lower;
}

/// The values beyond an end, in increasing order; fewer or none at the limit.
std::vector<double> values_beyond(double end, bool above, double limit) {
  std::vector<double> values;
  for (double c = end; values.size() < tried_at_once;) {
    c = above ? c * step_of_c : c / step_of_c;
    if (above ? c > limit : c < limit) break;
    values.insert(above ? values.end() : values.begin(), c);
  }
  return values;
}

/// Whether the best is the outermost of those that could be solved for, and better than its neighbour.
bool is_at_an_end(const CrossValidation& tried) {
  const std::size_t best = tried.best(), n = tried.c.size();
  const auto nothing_in = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
      if (std::isfinite(tried.mean(i))) return false;
    return true;
  };
  if (n < 2) return false;
  return nothing_in(best + 1, n) || (nothing_in(0, best) && tried.mean(best) != tried.mean(best + 1));
}

/// The first values, up to one that could not be solved for.
std::size_t n_solved(const CrossValidation& tried) {
  std::size_t n = 0;
  while (n < tried.c.size() && std::isfinite(tried.mean(n))) ++n;
  return n;
}

/// Whether the first n values say the same of every fold, and not that all is right.
bool say_the_same(const CrossValidation& tried, std::size_t n) {
  if (tried.measure != Score::accuracy || n < 2 || tried.mean(0) == 1) return false;
  for (std::size_t i = 1; i < n; ++i)
    if (!std::ranges::equal(tried.scores.row(i), tried.scores.row(0))) return false;
  return true;
}

/// Where all values up to the end say the same, features may be too small for any of them: upwards until something differs. The last value
/// alone is not enough to see what comes then.
CrossValidation up_to_a_difference(CrossValidation tried, double largest,
                                   const std::function<CrossValidation(const std::vector<double>& c, Reach reach)>& try_values) {
  for (bool goes_on = n_solved(tried) == tried.c.size() && say_the_same(tried, tried.c.size()); goes_on;) {
    const std::vector<double> more = values_beyond(tried.c.back(), true, largest);
    if (more.empty()) break;
    tried = joined(std::move(tried), try_values(more, Reach::above));
    goes_on = n_solved(tried) == tried.c.size() && tried.best() == 0 && say_the_same(tried, tried.c.size() - 1);
  }
  return tried;
}

}  // namespace

bool gains(Score score, double a, double b) {
  if (!is_better(score, a, b)) return false;
  return !std::isfinite(b) || std::abs(a - b) > (score == Score::accuracy ? 1e-4 : 1e-3 * b);
}

namespace models {

CrossValidation search_c(const std::vector<double>& given, double largest,
                         const std::function<CrossValidation(const std::vector<double>& c, Reach reach)>& try_values) {
  CrossValidation tried = try_values(given.empty() ? default_c_grid() : checked_c_grid(given), Reach::start);
  if (given.empty()) tried = up_to_a_difference(std::move(tried), largest, try_values);
  tried.is_open = is_at_an_end(tried);
  if (given.empty() && say_the_same(tried, n_solved(tried))) {  // there is no way on
    tried.is_open = true;
    return tried;
  }
  const bool above = tried.best() + 1 == tried.c.size();
  for (bool goes_on = given.empty() && tried.is_open; goes_on;) {
    const std::vector<double> more = values_beyond(above ? tried.c.back() : tried.c.front(), above, above ? largest : min_c);
    const double before = tried.mean(tried.best());
    CrossValidation beyond = more.empty() ? CrossValidation{} : try_values(more, above ? Reach::above : Reach::below);
    bool all_solved = !more.empty();
    for (std::size_t i = 0; i < more.size(); ++i) all_solved = all_solved && std::isfinite(beyond.mean(i));
    goes_on = all_solved && gains(tried.measure, beyond.mean(beyond.best()), before);
    if (!more.empty()) tried = above ? joined(std::move(tried), beyond) : joined(std::move(beyond), tried);
    tried.is_open = !all_solved && is_at_an_end(tried);  // there is no way on
  }
  return tried;
}

}  // namespace models
}  // namespace askrff
