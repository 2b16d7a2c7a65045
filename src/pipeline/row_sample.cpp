// Copies rows that are drawn.
#include "pipeline/row_sample.hpp"

#include <algorithm>

#include "askrff/errors.hpp"
#include "askrff/labels.hpp"
#include "askrff/random.hpp"
#include "pipeline/make_map.hpp"

namespace askrff::pipeline {
namespace {

/// Appends the labels and the weight of a row, whichever way the block holds them, to those of n_rows; or puts them in place of those of an
/// earlier row.
void set_labels(const RowBlock& from, std::size_t row, std::size_t n_targets, RowBlock& to, std::size_t place, std::size_t n_rows) {
  if (!from.weights.empty() || !to.weights.empty()) {  // blocks without weights count 1
    if (to.weights.size() <= place) to.weights.resize(std::max(n_rows, place + 1), 1.0);
    to.weights[place] = from.weights.empty() ? 1 : from.weights[row];
  }
  if (n_rows > 0 && BlockLabels(from).empty() != BlockLabels(to).empty())
    throw InvalidArgument("RowSample", "some rows have labels and some have none, expected all or none");
  if (!from.labels.empty()) {
    if (place == to.labels.size()) to.labels.emplace_back();
    to.labels[place] = from.labels[row];
    return;
  }
  if (from.label_numbers.empty()) return;
  if (place * n_targets == to.label_numbers.size()) to.label_numbers.resize(to.label_numbers.size() + n_targets);
  std::copy_n(from.label_numbers.begin() + static_cast<std::ptrdiff_t>(row * n_targets), n_targets,
              to.label_numbers.begin() + static_cast<std::ptrdiff_t>(place * n_targets));
}

}  // namespace

void CopiedRows::set(std::uint64_t place, std::uint64_t number, const RowBlock& block, std::size_t row) {
  const auto [entry, is_new] = index_of_.try_emplace(place, size());
  const std::size_t i = entry->second;
  if (!is_new && numbers_[i] > number) return;
  set_labels(block, row, n_targets_, labels_, i, is_new ? size() : size() - 1);
  if (is_new) {
    if (is_sparse_)
      sparse_.emplace_back();
    else
      values_.resize(values_.size() + dim_);
    numbers_.emplace_back();
    places_.push_back(place);
  }
  if (is_sparse_) {
    const auto columns = block.X.sparse().columns_of(row);
    const auto values = block.X.sparse().values_of(row);
    sparse_[i] = {{columns.begin(), columns.end()}, {values.begin(), values.end()}};
  } else {
    std::ranges::copy(block.X.dense().row(row), values_.begin() + static_cast<std::ptrdiff_t>(i * dim_));
  }
  numbers_[i] = number;
}

RowBlock CopiedRows::block_of(SparseMatrix<double>& storage) const {
  RowBlock block = labels_;
  if (!is_sparse_) {
    block.X = MatrixView<const double>(values_.data(), size(), dim_);
    return block;
  }
  storage = SparseMatrix<double>(dim_);
  for (const SparseRow& row : sparse_) storage.add_row(row.columns, row.values);
  block.X = storage;
  return block;
}

void CopiedRows::merge(const CopiedRows& other) {
  if (other.dim_ != dim_ || other.n_targets_ != n_targets_ || other.is_sparse_ != is_sparse_)
    throw InvalidArgument("RowSample", "rows of other columns or targets, expected the same");
  SparseMatrix<double> storage;
  const RowBlock block = other.block_of(storage);
  for (std::size_t i = 0; i < block.X.rows(); ++i) set(other.places_[i], other.numbers_[i], block, i);
}

void CopiedRows::reorder(const std::vector<std::size_t>& order) {
  CopiedRows rows(dim_, is_sparse_, n_targets_);
  SparseMatrix<double> storage;
  const RowBlock block = block_of(storage);
  for (const std::size_t i : order) rows.set(places_[i], numbers_[i], block, i);
  *this = std::move(rows);
}

template <class Keep>
void CopiedRows::sort_and_keep(const Keep& keep) {
  std::vector<std::size_t> all(size()), order;
  for (std::size_t i = 0; i < size(); ++i) all[i] = i;
  std::ranges::sort(all, {}, [&](std::size_t i) { return places_[i]; });
  std::ranges::copy_if(all, std::back_inserter(order), keep);
  reorder(order);
}

void CopiedRows::cut_to(std::size_t count) {
  if (size() <= count) return;
  std::vector<std::size_t> order = choose_rows(size(), count, 0, Purpose::sampled_rows);
  std::ranges::sort(order);
  reorder(order);
}

SampledRows CopiedRows::scaled_by(const Scaler& scaler) {
  if (!std::ranges::is_sorted(places_)) sort_and_keep([](std::size_t) { return true; });
  if (is_sparse_ && !scaler.keeps_zeros()) cut_to(sample_size(dim_, false));
  SparseMatrix<double> storage;
  if (is_sparse_) block_of(storage);
  RowsMatrix<double> X = is_sparse_ ? RowsMatrix<double>(std::move(storage)) : Matrix<double>(size(), dim_, values_);
  SampledRows rows{scaler.applied(std::move(X)), std::move(labels_), std::move(numbers_)};
  rows.labels.X = rows.X;
  return rows;
}

void CopiedRows::write(io::RecordWriter& file, const std::string& prefix) const {
  file.counts(prefix + "/places", places_, 1);
  file.counts(prefix + "/numbers", numbers_, 1);
  file.matrix(prefix + "/X", {values_.data(), size(), dim_});
  file.numbers(prefix + "/labels", labels_.label_numbers);
  file.numbers(prefix + "/weights", labels_.weights);
}

CopiedRows CopiedRows::read(const io::Records& file, const std::string& prefix, std::size_t dim, std::size_t n_targets) {
  CopiedRows rows(dim, false, n_targets), result(dim, false, n_targets);
  rows.places_ = file.counts(prefix + "/places", io::any_size, 1);
  const std::size_t n = rows.places_.size();
  rows.numbers_ = file.counts(prefix + "/numbers", n, 1);
  const Matrix<double> X = file.matrix(prefix + "/X", n, dim);
  rows.values_.assign(X.data(), X.data() + n * dim);
  rows.labels_.label_numbers = file.numbers(prefix + "/labels");
  rows.labels_.weights = file.numbers(prefix + "/weights");
  const std::size_t n_labels = rows.labels_.label_numbers.size(), n_weights = rows.labels_.weights.size();
  if ((n_labels != 0 && n_labels != n * n_targets) || (n_weights != 0 && n_weights != n))
    file.refuse(prefix + "/labels", "does not fit the number of rows");
  result.merge(rows);
  if (result.size() != n) file.refuse(prefix + "/places", "has a place twice");
  return result;
}

RowSample::RowSample(std::size_t dim, bool sparse, std::size_t n_targets, std::uint64_t seed, std::size_t n_reserved,
                     std::uint64_t first_row)
    : n_reserved_(n_reserved),
      max_rows_(sample_size(dim, sparse)),
      dim_(dim),
      n_targets_(n_targets),
      sampler_(max_rows_, seed, Purpose::sampled_rows, first_row),
      chosen_(dim, sparse, n_targets),
      first_(dim, sparse, n_targets) {}

void RowSample::add(const RowBlock& block) {
  for (std::size_t i = 0; i < block.X.rows(); ++i) {
    const std::uint64_t number = sampler_.next_row();
    if (n_reserved_ > 0 && first_.size() < max_rows_ && n_of_class_[label_key(BlockLabels(block).text(i))]++ < n_reserved_)
      first_.set(number, number, block, i);
    if (const auto place = sampler_.next()) chosen_.set(*place, number, block, i);
  }
}

void RowSample::merge(const RowSample& other) {
  chosen_.merge(other.chosen_);
  first_.merge(other.first_);
  if (first_.size() > 0) keep_first_of_classes();  // as few as of one part, however many there are
}

/// Of all rows there are: what add() keeps of rows that come one after another.
void RowSample::keep_first_of_classes() {
  n_of_class_.clear();
  std::size_t n_kept = 0;
  const BlockLabels labels(first_.labels());
  const auto keep = [&](std::size_t i) {
    const bool is_kept = n_kept < max_rows_ && n_of_class_[label_key(labels.text(i))]++ < n_reserved_;
    n_kept += is_kept ? 1 : 0;
    return is_kept;
  };
  first_.sort_and_keep(keep);
}

SampledRows RowSample::reserve(const Scaler& scaler) {
  if (first_.size() > 0) keep_first_of_classes();
  return first_.scaled_by(scaler);
}

void RowSample::write(io::RecordWriter& file) const {
  file.counts("sample/shape", std::vector<std::uint64_t>{dim_, n_targets_, n_reserved_}, 3);
  chosen_.write(file, "sample/chosen");
  first_.write(file, "sample/first");
}

RowSample RowSample::read(const io::Records& file) {
  const auto shape = file.counts("sample/shape", 1, 3);
  constexpr std::uint64_t most = std::uint64_t{1} << 40;
  if (shape[0] == 0 || shape[0] > most || shape[1] == 0 || shape[1] > most) file.refuse("sample/shape", "holds numbers out of range");
  RowSample sample(shape[0], false, shape[1], 0, shape[2]);
  sample.chosen_ = CopiedRows::read(file, "sample/chosen", shape[0], shape[1]);
  sample.first_ = CopiedRows::read(file, "sample/first", shape[0], shape[1]);
  return sample;
}

}  // namespace askrff::pipeline
