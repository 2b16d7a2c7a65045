// What all streams of rows have in common, and the one over rows in memory.
#include "askrff/labels.hpp"
#include "askrff/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <utility>

#include "io/finite.hpp"
#include "io/messages.hpp"

namespace askrff {

std::string BlockLabels::text(std::size_t row) const {
  return block_.labels.empty() ? label_key(block_.label_numbers[row]) : block_.labels[row];
}

std::optional<double> BlockLabels::number(std::size_t row) const {
  return block_.labels.empty() ? std::optional(block_.label_numbers[row]) : label_number(block_.labels[row]);
}

const std::vector<std::string>& RowStream::class_names() const {
  static const std::vector<std::string> none;
  return none;
}

namespace {

/// So many that wide rows need no more memory than narrow ones.
std::size_t rows_at_once(std::size_t n_columns, std::size_t max_rows) {
  constexpr std::size_t max_values = (std::size_t{128} << 20) / sizeof(double);
  return std::clamp<std::size_t>(max_values / std::max<std::size_t>(1, n_columns), 1, std::max<std::size_t>(1, max_rows));
}

}  // namespace

bool RowStream::next(RowBlock& block, std::size_t max_rows) {
  const bool any = next_as_is(block, max_rows == 0 || !is_sparse() ? max_rows : rows_at_once(n_columns(), max_rows));
  if (!block.X.is_sparse()) return any;
  if (written_out_.rows() < block.X.rows()) written_out_ = Matrix<double>(block.X.rows(), n_columns());
  const MatrixView<double> rows = written_out_.view().middle_rows(0, block.X.rows());
  block.X.sparse().copy_to(rows);
  block.X = rows;
  return any;
}

bool RowStream::next_as_is(RowBlock& block, std::size_t max_rows) {
  if (max_rows == 0) throw InvalidArgument("RowStream::next", "got max_rows 0, expected at least 1");
  block.X = {};
  block.labels.clear();
  block.label_numbers.clear();
  block.weights.clear();
  read_block(block, is_sparse() ? max_rows : rows_at_once(n_columns(), max_rows));
  if (block.X.rows() > 0 && block.X.is_sparse() != is_sparse())
    io::fail(name(), is_sparse() ? "a block is dense, expected sparse rows as the stream says it has"
                                 : "a block is sparse, but the stream says that its rows are dense");
  const std::size_t n_rows = block.X.rows(), n_numbers = block.label_numbers.size();
  if (n_rows > 0 && block.X.cols() != n_columns())
    io::fail(name(), fmt::format("a block has {} columns, expected {}", block.X.cols(), n_columns()));
  if ((!block.labels.empty() && block.labels.size() != n_rows) || (n_numbers > 0 && n_numbers != n_rows * n_targets()))
    io::fail(name(), fmt::format("a block of {} rows has {} labels and {} numbers for labels, expected one kind, {} per row", n_rows,
                                 block.labels.size(), n_numbers, n_targets()));
  if (!block.weights.empty() && block.weights.size() != n_rows)
    io::fail(name(), fmt::format("a block of {} rows has {} weights, expected none or one per row", n_rows, block.weights.size()));
  return n_rows > 0;
}

MemoryRows::MemoryRows(const RowsView<double>& X, std::string name) : name_(std::move(name)), X_(X) { check_sizes(); }

MemoryRows::MemoryRows(const RowsView<double>& X, std::span<const std::string> labels, std::string name)
    : name_(std::move(name)), X_(X), labels_(labels) {
  if (labels.size() != X.rows()) io::fail(name_, fmt::format("{} labels, expected one for each of {} rows", labels.size(), X.rows()));
  check_sizes();
}

MemoryRows::MemoryRows(const RowsView<double>& X, std::span<const double> label_numbers, std::string name)
    : name_(std::move(name)), X_(X), label_numbers_(label_numbers) {
  if (label_numbers.size() != X.rows())
    io::fail(name_, fmt::format("{} labels, expected one for each of {} rows", label_numbers.size(), X.rows()));
  check_sizes();
}

MemoryRows::MemoryRows(Dataset data, std::string name)
    : name_(std::move(name)), owned_(std::move(data)), X_(std::as_const(owned_.X).view()), labels_(owned_.labels) {
  if (!owned_.weights.empty()) set_weights(owned_.weights);
  if (!labels_.empty() && labels_.size() != X_.rows())
    io::fail(name_, fmt::format("{} labels, expected none or one for each of {} rows", labels_.size(), X_.rows()));
  check_sizes();
}

void MemoryRows::set_weights(std::span<const double> weights) {
  if (weights.size() != X_.rows()) io::fail(name_, fmt::format("{} weights, expected one for each of {} rows", weights.size(), X_.rows()));
  weights_ = weights;
}

void MemoryRows::check_sizes() const {
  if (X_.cols() == 0) io::fail(name_, "no columns, expected at least one");
  if (!column_names().empty() && column_names().size() != X_.cols())
    io::fail(name_, fmt::format("{} names of columns, expected none or one for each of {} columns", column_names().size(), X_.cols()));
}

/// Of the rows from next_row_ on.
void MemoryRows::check_finite(const RowsView<double>& X) const {
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const auto values = X.is_sparse() ? X.sparse().values_of(i) : X.dense().row(i);
    if (io::all_finite(values.data(), values.size())) continue;
    const auto bad = std::find_if_not(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    const auto place = static_cast<std::size_t>(bad - values.begin());
    io::fail(name_, fmt::format("row {}, column {} is {}, expected a finite number", next_row_ + i + 1,
                                (X.is_sparse() ? X.sparse().columns_of(i)[place] : place) + 1, *bad));
  }
}

void MemoryRows::read_block(RowBlock& block, std::size_t max_rows) {
  const std::size_t count = std::min(max_rows, X_.rows() - next_row_);
  if (count == 0) return;
  const RowsView<double> rows = X_.middle_rows(next_row_, count);
  check_finite(rows);
  if (!labels_.empty()) {
    const auto labels = labels_.subspan(next_row_, count);
    block.labels.assign(labels.begin(), labels.end());
  }
  if (!label_numbers_.empty()) {
    const auto numbers = label_numbers_.subspan(next_row_, count);
    if (const auto bad = std::find_if_not(numbers.begin(), numbers.end(), [](double value) { return std::isfinite(value); });
        bad != numbers.end())
      io::fail(name_, fmt::format("the label of row {} is {}, expected a finite number", next_row_ + (bad - numbers.begin()) + 1, *bad));
    block.label_numbers.assign(numbers.begin(), numbers.end());
  }
  if (!weights_.empty()) {
    const auto weights = weights_.subspan(next_row_, count);
    block.weights.assign(weights.begin(), weights.end());
  }
  block.X = rows;
  next_row_ += count;
}

std::optional<Dataset> MemoryRows::take() {
  if (owned_.X.data() == nullptr || owned_.X.data() != X_.dense().data()) return std::nullopt;
  check_finite(X_);
  Dataset taken{std::move(owned_.X), std::move(owned_.labels), {}, {weights_.begin(), weights_.end()}};
  X_ = MatrixView<const double>(nullptr, 0, X_.cols());
  labels_ = {};
  weights_ = {};
  return taken;
}

WeightedRows::WeightedRows(RowStream& rows, const std::string& column) : rows_(rows), column_names_(rows.column_names()) {
  const std::size_t n_columns = rows.n_columns();
  const auto named = std::ranges::find(column_names_, column);
  const auto number = label_number(column);
  if (named != column_names_.end())
    column_ = static_cast<std::size_t>(named - column_names_.begin());
  else if (number && *number == std::floor(*number) && *number >= 1 && *number <= static_cast<double>(n_columns))
    column_ = static_cast<std::size_t>(*number) - 1;
  else
    io::fail(rows.name(), fmt::format("there is no column {} of weights, expected {}a number from 1 to {}", io::in_quotes(column),
                                      column_names_.empty() ? "" : "the name of a column of data or ", n_columns));
  if (n_columns < 2) io::fail(rows.name(), "no columns beside the weights, expected at least one");
  if (!column_names_.empty()) column_names_.erase(column_names_.begin() + static_cast<std::ptrdiff_t>(column_));
}

WeightedRows::WeightedRows(std::unique_ptr<RowStream> rows, const std::string& column) : WeightedRows(*rows, column) {
  owned_ = std::move(rows);
}

void WeightedRows::read_block(RowBlock& block, std::size_t max_rows) {
  if (!rows_.next(block, max_rows)) return;
  const MatrixView<const double> all = block.X.dense();
  block_ = Matrix<double>(all.rows(), all.cols() - 1);
  block.weights.resize(all.rows());
  for (std::size_t i = 0; i < all.rows(); ++i) {
    const auto row = all.row(i);
    block.weights[i] = row[column_];
    if (row[column_] < 0)
      io::fail(name(), fmt::format("row {} has the weight {}, expected a number of at least 0", n_read_ + i + 1, row[column_]));
    std::copy(row.begin() + static_cast<std::ptrdiff_t>(column_) + 1, row.end(), std::copy_n(row.begin(), column_, block_.row(i).begin()));
  }
  n_read_ += all.rows();
  block.X = block_;
}

}  // namespace askrff
