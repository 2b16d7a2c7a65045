// Labels as a model wants them: classes (by askrff/labels.hpp) or numbers, for rows that come block by block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "askrff/data.hpp"
#include "askrff/model.hpp"

namespace askrff::cli {

/// The labels of a block, whichever way the source holds them.
class BlockLabels {
 public:
  explicit BlockLabels(const RowBlock& block) : block_(block) {}
  bool empty() const { return block_.labels.empty() && block_.label_numbers.empty(); }
  /// As written; numbers in their shortest form.
  std::string text(std::size_t row) const;
  bool are_numbers() const { return block_.labels.empty(); }
  /// Nothing if it is not a finite number.
  std::optional<double> number(std::size_t row) const;

 private:
  const RowBlock& block_;
};

/// Which class a label is, by the names of a model.
class ClassLookup {
 public:
  explicit ClassLookup(const std::vector<std::string>& classes);
  std::optional<std::uint32_t> find(const BlockLabels& labels, std::size_t row);

 private:
  template <class Label>
  std::optional<std::uint32_t> find(std::unordered_map<Label, std::optional<std::uint32_t>>& known, const Label& label);
  std::unordered_map<std::string, std::uint32_t> by_key_;
  // Those asked for before, so that few need a key.
  std::unordered_map<std::string, std::optional<std::uint32_t>> by_text_;
  std::unordered_map<double, std::optional<std::uint32_t>> by_number_;
};

/// What labels there are: looked at once before the work, to decide what kind of model they want.
class LabelSurvey {
 public:
  /// Throws DataError if there are no labels, or a line break is in one: predictions are lines.
  void add(const std::string& source, const RowBlock& block);

  /// Asked for, or else: classification if there are two different labels or some that are no numbers; regression otherwise. Throws
  /// DataError, naming the first that is none, if almost all of many different labels are numbers: that is an error in the data rather
  /// than many classes.
  Task task(const std::string& source, std::optional<Task> wanted) const;
  /// The classes, with their numbers of rows. Throws DataError for one class, or for more than anyone could want.
  std::vector<std::string> classes(const std::string& source) const;
  std::vector<std::uint64_t> class_sizes() const;
  /// Throws DataError, naming the first label that is not a number.
  void require_numbers(const std::string& source) const;

 private:
  void count(const std::string& source, const BlockLabels& labels, std::size_t row);
  static constexpr std::size_t most_classes = 10'000;
  std::vector<std::string> seen_;      // different ones, in the order they came, up to one more than are classes
  std::vector<std::uint64_t> counts_;  // of each
  std::unordered_map<std::string, std::size_t> place_of_text_;
  std::unordered_map<double, std::size_t> place_of_number_;  // of sources that hold numbers
  std::optional<std::string> first_text_;
  std::uint64_t first_text_row_ = 0, n_texts_ = 0, n_rows_ = 0;
};

}  // namespace askrff::cli
