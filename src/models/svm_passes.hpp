// The SVM of svm.cpp for rows that are only seen in passes: on other machines, or in a stream. Few passes, each for all folds and classes.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "askrff/linear.hpp"
#include "models/c_search.hpp"
#include "models/svm_descent.hpp"

namespace askrff::models {

/// Minimises the same objectives as fit_svm and cross_validate_svm, to the same tolerance, by quasi-Newton steps that start from Hessians
/// (svm_curvature.hpp). What has been solved for a value of C is kept and used again. Same bits for any number of threads, if the passes'
/// are.
class PassedSvm {
 public:
  /// Throws InvalidArgument for fewer than two classes, one fold, no columns, options out of range.
  PassedSvm(const PassedSvmOptions& options, RunSvmPass run);

  /// As cross_validate_svm. Throws InvalidArgument too if there are no folds, or a class or a fold has no rows.
  CrossValidation validate(const std::vector<double>& c);
  /// As fit_svm.
  SvmFit fit(double c);
  /// Of the rows, by their weights, the share that fit(c) gives their own class.
  double training_accuracy(double c);
  /// The models fitted without each fold.
  std::vector<LinearModel> fold_models(double c);

  std::size_t n_passes() const { return n_passes_; }

 private:
  /// What a value of C gave.
  struct Solution {
    SvmStand stand;
    bool has_folds = false;
    std::size_t n_steps = 0;
    std::vector<double> right;  // as in SvmPassSums; empty: not yet counted
  };

  PassedSvm(const PassedSvm&) = delete;
  SvmPassSums run(const SvmPassTask& task);
  void begin();
  Solution& solved(double c, bool with_folds);
  void start_for(double c, bool with_folds);
  void count_right(double c);
  CrossValidation scored(const std::vector<double>& c, Reach reach);
  LinearModel model_of(const SvmStand& stand, std::size_t place) const;
  double weight_of_fold(std::size_t fold) const;

  PassedSvmOptions options_;
  RunSvmPass run_;
  SvmDescent descent_;
  Matrix<double> row_weights_;            // folds × classes; empty before the first pass
  SvmStand zero_;                         // where the first pass was
  std::map<double, Solution> solutions_;  // by C
  double stands_at_ = 0;                  // the C whose solution the descent stands at; 0: at zero, NaN: nowhere
  std::optional<double> to_score_;        // a solution that the next pass is to score
  std::size_t n_passes_ = 0;
  // For the progress: which of how many values of C, and passes for this one.
  std::size_t c_done_ = 0, c_wanted_ = 1, passes_for_c_ = 0;
  bool is_validating_ = false;
};

}  // namespace askrff::models
