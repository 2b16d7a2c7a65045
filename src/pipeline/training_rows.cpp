// Goes through the training rows.
#include "pipeline/training_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "askrff/errors.hpp"
#include "pipeline/collected_rows.hpp"
#include "pipeline/make_map.hpp"

namespace askrff::pipeline {
namespace {

constexpr std::size_t block_rows = 8192;

}  // namespace

void keep_what_counts(RowBlock& block, RowsMatrix<double>& kept, std::uint64_t first, const std::string& source) {
  if (block.weights.empty()) return;
  std::vector<std::size_t> counting;
  const std::size_t n_numbers = block.label_numbers.size() / block.weights.size();
  for (std::size_t i = 0; i < block.weights.size(); ++i) {
    const double weight = block.weights[i];
    if (weight != 0 && !(weight >= min_weight && weight <= max_weight))
      throw DataError(source, fmt::format("row {} has the weight {}, expected 0 or a number from {:g} to {:g}", first + i + 1, weight,
                                          min_weight, max_weight));
    if (weight == 0) continue;
    const std::size_t place = counting.size();
    counting.push_back(i);
    if (place == i) continue;
    block.weights[place] = weight;
    if (!block.labels.empty()) block.labels[place] = std::move(block.labels[i]);
    for (std::size_t t = 0; t < n_numbers; ++t) block.label_numbers[place * n_numbers + t] = block.label_numbers[i * n_numbers + t];
  }
  if (counting.size() == block.weights.size()) return;
  kept = RowsMatrix<double>::taken_from(block.X, counting);
  block.X = kept;
  block.weights.resize(counting.size());
  if (!block.labels.empty()) block.labels.resize(counting.size());
  block.label_numbers.resize(counting.size() * n_numbers);
}

TrainingRows::TrainingRows(RowStream& stream, std::uint64_t max_kept, const Execution& execution) : stream_(stream), stop_(execution.stop) {
  const auto n_rows = stream.known_rows();
  const bool is_small = n_rows && *n_rows <= max_kept / sizeof(double) / stream.n_columns();
  if (is_small || !stream.can_rewind()) read_all();
}

RowsMatrix<double>& TrainingRows::X() {
  if (!in_memory_) read_all();
  return X_;
}

bool TrainingRows::take_all() {
  auto taken = stream_.take();
  if (!taken) return false;
  RowBlock all{taken->X, std::move(taken->labels), {}, std::move(taken->weights)};
  RowsMatrix<double> kept;
  keep_what_counts(all, kept, 0, stream_.name());
  X_ = all.X.rows() == taken->X.rows() ? RowsMatrix<double>(std::move(taken->X)) : std::move(kept);
  labels_ = std::move(all.labels);
  weights_ = std::move(all.weights);
  return true;
}

void TrainingRows::read_all() {
  in_memory_ = true;
  if (take_all()) return;
  if (stream_.can_rewind()) stream_.rewind();
  CollectedRows rows(stream_.n_columns());
  std::uint64_t n_read = 0;
  RowBlock block;
  RowsMatrix<double> kept;
  while (stream_.next_as_is(block, block_rows)) {
    stop_.check();
    const std::uint64_t first = std::exchange(n_read, n_read + block.X.rows());
    keep_what_counts(block, kept, first, stream_.name());
    rows.add(block.X);
    weights_.insert(weights_.end(), block.weights.begin(), block.weights.end());
    std::ranges::move(block.labels, std::back_inserter(labels_));
    label_numbers_.insert(label_numbers_.end(), block.label_numbers.begin(), block.label_numbers.end());
  }
  if (!weights_.empty() && weights_.size() != rows.n_rows())
    throw DataError(stream_.name(), fmt::format("{} of {} rows have weights, expected all or none", weights_.size(), rows.n_rows()));
  X_ = rows.finish();
}

void TrainingRows::visit(const std::function<void(const RowBlock&)>& visit_block) {
  n_rows_ = n_bytes_ = 0;
  const auto visitor = [&](const RowBlock& of_rows) {
    n_rows_ += of_rows.X.rows();
    n_bytes_ += of_rows.X.n_values() * (sizeof(double) + (of_rows.X.is_sparse() ? sizeof(std::uint32_t) : 0));
    if (!is_written_out_ || !of_rows.X.is_sparse()) return visit_block(of_rows);
    RowBlock part = of_rows;
    const SparseView<double> rows = of_rows.X.sparse();
    Matrix<double> written_out(rows.rows(), rows.cols());
    rows.copy_to(written_out.view());
    part.X = written_out;
    visit_block(part);
  };
  // Rows that are written out take as much memory as others.
  const std::size_t at_once = is_written_out_ ? std::clamp<std::size_t>((std::size_t{1} << 24) / dim(), 1, block_rows) : block_rows;
  RowBlock block;
  if (!in_memory_) {
    stream_.rewind();
    RowsMatrix<double> kept;
    for (std::uint64_t n_read = 0; stream_.next_as_is(block, at_once);) {
      stop_.check();
      const std::uint64_t first = std::exchange(n_read, n_read + block.X.rows());
      keep_what_counts(block, kept, first, stream_.name());
      if (block.X.rows() > 0) visitor(block);
    }
    return;
  }
  const std::size_t n_numbers = X_.rows() == 0 ? 0 : label_numbers_.size() / X_.rows();
  for (std::size_t first = 0; first < X_.rows(); first += at_once) {
    stop_.check();
    const std::size_t count = std::min(at_once, X_.rows() - first);
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
  RowSample sample(rows.dim(), stream.is_sparse(), stream.n_targets(), seed, stream.n_targets() == 1 ? n_reserved : 0);
  rows.visit([&](const RowBlock& block) {
    if (before) before(block, found.labels);
    found.labels.add(block);
    fit.add(block.X);
    sample.add(block);
    found.n_rows += block.X.rows();
  });
  if (found.n_rows == 0) throw DataError(stream.name(), "no rows that count, expected at least one of a weight above 0");
  found.scaler = fit.finish();
  found.box = scaled_box({fit.lowest(), fit.highest()}, found.scaler);
  if (!found.scaler.keeps_zeros()) rows.write_out();
  found.sample = sample.sample(found.scaler);
  found.reserve = sample.reserve(found.scaler);
  return found;
}

}  // namespace askrff::pipeline
