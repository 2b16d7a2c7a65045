// Rows with labels to train on, and streams of them of every kind; the same for every run.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "askrff/rows.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {

struct LabelledRows {
  Matrix<double> X;
  std::vector<double> numbers;     ///< labels: of classes 0, 1, …, or to be predicted
  std::vector<std::string> texts;  ///< the same as people write them
};

/// Two coordinates in [0,1], classes by rings around the middle: no linear model can tell them apart.
inline LabelledRows rings(std::size_t n_rows, std::size_t n_classes, std::uint64_t seed) {
  LabelledRows rows{uniform_matrix(n_rows, 2, seed), {}, {}};
  for (std::size_t i = 0; i < n_rows; ++i) {
    const double radius = std::hypot(rows.X(i, 0) - 0.5, rows.X(i, 1) - 0.5);
    const auto of_class = std::min(n_classes - 1, static_cast<std::size_t>(1.6 * radius * static_cast<double>(n_classes)));
    rows.numbers.push_back(static_cast<double>(of_class));
    rows.texts.push_back(std::to_string(of_class));
  }
  return rows;
}

/// A smooth function of two coordinates.
inline LabelledRows waves(std::size_t n_rows, std::uint64_t seed) {
  LabelledRows rows{uniform_matrix(n_rows, 2, seed), {}, {}};
  for (std::size_t i = 0; i < n_rows; ++i) rows.numbers.push_back(std::sin(4 * rows.X(i, 0)) + std::cos(3 * rows.X(i, 1)));
  return rows;
}

/// A stream as a program of somebody else's could write it: blocks of any size, several targets per row, classes by number, once or often.
class PlainStream final : public RowStream {
 public:
  struct Options {
    std::vector<std::string> class_names = {};
    std::size_t n_targets = 1;
    bool can_rewind = true;
    std::size_t block_rows = 1000;                             ///< at most
    std::function<void(std::vector<double>&)> on_rewind = {};  ///< may change the labels
  };
  PlainStream(Matrix<double> X, std::vector<double> numbers, Options options)
      : X_(std::move(X)), numbers_(std::move(numbers)), options_(std::move(options)) {}

  const std::string& name() const override { return name_; }
  std::size_t n_columns() const override { return X_.cols(); }
  const std::vector<std::string>& column_names() const override { return no_names_; }
  bool has_labels() const override { return true; }
  const std::vector<std::string>& class_names() const override { return options_.class_names; }
  std::size_t n_targets() const override { return options_.n_targets; }
  bool can_rewind() const override { return options_.can_rewind; }
  void rewind() override {
    if (!options_.can_rewind) throw DataError(name_, "cannot be read again");
    next_row_ = 0;
    if (options_.on_rewind) options_.on_rewind(numbers_);
  }

 private:
  void read_block(RowBlock& block, std::size_t max_rows) override {
    const std::size_t count = std::min({max_rows, options_.block_rows, X_.rows() - next_row_});
    if (count == 0) return;
    block_ = Matrix<double>(count, X_.cols());
    for (std::size_t i = 0; i < count; ++i) std::ranges::copy(X_.row(next_row_ + i), block_.row(i).begin());
    const auto first = numbers_.begin() + static_cast<std::ptrdiff_t>(next_row_ * options_.n_targets);
    block.label_numbers.assign(first, first + static_cast<std::ptrdiff_t>(count * options_.n_targets));
    block.X = block_;
    next_row_ += count;
  }

  std::string name_ = "plain stream";
  std::vector<std::string> no_names_;
  Matrix<double> X_, block_;
  std::vector<double> numbers_;
  Options options_;
  std::size_t next_row_ = 0;
};

}  // namespace askrff::test
