// Which rows and columns of a kernel matrix judge factors of the others, and the error they find.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "askrff/kernel_matrix.hpp"
#include "askrff/operators.hpp"
#include "landmarks/restricted_map.hpp"

namespace askrff::pipeline {

/// Fewer rows or columns than this say nothing of an error.
inline constexpr std::size_t least_to_judge = 15;

/// Numbers below n, increasing: those that judge, and the others.
struct PlaceShares {
  std::vector<std::size_t> judging, others;

  PlaceShares(std::size_t n, std::vector<std::size_t> judging_places);
  bool is_worth_a_refit() const { return 20 * judging.size() > judging.size() + others.size(); }
};

/// Of a square K the same places on both sides.
struct BothShares {
  PlaceShares rows, columns;

  landmarks::RestrictedMap others(const LinearMap& K) const { return {K, rows.others, columns.others}; }
  bool are_worth_a_refit() const { return rows.is_worth_a_refit() || columns.is_worth_a_refit(); }
};

/// A fifth of K's places, at most 400 (of more than 20 000 a fiftieth, at most 1000). A fifth says little of rows that differ much if it is
/// less than that: then every fifth judges in turn.
std::vector<BothShares> both_shares(const LinearMap& K, std::uint64_t seed);

/// Factors that keep small what K says little about: every feature of both sides times s²/(s² + ridge·‖K‖²/n), s its singular value. A row
/// that is unlike all others may have any size in directions that K hardly has, and features of it would else be any size too.
MatrixFactors with_ridge(MatrixFactors factors, double ridge);

/// Features that factors of the others give the places that judge, compared with K between these: all of them, or the first, which are
/// those of lower rank.
class JudgedFactors {
 public:
  JudgedFactors(const LinearMap& K, const MatrixFactors& factors, const BothShares& shares, const Matrix<double>& exact,
                const Execution& execution);

  const Matrix<double>& exact() const { return exact_; }
  std::size_t n_features() const { return left_.cols(); }
  Matrix<double> approximate(std::size_t n_features, double ridge, const Execution& execution) const;

 private:
  const Matrix<double>& exact_;
  Matrix<double> left_, right_;
  std::vector<double> singular_values_;
  std::size_t size_;
};

/// Shares of K's places and K between those that judge, for factors of the others.
class Judges {
 public:
  Judges(const LinearMap& K, std::uint64_t seed, const Execution& execution);
  const std::vector<BothShares>& shares() const { return shares_; }
  /// Factors of the others of every share in turn.
  std::vector<MatrixFactors> factors(const MatrixOptions& options) const;
  std::vector<JudgedFactors> judge(const std::vector<MatrixFactors>& factors, const Execution& execution) const;
  HeldOutError error(const std::vector<JudgedFactors>& judged, std::size_t n_features, double ridge, const Execution& execution) const;
  /// The ridge for all features with the least error, of those up to 1e-6, which cost little of K itself: a smaller one must be
  /// better by 5 %, none at all ten times as good, because where all serve the largest is the safest. A larger one where it halves the
  /// error.
  double best_ridge(const std::vector<JudgedFactors>& judged, const Execution& execution) const;

 private:
  const LinearMap& K_;
  std::vector<BothShares> shares_;
  std::vector<Matrix<double>> exact_;
};

/// The most features that any of them has.
std::size_t most_features(const std::vector<JudgedFactors>& judged);

}  // namespace askrff::pipeline
