// Labels as a model wants them, classes or numbers, for rows that come block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "askrff/labels.hpp"
#include "askrff/linear.hpp"
#include "askrff/rows.hpp"
#include "askrff/model.hpp"
#include "askrff/train.hpp"
#include "core/exact_sum.hpp"

namespace askrff::pipeline {

/// What the outputs of a model stand for.
struct Targets {
  Task task = Task::regression;
  std::vector<std::string> classes;                         ///< empty for regression
  std::size_t n_numbers = 1;                                ///< per row, of regression
  std::vector<std::uint64_t> class_sizes;                   ///< rows of each; for regression one number, all rows
  std::vector<double> class_totals;                         ///< the weights of their rows together
  std::vector<double> class_weights = {};                   ///< what a row of each class counts more; empty: all the same
  std::vector<std::vector<std::uint64_t>> part_sizes = {};  ///< class_sizes of every part, if the survey was told of parts

  std::size_t n_outputs() const { return task == Task::regression ? n_numbers : classes.size() == 2 ? 1 : classes.size(); }
};

/// What labels there are: looked at once before the work, to decide what kind of model they want.
class LabelSurvey {
 public:
  explicit LabelSurvey(const RowStream& rows);
  /// Of rows that others have looked at: how many there are of every class (of all, without classes), and their weights.
  LabelSurvey(const RowStream& rows, std::vector<std::uint64_t> counts, std::vector<ExactSum> totals);

  /// Throws DataError if there are no labels, or a line break is in one: predictions are lines.
  void add(const RowBlock& block);
  /// Rows from here on are of this part, counted from 0, or a later one; those that are passed over have no rows.
  void begin_part(std::size_t part);
  /// Asked for, or else: classification if there are two different labels or some that are no numbers; regression otherwise. Throws
  /// DataError, naming the first that is none, if almost all of many different labels are numbers: that is an error in the data rather
  /// than many classes; for classes, if there is one, or more than anyone could want; for numbers, naming the first label that is none.
  Targets targets(std::optional<Task> wanted) const;

 private:
  void count(const BlockLabels& labels, std::size_t row, double weight);
  void refuse_measurements(const ClassLabels& labels) const;
  Task task(std::optional<Task> wanted) const;
  Targets classes() const;
  /// class_of: the class of every label seen.
  std::vector<std::vector<std::uint64_t>> part_sizes(std::span<const std::uint32_t> class_of, std::size_t n_classes) const;

  struct Part {
    std::uint64_t n_rows = 0;
    std::unordered_map<std::size_t, std::uint64_t> n_of_label;  // by its place among those seen, or its number
  };

  static constexpr std::size_t max_classes = 10'000;
  std::string source_;
  std::vector<std::string> known_classes_;  // of a stream whose labels are numbers of classes; else empty
  std::size_t n_targets_;
  std::vector<std::string> seen_;      // different labels, in the order they came, up to one more than are classes
  std::vector<std::uint64_t> counts_;  // of each
  std::vector<ExactSum> totals_;       // of each, by weight
  std::unordered_map<std::string, std::size_t> place_of_text_;
  std::unordered_map<double, std::size_t> place_of_number_;  // of sources that hold numbers
  std::optional<std::string> first_text_;
  std::uint64_t first_text_row_ = 0, n_texts_ = 0, n_rows_ = 0;
  ExactSum total_;
  std::vector<Part> parts_;  // that there were so far; none if nobody tells of them
};

/// targets.class_weights as they were asked for. Throws InvalidArgument for regression, a label that is no class, or a weight that is not a
/// finite number above 0.
void set_class_weights(const ClassWeights& wanted, Targets& targets);

/// The labels of a block as targets: the class of every row, or its numbers; and what every row counts.
class LabelCoder {
 public:
  LabelCoder(const RowStream& rows, const Targets& targets);

  /// Throws DataError if a label is not among the targets: the data have changed since the survey.
  void read(const RowBlock& block);
  std::span<const std::uint32_t> classes() const { return classes_; }                           ///< empty for regression
  MatrixView<const double> numbers() const { return numbers_.view().middle_rows(0, n_rows_); }  ///< empty for classification
  std::span<const double> weights() const { return weights_; }  ///< those of rows times those of classes; empty: all 1

 private:
  [[noreturn]] void refuse() const;
  [[noreturn]] void refuse(const std::string& label) const;
  std::uint32_t class_of(const BlockLabels& labels, std::size_t row);

  std::string source_;
  const Targets& targets_;
  bool are_codes_;
  ClassLookup lookup_;
  std::vector<std::uint32_t> classes_;
  std::vector<double> weights_;
  Matrix<double> numbers_;
  std::size_t n_rows_ = 0;
};

}  // namespace askrff::pipeline
