// Every C on all rows, then on all folds but one.
#include "models/ridge_path.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "askrff/errors.hpp"
#include "models/c_search.hpp"

namespace askrff::models {
namespace {

/// Tells whoever asked how many of the solves are done; of values of C beyond the grid anew.
struct Steps {
  const Execution& execution;
  std::string_view stage;
  std::size_t n_for_each;  // value of C

  void all_done() const {
    if (execution.progress) execution.progress({stage, 1.0});
  }
  /// `count` solves for n_c values of C, and what the next one says of itself.
  void done(std::size_t count, std::size_t n_c, RidgeProblem& next) const {
    if (!execution.progress) return;
    const auto tell = [this, count, n_c](double part) {
      execution.progress({stage, (static_cast<double>(count) + part) / static_cast<double>(n_for_each * n_c)});
    };
    tell(0);
    next.set_listener(tell);
  }
};

/// The model of a value of C on all rows, and its error on them; nothing and NaN where it cannot be solved.
struct PathPoint {
  std::optional<LinearModel> model;
  double error = std::numeric_limits<double>::quiet_NaN();
};

/// Models of all values of C tried so far, and what the folds say of them.
class RidgePath {
 public:
  RidgePath(RidgeProblem& problem, const Steps& steps) : problem_(problem), steps_(steps) {}

  const std::map<double, PathPoint>& points() const { return points_; }

  /// Throws NumericalError if `start` is set and the smallest, the one most easily solved, cannot be.
  void solve(const std::vector<double>& c, bool start) {
    for (std::size_t i = 0; i < c.size(); ++i) {
      steps_.done(i, c.size(), problem_);
      PathPoint& point = points_[c[i]];
      try {
        LinearModel model = problem_.solved({}, c[i]);
        point.error = problem_.mean_squared_error({}, model);
        point.model = std::move(model);
      } catch (const NumericalError&) {
        if (i == 0 && start) throw;
      }
    }
  }

  /// Values of C whose equations for all rows could not be solved count as the worst.
  CrossValidation scored(const std::vector<double>& c) const {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    CrossValidation result{c, Matrix<double>(c.size(), problem_.n_folds()), Score::squared_error, {}};
    for (std::size_t fold = 0; fold < problem_.n_folds(); ++fold)
      for (std::size_t i = 0; i < c.size(); ++i) {
        steps_.done(c.size() * (fold + 1) + i, c.size(), problem_);
        result.scores(i, fold) = infinite;
        if (!points_.at(c[i]).model) continue;
        try {
          result.scores(i, fold) = problem_.mean_squared_error(fold, problem_.solved(fold, c[i]));
        } catch (const NumericalError&) {  // stays infinite
        }
      }
    return result;
  }

 private:
  RidgeProblem& problem_;
  const Steps& steps_;
  std::map<double, PathPoint> points_;  // by C
};

}  // namespace

void check_choice_of_c(std::size_t n_folds, std::size_t n_c) {
  if (n_folds == 1 && n_c != 1)
    throw InvalidArgument("ridge", fmt::format("{} values of C and no folds to choose by, expected one value or more folds",
                                               n_c == 0 ? default_c_grid().size() : n_c));
}

void check_fold_rows(std::size_t fold, std::size_t n_folds, std::uint64_t n_rows) {
  if (n_rows == 0 && n_folds > 1)
    throw InvalidArgument("ridge", fmt::format("fold {} of {} has no rows, expected at least one; use fewer folds", fold + 1, n_folds));
}

RidgeFit solve_path(RidgeProblem& problem, const RidgeOptions& options) {
  const bool validates = problem.n_folds() > 1;
  const Steps steps{options.execution, validates ? "cross-validation" : "fit", 1 + (validates ? problem.n_folds() : 0)};
  RidgePath path(problem, steps);
  RidgeFit fit;
  fit.bias = options.bias;
  if (validates) {
    fit.validation = search_c(options.c, max_c, [&](const std::vector<double>& c, Reach reach) {
      path.solve(c, reach == Reach::start);
      return path.scored(c);
    });
    const std::size_t best = fit.validation.best();
    fit.c = fit.validation.c[best];
    if (!path.points().at(fit.c).model || !std::isfinite(fit.validation.mean(best)))
      throw NumericalError("ridge", "no value of C can be solved for on every fold, expected smaller ones, scaled columns or float64");
  } else {
    fit.c = options.c[0];
    path.solve({fit.c}, true);
  }
  for (const auto& [c, point] : path.points()) fit.training_errors.push_back(point.error);
  fit.model = *path.points().at(fit.c).model;
  fit.training_error = path.points().at(fit.c).error;
  problem.set_listener({});
  steps.all_done();
  return fit;
}

}  // namespace askrff::models
