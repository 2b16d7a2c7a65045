// Parsed pieces of text as rows: block by block, or all at once.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/threads.hpp"
#include "data/csv.hpp"
#include "data/libsvm.hpp"
#include "data/messages.hpp"
#include "data/row_source.hpp"
#include "data/text_pieces.hpp"

namespace askrff::data {
namespace {

/// Rows of a piece, from `first` on, as they go into a matrix.
struct RowRange {
  const double* values;
  const std::uint32_t *columns, *ends;  // ends: nullptr for dense rows
  std::size_t first, count;

  /// X is zero where the rows are sparse.
  void copy_to(double* X, std::size_t n_columns) const {
    if (ends == nullptr) {
      std::copy_n(values + first * n_columns, count * n_columns, X);
      return;
    }
    std::size_t k = first == 0 ? 0 : ends[first - 1];
    for (std::size_t i = first; i < first + count; ++i, X += n_columns)
      for (; k < ends[i]; ++k) X[columns[k]] = values[k];
  }
};

/// Pieces kept until the number of rows is known. Each chunk is a mapping of its own, given back as soon as it has been copied: rows are
/// not in memory twice.
class Chunk {
 public:
  static constexpr std::size_t usual_values = std::size_t{1} << 20, min_values = std::size_t{1} << 14;

  Chunk(std::size_t capacity, bool sparse) : values_(capacity), columns_(sparse ? capacity : 0) {}

  bool has_room(const ParsedRows& rows) const { return values_.size() - n_values_ >= rows.n_values; }
  /// Room for the rows; returns where their values begin.
  std::size_t take_place(const ParsedRows& rows) {
    for (const std::uint32_t end : rows.value_ends) ends_.push_back(static_cast<std::uint32_t>(n_values_ + end));
    n_rows_ += rows.n_rows;
    return std::exchange(n_values_, n_values_ + rows.n_values);
  }
  void fill(std::size_t place, const ParsedRows& rows) {
    std::copy_n(rows.values.data(), rows.n_values, values_.data() + place);
    if (columns_.size() > 0) std::copy_n(rows.columns.data(), rows.n_values, columns_.data() + place);
  }
  std::size_t n_rows() const { return n_rows_; }
  RowRange rows() const { return {values_.data(), columns_.data(), columns_.size() > 0 ? ends_.data() : nullptr, 0, n_rows_}; }

 private:
  detail::Storage<double> values_;
  detail::Storage<std::uint32_t> columns_;
  std::vector<std::uint32_t> ends_;
  std::size_t n_values_ = 0, n_rows_ = 0;
};

class TextRows : public RowSource {
 public:
  TextRows(TextPieces pieces, std::unique_ptr<TextFormat> format, const ReadOptions& options, bool sparse = false)
      : pieces_(std::move(pieces)), format_(std::move(format)), options_(options), is_sparse_(sparse) {}

  const std::string& name() const override { return pieces_.name(); }
  std::size_t n_columns() const override { return format_->n_columns(); }
  const std::vector<std::string>& column_names() const override { return format_->column_names(); }
  bool has_labels() const override { return format_->has_labels(); }
  std::string no_rows() const override { return format_->no_rows(); }
  bool is_sparse() const override { return is_sparse_; }

  std::size_t read_sparse(std::size_t max_rows, SparseMatrix<double>& rows, RowBlock& labels) override {
    constexpr std::size_t max_values = std::size_t{1} << 22;
    std::size_t n_read = 0, n_values = 0;
    while (n_read < max_rows && n_values < max_values && (piece_ != nullptr || next_piece())) {
      const std::size_t count = std::min(max_rows - n_read, piece_->n_rows - at_);
      starts_.assign(1, at_ == 0 ? 0 : piece_->value_ends[at_ - 1]);
      for (std::size_t i = at_; i < at_ + count; ++i) starts_.push_back(piece_->value_ends[i]);
      rows.add_rows(SparseView<double>::of_checked(starts_.data(), piece_->columns.data(), piece_->values.data(), count, n_columns()));
      n_values += starts_.back() - starts_.front();
      n_read += count;
      give_labels(count, labels);
    }
    return n_read;
  }

  std::size_t read(MatrixView<double> X, RowBlock& labels) override {
    std::size_t n_read = 0;
    while (n_read < X.rows() && (piece_ != nullptr || next_piece())) {
      const std::size_t count = std::min(X.rows() - n_read, piece_->n_rows - at_);
      const bool sparse = !piece_->value_ends.empty();
      double* const out = X.data() + n_read * X.cols();
      if (sparse) std::fill_n(out, count * X.cols(), 0.0);
      RowRange{piece_->values.data(), piece_->columns.data(), sparse ? piece_->value_ends.data() : nullptr, at_, count}.copy_to(out,
                                                                                                                                X.cols());
      n_read += count;
      give_labels(count, labels);
    }
    return n_read;
  }

  Dataset read_all() override {
    while (const ParsedRows* rows = pieces_.next()) {
      keep(*rows);
      if (pieces_.round_ends()) fill_places();
    }
    if (n_rows_ == 0) return {};
    const std::size_t cols = n_columns() != 0 ? n_columns() : width_;
    if (cols == 0) refuse_libsvm(name(), n_rows_);
    check_memory(name(), n_rows_, cols, options_.max_bytes,
                 n_columns() != 0 ? "" : fmt::format(" (the largest index is on line {})", line_of_width_));
    Dataset data;
    data.column_names = column_names();
    data.X = assembled(cols);
    if (has_labels()) data.labels = all_labels();
    return data;
  }

 private:
  /// Those of the next rows of the piece, which are done with then.
  void give_labels(std::size_t count, RowBlock& labels) {
    if (has_labels())
      for (std::size_t i = at_; i < at_ + count; ++i) labels.labels.emplace_back(piece_->label(i));
    at_ += count;
    if (at_ == piece_->n_rows) piece_ = nullptr;
  }

  bool next_piece() {
    piece_ = pieces_.next();
    at_ = 0;
    return piece_ != nullptr;
  }

  void keep(const ParsedRows& rows) {
    if (rows.n_rows == 0) return;
    const bool sparse = !rows.value_ends.empty();
    if (chunks_.empty() || !chunks_.back().has_room(rows))
      chunks_.emplace_back(std::max(rows.n_values, chunks_.empty() ? Chunk::min_values : Chunk::usual_values), sparse);
    places_.push_back({&rows, chunks_.size() - 1, chunks_.back().take_place(rows)});
    labels_.push_back({rows.labels, rows.label_ends});
    n_rows_ += rows.n_rows;
    if (rows.width > width_) {
      width_ = rows.width;
      line_of_width_ = pieces_.line_before() + rows.line_of_width;
    }
    held_bytes_ += rows.n_values * (sizeof(double) + (sparse ? sizeof(std::uint32_t) : 0));
    if (has_labels()) held_bytes_ += rows.n_rows * sizeof(std::string) + rows.labels.size();
    check_held(name(), pieces_.line_reached(), held_bytes_, options_.max_bytes);
  }

  /// Copies the pieces of a round, on all threads: half of the time goes into first touching the memory.
  void fill_places() {
    double work = 0;
    for (const Place& place : places_) work += static_cast<double>(place.rows->n_values);
    parallel_for(places_.size(), team_for(work, options_.execution), [&](std::size_t i) {
      const Place& place = places_[i];
      chunks_[place.chunk].fill(place.begin, *place.rows);
    });
    places_.clear();
  }

  Matrix<double> assembled(std::size_t cols) {
    Matrix<double> X(n_rows_, cols);
    std::vector<double*> begins;
    double* begin = X.data();
    for (const Chunk& chunk : chunks_) {
      begins.push_back(begin);
      begin += chunk.n_rows() * cols;
    }
    const double work = static_cast<double>(n_rows_) * static_cast<double>(cols);
    parallel_for(chunks_.size(), team_for(work, options_.execution), [&](std::size_t i) {
      const Chunk chunk = std::move(chunks_[i]);  // freed at the end of the task
      chunk.rows().copy_to(begins[i], cols);
    });
    chunks_.clear();
    return X;
  }

  std::vector<std::string> all_labels() {
    std::vector<std::string> all(n_rows_);
    std::vector<std::size_t> firsts;
    for (std::size_t first = 0; const PackedLabels& piece : labels_) {
      firsts.push_back(first);
      first += piece.ends.size();
    }
    parallel_for(labels_.size(), team_for(16 * static_cast<double>(n_rows_), options_.execution), [&](std::size_t k) {
      std::size_t begin = 0, row = firsts[k];
      for (const std::uint32_t end : labels_[k].ends) {
        all[row++].assign(labels_[k].text, begin, end - begin);
        begin = end;
      }
      labels_[k] = {};
    });
    return all;
  }

  struct Place {
    const ParsedRows* rows;
    std::size_t chunk, begin;
  };
  struct PackedLabels {
    std::string text;
    std::vector<std::uint32_t> ends;
  };

  TextPieces pieces_;
  std::unique_ptr<TextFormat> format_;
  ReadOptions options_;
  bool is_sparse_;
  std::vector<std::uint64_t> starts_;
  const ParsedRows* piece_ = nullptr;  // being given out, from row at_
  std::size_t at_ = 0;
  // Of read_all:
  std::vector<Chunk> chunks_;
  std::vector<Place> places_;  // of the pieces of a round
  std::vector<PackedLabels> labels_;
  std::size_t n_rows_ = 0, width_ = 0;
  std::uint64_t line_of_width_ = 0, held_bytes_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> open_csv(Input input, const ReadOptions& options) {
  TextPieces pieces(std::move(input), options);
  auto csv = std::make_unique<CsvFormat>();
  pieces.set_format(*csv);
  csv->read_start(pieces, options);
  return std::make_unique<TextRows>(std::move(pieces), std::move(csv), options);
}

namespace {

/// By the first lines.
bool looks_sparse(std::string_view start, std::size_t n_columns) {
  const auto n_pairs = static_cast<std::size_t>(std::ranges::count(start, ':'));
  const auto n_lines = std::max<std::size_t>(1, static_cast<std::size_t>(std::ranges::count(start, '\n')));
  return is_worth_keeping_sparse(n_lines, n_columns, n_pairs);
}

}  // namespace

std::unique_ptr<RowSource> open_libsvm(Input input, LibsvmColumns columns, const ReadOptions& options) {
  constexpr std::size_t looked_at = std::size_t{1} << 16;
  const bool sparse = looks_sparse(input.peek(looked_at).substr(0, looked_at), columns.given != 0 ? columns.given : columns.found);
  TextPieces pieces(std::move(input), options);
  auto libsvm = std::make_unique<LibsvmFormat>(pieces.name(), columns);
  pieces.set_format(*libsvm);
  return std::make_unique<TextRows>(std::move(pieces), std::move(libsvm), options, sparse);
}

std::size_t largest_libsvm_index(Input input, const ReadOptions& options) {
  TextPieces pieces(std::move(input), options);
  const LibsvmWidth format(pieces.name());
  pieces.set_format(format);
  std::size_t width = 0;
  while (const ParsedRows* rows = pieces.next()) width = std::max(width, rows->width);
  return width;
}

std::uint64_t count_libsvm_rows(Input input, const ReadOptions& options) {
  TextPieces pieces(std::move(input), options);
  const LibsvmFormat format(pieces.name(), {});
  pieces.set_format(format);
  std::uint64_t n_rows = 0;
  while (const ParsedRows* rows = pieces.next()) n_rows += rows->n_rows;
  return n_rows;
}

void refuse_libsvm(const std::string& name, std::uint64_t n_rows) {
  if (n_rows == 0) fail(name, LibsvmFormat(name, {}).no_rows());
  fail(name, fmt::format("{} rows without a single index:value, expected at least one column", n_rows));
}

}  // namespace askrff::data
