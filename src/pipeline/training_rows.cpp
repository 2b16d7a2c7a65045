// Goes through the training rows.
#include "pipeline/training_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <unordered_map>
#include <utility>

#include "askrff/errors.hpp"
#include "pipeline/make_map.hpp"

namespace askrff::pipeline {
namespace {

constexpr std::size_t block_rows = 8192;

/// Leaves out rows of weight 0. first: the number of the first row, for messages.
void keep_what_counts(RowBlock& block, std::uint64_t first, const std::string& source) {
  if (block.weights.empty()) return;
  std::size_t n_kept = 0;
  const std::size_t n_numbers = block.label_numbers.size() / block.weights.size();
  for (std::size_t i = 0; i < block.weights.size(); ++i) {
    const double weight = block.weights[i];
    if (weight != 0 && !(weight >= min_weight && weight <= max_weight))
      throw DataError(source, fmt::format("row {} has the weight {}, expected 0 or a number from {:g} to {:g}", first + i + 1, weight,
                                          min_weight, max_weight));
    if (weight == 0) continue;
    if (n_kept < i) {
      std::ranges::copy(block.X.row(i), block.X.row(n_kept).begin());
      block.weights[n_kept] = weight;
      if (!block.labels.empty()) block.labels[n_kept] = std::move(block.labels[i]);
      for (std::size_t t = 0; t < n_numbers; ++t) block.label_numbers[n_kept * n_numbers + t] = block.label_numbers[i * n_numbers + t];
    }
    ++n_kept;
  }
  block.X = block.X.middle_rows(0, n_kept);
  block.weights.resize(n_kept);
  if (!block.labels.empty()) block.labels.resize(n_kept);
  block.label_numbers.resize(n_kept * n_numbers);
}

/// Appends the labels and the weight of a row, whichever way the block holds them; or puts them in place of those of an earlier row.
void set_labels(const RowBlock& from, std::size_t row, std::size_t n_targets, RowBlock& to, std::size_t place) {
  if (!from.weights.empty()) {
    if (place == to.weights.size()) to.weights.emplace_back();
    to.weights[place] = from.weights[row];
  }
  if (!from.labels.empty()) {
    if (place == to.labels.size()) to.labels.emplace_back();
    to.labels[place] = from.labels[row];
    return;
  }
  if (place * n_targets == to.label_numbers.size()) to.label_numbers.resize(to.label_numbers.size() + n_targets);
  std::copy_n(from.label_numbers.begin() + static_cast<std::ptrdiff_t>(row * n_targets), n_targets,
              to.label_numbers.begin() + static_cast<std::ptrdiff_t>(place * n_targets));
}

/// Rows copied out of blocks.
class CopiedRows {
 public:
  CopiedRows(std::size_t dim, std::size_t n_targets) : dim_(dim), n_targets_(n_targets) {}

  std::size_t size() const { return numbers_.size(); }
  /// place: of an earlier row, which is replaced, or size().
  void set(std::size_t place, std::uint64_t number, const RowBlock& block, std::size_t row) {
    set_labels(block, row, n_targets_, labels_, place);
    if (place == size()) {
      values_.resize(values_.size() + dim_);
      numbers_.emplace_back();
    }
    std::ranges::copy(block.X.row(row), values_.begin() + static_cast<std::ptrdiff_t>(place * dim_));
    numbers_[place] = number;
  }
  SampledRows scaled_by(const Scaler& scaler) {
    SampledRows rows{Matrix<double>(size(), dim_, values_), std::move(labels_), std::move(numbers_)};
    scaler.apply(rows.X);
    rows.labels.X = rows.X;
    return rows;
  }

 private:
  std::size_t dim_, n_targets_;
  std::vector<double> values_;
  RowBlock labels_;
  std::vector<std::uint64_t> numbers_;
};

/// The sample of a map, and the first rows of every class.
class Sample {
 public:
  Sample(std::size_t dim, std::size_t n_targets, std::uint64_t seed, std::size_t n_reserved)
      : n_reserved_(n_reserved), max_rows_(sample_size(dim)), sampler_(max_rows_, seed), chosen_(dim, n_targets), first_(dim, n_targets) {}

  void add(const RowBlock& block) {
    for (std::size_t i = 0; i < block.X.rows(); ++i, ++n_seen_) {
      if (n_reserved_ > 0 && first_.size() < max_rows_) reserve(block, i);
      if (const auto place = sampler_.next()) chosen_.set(*place, n_seen_, block, i);
    }
  }
  void move_to(Survey& survey) {
    survey.sample = chosen_.scaled_by(survey.scaler);
    survey.reserve = first_.scaled_by(survey.scaler);
  }

 private:
  void reserve(const RowBlock& block, std::size_t row) {
    if (n_of_class_[label_key(BlockLabels(block).text(row))]++ < n_reserved_) first_.set(first_.size(), n_seen_, block, row);
  }

  std::uint64_t n_seen_ = 0;
  std::size_t n_reserved_, max_rows_;
  RowSampler sampler_;
  CopiedRows chosen_, first_;
  std::unordered_map<std::string, std::size_t> n_of_class_;  // by its key
};

}  // namespace

TrainingRows::TrainingRows(RowStream& stream, bool in_memory, const Execution& execution)
    : stream_(stream), stop_(execution.stop), in_memory_(in_memory || !stream.can_rewind()) {
  if (in_memory_) read_all();
}

/// In pieces that are given back while the whole is put together: little more than the rows themselves is ever held.
void TrainingRows::read_all() {
  if (auto taken = stream_.take()) {
    RowBlock all{taken->X, std::move(taken->labels), {}, std::move(taken->weights)};
    keep_what_counts(all, 0, stream_.name());
    if (all.X.rows() == taken->X.rows()) {
      X_ = std::move(taken->X);
    } else {
      X_ = Matrix<double>(all.X.rows(), all.X.cols());
      for (std::size_t i = 0; i < X_.rows(); ++i) std::ranges::copy(all.X.row(i), X_.row(i).begin());
    }
    labels_ = std::move(all.labels);
    weights_ = std::move(all.weights);
    return;
  }
  if (stream_.can_rewind()) stream_.rewind();
  std::vector<Matrix<double>> pieces;
  std::size_t n_rows = 0;
  std::uint64_t n_read = 0;
  RowBlock block;
  while (stream_.next(block, block_rows)) {
    stop_.check();
    const std::uint64_t first = std::exchange(n_read, n_read + block.X.rows());
    keep_what_counts(block, first, stream_.name());
    weights_.insert(weights_.end(), block.weights.begin(), block.weights.end());
    Matrix<double> piece(block.X.rows(), block.X.cols());
    for (std::size_t i = 0; i < piece.rows(); ++i) std::ranges::copy(block.X.row(i), piece.row(i).begin());
    n_rows += piece.rows();
    pieces.push_back(std::move(piece));
    std::ranges::move(block.labels, std::back_inserter(labels_));
    label_numbers_.insert(label_numbers_.end(), block.label_numbers.begin(), block.label_numbers.end());
  }
  if (!weights_.empty() && weights_.size() != n_rows)
    throw DataError(stream_.name(), fmt::format("{} of {} rows have weights, expected all or none", weights_.size(), n_rows));
  X_ = Matrix<double>(n_rows, stream_.n_columns());
  double* end = X_.data();
  for (Matrix<double>& piece : pieces) {
    end = std::copy_n(piece.data(), piece.rows() * piece.cols(), end);
    piece = {};
  }
}

void TrainingRows::visit(const std::function<void(const RowBlock&)>& visitor) {
  RowBlock block;
  if (!in_memory_) {
    stream_.rewind();
    for (std::uint64_t n_read = 0; stream_.next(block, block_rows);) {
      stop_.check();
      const std::uint64_t first = std::exchange(n_read, n_read + block.X.rows());
      keep_what_counts(block, first, stream_.name());
      if (block.X.rows() > 0) visitor(block);
    }
    return;
  }
  const std::size_t n_numbers = X_.rows() == 0 ? 0 : label_numbers_.size() / X_.rows();
  for (std::size_t first = 0; first < X_.rows(); first += block_rows) {
    stop_.check();
    const std::size_t count = std::min(block_rows, X_.rows() - first);
    block.X = X_.view().middle_rows(first, count);
    if (!labels_.empty())
      block.labels.assign(labels_.begin() + static_cast<std::ptrdiff_t>(first),
                          labels_.begin() + static_cast<std::ptrdiff_t>(first + count));
    const auto number = label_numbers_.begin() + static_cast<std::ptrdiff_t>(first * n_numbers);
    block.label_numbers.assign(number, number + static_cast<std::ptrdiff_t>(count * n_numbers));
    const auto weight = weights_.begin() + static_cast<std::ptrdiff_t>(weights_.empty() ? 0 : first);
    block.weights.assign(weight, weight + static_cast<std::ptrdiff_t>(weights_.empty() ? 0 : count));
    visitor(block);
  }
}

Survey survey(TrainingRows& rows, Scaling scaling, std::uint64_t seed, std::size_t n_reserved) {
  const RowStream& stream = rows.stream();
  Survey found{.labels = LabelSurvey(stream)};
  ScalerFit fit(rows.dim(), scaling);
  Sample sample(rows.dim(), stream.n_targets(), seed, stream.n_targets() == 1 ? n_reserved : 0);
  rows.visit([&](const RowBlock& block) {
    found.labels.add(block);
    fit.add(block.X);
    sample.add(block);
    found.n_rows += block.X.rows();
  });
  if (found.n_rows == 0) throw DataError(stream.name(), "no rows that count, expected at least one of a weight above 0");
  found.scaler = fit.finish();
  sample.move_to(found);
  return found;
}

}  // namespace askrff::pipeline
