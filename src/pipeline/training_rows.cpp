// Goes through the training rows.
#include "pipeline/training_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "askrff/errors.hpp"

namespace askrff::pipeline {
namespace {

constexpr std::size_t block_rows = 8192;

}  // namespace

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

TrainingRows::TrainingRows(RowStream& stream, std::uint64_t max_kept, const Execution& execution) : stream_(stream), stop_(execution.stop) {
  const auto n_rows = stream.known_rows();
  const bool is_small = n_rows && *n_rows <= max_kept / sizeof(double) / stream.n_columns();
  if (is_small || !stream.can_rewind()) read_all();
}

Matrix<double>& TrainingRows::X() {
  if (!in_memory_) read_all();
  return X_;
}

bool TrainingRows::take_all() {
  auto taken = stream_.take();
  if (!taken) return false;
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
  return true;
}

/// In pieces that are given back while the whole is put together: little more than the rows themselves is ever held.
void TrainingRows::read_all() {
  in_memory_ = true;
  if (take_all()) return;
  if (stream_.can_rewind()) stream_.rewind();
  std::vector<Matrix<double>> pieces;
  std::size_t n_rows = 0;
  std::uint64_t n_read = 0;
  RowBlock block;
  while (stream_.next(block, block_rows)) {
    stop_.check();
    const std::uint64_t first = std::exchange(n_read, n_read + block.X.rows());
    keep_what_counts(block, first, stream_.name());
    n_rows += block.X.rows();
    weights_.insert(weights_.end(), block.weights.begin(), block.weights.end());
    Matrix<double> piece(block.X.rows(), block.X.cols());
    for (std::size_t i = 0; i < piece.rows(); ++i) std::ranges::copy(block.X.row(i), piece.row(i).begin());
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

Survey survey(TrainingRows& rows, Scaling scaling, std::uint64_t seed, std::size_t n_reserved,
              const std::function<void(const RowBlock&, LabelSurvey&)>& before) {
  const RowStream& stream = rows.stream();
  Survey found{.labels = LabelSurvey(stream)};
  ScalerFit fit(rows.dim(), scaling);
  RowSample sample(rows.dim(), stream.n_targets(), seed, stream.n_targets() == 1 ? n_reserved : 0);
  rows.visit([&](const RowBlock& block) {
    if (before) before(block, found.labels);
    found.labels.add(block);
    fit.add(block.X);
    sample.add(block);
    found.n_rows += block.X.rows();
  });
  if (found.n_rows == 0) throw DataError(stream.name(), "no rows that count, expected at least one of a weight above 0");
  found.scaler = fit.finish();
  found.sample = sample.sample(found.scaler);
  found.reserve = sample.reserve(found.scaler);
  return found;
}

}  // namespace askrff::pipeline
