// Problems of the SVM that descend side by side, a pass over the rows for a step of all of them.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "askrff/linear.hpp"
#include "models/svm_curvature.hpp"
#include "models/svm_pass.hpp"

namespace askrff::models {

struct PassedSvmOptions {
  SvmProblems problems;
  std::size_t n_columns = 0;  ///< of the features, and one more with a bias
  bool has_bias = true;
  bool is_float = false;     ///< the features are: largest C and what rounding excuses
  bool has_weights = false;  ///< rows have weights: said where a fit fails
  double tolerance = SvmOptions{}.tolerance;
  std::size_t max_iterations = SvmOptions{}.max_iterations;  ///< passes for one value of C; 25 times as many beyond direct_limit
  std::size_t direct_limit = SvmOptions{}.direct_limit;      ///< up to so many columns Hessians are summed and factored
  std::size_t own_limit = SvmCurvatureOptions{}.own_limit;   ///< numbers of all Hessians up to which every fold has its own
  Execution execution = {};                                  ///< of what is solved here, not of the passes
};

/// Runs a pass over all rows and gives the sums of all parts.
using RunSvmPass = std::function<SvmPassSums(const SvmPassTask&)>;

/// Where every problem stands, and what a pass has said of it.
struct SvmStand {
  Matrix<double> weights;  ///< problems × columns
  std::vector<double> losses;
  Matrix<double> pulls;  ///< problems × columns

  double objective(std::size_t problem, double c) const;
};

class SvmDescent {
 public:
  /// options must outlive it.
  SvmDescent(const PassedSvmOptions& options, RunSvmPass run);

  /// The first pass: from weights of 0. Returns Σ of row weights, folds (one if there are none) × classes.
  Matrix<double> begin();
  const SvmStand& stand() const { return stand_; }
  /// Goes to where the problems have stood before; one pass.
  void go_to(SvmStand stand);
  /// Minimises the objectives of these problems for this C, from where they stand. Returns the number of steps of the slowest. Throws
  /// NumericalError if one of them cannot be brought as close to its minimum as it should be.
  std::size_t solve(double c, std::span<const std::size_t> problems);

 private:
  /// The way of one problem along its direction d.
  struct Line {
    bool is_finished = true, is_aimed = false, is_renewed = false;
    double value = 0, slope = 0;      // where it stands
    std::vector<double> steps;        // t of the next pass
    double low = 0, low_slope = 0;    // the largest t that is too short, and the slope there
    double high = 0, high_slope = 0;  // the smallest that is too far; its slope may not be finite
    std::size_t n_trials = 0;
    std::size_t n_idle = 0, n_little = 0;  // steps in a row that gained, and that promised, next to nothing
    double promise() const { return -slope / 2; }
  };
  /// A point of a pass on a line.
  struct Trial {
    std::size_t point = 0;
    double t = 0, value = 0, slope = 0;
  };

  void aim(std::span<const std::size_t> problems);
  void aim(std::size_t problem);
  bool wants_matrix(std::size_t problem, std::size_t step) const;
  SvmPassTask next_task(std::size_t step);
  Trial trial_of(const SvmPassTask& task, const SvmPassSums& sums, std::size_t point, double t) const;
  bool will_do(const Line& line, const Trial& trial) const;
  void look(std::size_t problem, const SvmPassTask& task, const SvmPassSums& sums, std::size_t first_point);
  void move_to(std::size_t problem, const Trial& trial, const SvmPassTask& task, const SvmPassSums& sums);
  void take_renewed(const SvmPassTask& task, const SvmPassSums& sums, std::size_t first_point);
  void try_shorter(std::size_t problem, std::span<const Trial> trials);
  void after_step(std::size_t problem, double gain);
  double tolerance() const;
  [[noreturn]] void give_up(std::size_t n_steps) const;

  const PassedSvmOptions& options_;
  RunSvmPass run_;
  SvmCurvature curvature_;
  SvmStand stand_;
  Matrix<double> directions_;
  std::vector<Line> lines_;
  std::vector<std::size_t> renewed_;  // problems whose matrices the next pass makes anew where they stand
  double c_ = 0;
};

}  // namespace askrff::models
