// Cross-validation: who is in which fold, and what came of it. Folds are fixed by the seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "askrff/labels.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

/// The class of every row, as numbers from 0 to names.size() - 1.
struct ClassLabels {
  std::vector<std::string> names;      ///< as the user wrote them; numbers in their order, everything else in that of its bytes
  std::vector<std::uint32_t> of_rows;  ///< one per row

  std::size_t n_classes() const { return names.size(); }
  /// Finds the classes among the labels of all rows: those with the same label_key, under the name that comes first.
  static ClassLabels of(std::span<const std::string> labels);
};

/// Deals rows out to folds as they come: of n_folds consecutive rows of a class each goes to another fold, in an order that (seed, class,
/// number of the group) decides. So every fold has its share of every class, whatever the order of the rows, and nobody need know how many
/// there are.
class FoldDealer {
 public:
  /// Throws std::invalid_argument for fewer than 2 folds.
  FoldDealer(std::size_t n_folds, std::uint64_t seed);
  /// The fold of the next row, which is of this class, from 0 to n_folds - 1.
  std::uint32_t next(std::uint32_t of_class = 0);
  /// As n_rows calls of next(of_class), in no time: to go on where another dealer ended.
  void skip(std::uint64_t n_rows, std::uint32_t of_class = 0);

 private:
  struct Dealt {
    std::uint64_t n_rows = 0;
    std::vector<std::uint32_t> order;  // of the folds in the group of the last row; empty where it is not known yet
  };
  std::size_t n_folds_;
  std::uint64_t seed_;
  std::unordered_map<std::uint32_t, Dealt> dealt_;  // one per class that has come
};

/// Throws std::invalid_argument for fewer than 2 folds, more folds than rows, or a class with fewer rows than folds, which would be absent
/// from some fold. `names` may be empty: the rows have no classes.
void check_folds(std::size_t n_folds, std::span<const std::uint64_t> class_sizes, std::span<const std::string> names);

/// The fold of every row. Throws as check_folds.
std::vector<std::uint32_t> stratified_folds(const ClassLabels& labels, std::size_t n_folds, std::uint64_t seed);
std::vector<std::uint32_t> random_folds(std::size_t n_rows, std::size_t n_folds, std::uint64_t seed);

/// 2^-5, 2^-4, …, 2^5, as in the paper.
std::vector<double> default_c_grid();

/// What a model is scored by.
enum class Score { accuracy, squared_error };

inline constexpr Word<Score> score_words[] = {{Score::accuracy, "accuracy", "share of rows that get their own class"},
                                              {Score::squared_error, "mean squared error", "averaged over targets"}};
constexpr std::span<const Word<Score>> words_of(Score) { return score_words; }

/// Whether score a is better than b: a larger accuracy, a smaller error; what is not finite is worse than anything finite.
bool is_better(Score score, double a, double b);

/// What the folds said of each value of C.
struct CrossValidation {
  std::vector<double> c;            ///< in increasing order
  Matrix<double> scores;            ///< values of C × folds
  Score measure = Score::accuracy;  ///< what the scores are
  Matrix<double> objectives;        ///< values of C × folds, of the fits (summed over outputs); empty where there is none

  double mean(std::size_t i) const;
  double deviation(std::size_t i) const;  ///< standard deviation over folds
  /// The best mean by is_better; among equal ones the smallest C, which regularises most.
  std::size_t best() const;
};

/// Beyond these a model is all regularisation or none, and sums overflow.
inline constexpr double smallest_c = 1e-30, largest_c = 1e8;
/// Sorted and without repetitions. Throws std::invalid_argument unless there is a value and all lie between those.
std::vector<double> checked_c_grid(std::vector<double> c);

}  // namespace askrff
