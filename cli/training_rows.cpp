// Goes through the training rows.
#include "training_rows.hpp"

#include <algorithm>
#include <span>
#include <unordered_map>
#include <utility>

#include "askrff/labels.hpp"
#include "askrff/random.hpp"

namespace askrff::cli {
namespace {

constexpr std::size_t block_rows = 8192;
// For what depends on data but need not see all of it: landmarks, calibrated weights, the median distance, tuning.
constexpr std::size_t most_sampled = 20'000;

/// Rows copied out of blocks.
class CopiedRows {
 public:
  explicit CopiedRows(std::size_t dim) : dim_(dim) {}

  std::size_t size() const { return labels_.size(); }
  /// place: of an earlier row, which is replaced, or size().
  void set(std::size_t place, std::uint64_t number, std::span<const double> row, std::string label) {
    if (place == size()) {
      values_.resize(values_.size() + dim_);
      labels_.emplace_back();
      numbers_.emplace_back();
    }
    std::ranges::copy(row, values_.begin() + static_cast<std::ptrdiff_t>(place * dim_));
    labels_[place] = std::move(label);
    numbers_[place] = number;
  }
  SampledRows scaled_by(const Scaler& scaler) {
    SampledRows rows{Matrix<double>(size(), dim_, values_), std::move(labels_), std::move(numbers_)};
    scaler.apply(rows.X);
    return rows;
  }

 private:
  std::size_t dim_;
  std::vector<double> values_;
  std::vector<std::string> labels_;
  std::vector<std::uint64_t> numbers_;
};

/// A uniform choice among rows whose number is not known (reservoir sampling); row i's part in it depends on (seed, i) only. And the first
/// rows of every class.
class Sample {
 public:
  Sample(std::size_t dim, std::uint64_t seed, std::size_t reserved) : seed_(seed), reserved_(reserved), chosen_(dim), first_(dim) {}

  void add(const RowBlock& block) {
    const BlockLabels labels(block);
    for (std::size_t i = 0; i < block.X.rows(); ++i, ++n_seen_) {
      if (reserved_ > 0 && first_.size() < most_sampled) reserve(block.X.row(i), labels.text(i));
      const std::size_t place =
          chosen_.size() < most_sampled ? chosen_.size() : RandomStream(seed_, Purpose::sampled_rows, n_seen_).below(n_seen_ + 1);
      if (place < most_sampled) chosen_.set(place, n_seen_, block.X.row(i), labels.text(i));
    }
  }

  void move_to(Survey& survey) {
    survey.sample = chosen_.scaled_by(survey.scaler);
    survey.reserve = first_.scaled_by(survey.scaler);
  }

 private:
  void reserve(std::span<const double> row, std::string label) {
    if (n_reserved_[label_key(label)]++ < reserved_) first_.set(first_.size(), n_seen_, row, std::move(label));
  }

  std::uint64_t seed_, n_seen_ = 0;
  std::size_t reserved_;
  CopiedRows chosen_, first_;
  std::unordered_map<std::string, std::size_t> n_reserved_;  // of each class, by its key
};

}  // namespace

TrainingRows::TrainingRows(const DataOptions& options, bool in_memory, const Execution& execution) : source_(options.source) {
  if (!in_memory && DataStream::can_read_again(options.source, options.read))
    stream_.emplace(options.open(execution));
  else
    data_.emplace(options.load_labelled(execution));
}

std::size_t TrainingRows::dim() const { return stream_ ? stream_->n_columns() : data_->X.cols(); }
const std::vector<std::string>& TrainingRows::column_names() const { return stream_ ? stream_->column_names() : data_->column_names; }

void TrainingRows::scale_by(const Scaler& scaler) {
  if (stream_)
    scaler_ = scaler;
  else
    scaler.apply(data_->X);
}

void TrainingRows::visit(const std::function<void(const RowBlock&)>& visitor) {
  RowBlock block;
  if (stream_) {
    stream_->rewind();
    while (stream_->next(block, block_rows)) {
      if (scaler_) scaler_->apply(block.X);
      visitor(block);
    }
    return;
  }
  for (std::size_t first = 0; first < data_->X.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, data_->X.rows() - first);
    block.X = data_->X.view().middle_rows(first, count);
    const auto label = data_->labels.begin() + static_cast<std::ptrdiff_t>(data_->labels.empty() ? 0 : first);
    block.labels.assign(label, label + static_cast<std::ptrdiff_t>(data_->labels.empty() ? 0 : count));
    visitor(block);
  }
}

Survey survey(TrainingRows& rows, Scaling scaling, std::uint64_t seed, std::size_t reserved) {
  Survey found;
  ScalerFit fit(rows.dim(), scaling);
  Sample sample(rows.dim(), seed, reserved);
  rows.visit([&](const RowBlock& block) {
    found.labels.add(rows.source(), block);
    fit.add(block.X);
    sample.add(block);
    found.n_rows += block.X.rows();
  });
  if (found.n_rows == 0) throw DataError(rows.source() + ": no rows, expected at least one");
  found.scaler = fit.finish();
  sample.move_to(found);
  return found;
}

}  // namespace askrff::cli
