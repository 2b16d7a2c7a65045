// Rows out of Arrow's IPC format: batches of columns, turned as they come.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "askrff/labels.hpp"
#include "data/arrow_batches.hpp"
#include "data/messages.hpp"
#include "data/numbers.hpp"
#include "data/row_source.hpp"

namespace askrff::data {
namespace {

class ArrowRows : public RowSource {
 public:
  ArrowRows(Input input, const ReadOptions& options)
      : options_(options), batches_(std::move(input), options.max_bytes, options.execution.stop), fields_(batches_.fields()) {
    find_arrow_label();
    for (std::size_t j = 0; j < fields_.size(); ++j) {
      if (j == label_) continue;
      check_is_data(fields_[j], name());
      columns_.push_back(j);
      names_.push_back(fields_[j].name);
    }
    if (columns_.empty())
      fail(name(), has_labels() ? "no columns beside the labels, expected at least one" : "no columns, expected at least one");
    check_columns(name(), options_.n_columns, n_columns());
    check_memory(name(), 1, columns_.size(), options_.max_bytes);
  }

  const std::string& name() const override { return batches_.name(); }
  std::size_t n_columns() const override { return columns_.size(); }
  const std::vector<std::string>& column_names() const override { return names_; }
  bool has_labels() const override { return label_ != no_column; }

  std::size_t read(MatrixView<double> X, RowBlock& labels) override {
    std::size_t count = 0;
    while (count < X.rows() && has_batch()) {
      const ColumnBatch rows = batch_->part(at_, std::min(batch_->n_rows - at_, X.rows() - count));
      if (const auto gap = first_gap(rows, columns_)) refuse_gap(rows, fields_, columns_, *gap, n_read_ + *gap + 1, name());
      copy_rows(rows, columns_, 0, X.middle_rows(count, rows.n_rows));
      if (has_labels()) add_labels(rows, labels);
      count += rows.n_rows;
      at_ += rows.n_rows;
      n_read_ += rows.n_rows;
    }
    report_reading(options_.execution, batches_.fraction());
    return count;
  }

  Dataset read_all() override { return read_growing(*this, options_.max_bytes); }

 private:
  static constexpr std::size_t no_column = static_cast<std::size_t>(-1);

  /// A name goes before a number.
  void find_arrow_label() {
    const std::string& wanted = options_.label;
    if (wanted.empty()) return;
    const auto is_it = [&](const ColumnField& field) { return field.name == wanted; };
    const auto n_named = std::count_if(fields_.begin(), fields_.end(), is_it);
    if (n_named > 1) fail(name(), fmt::format("two columns are called {}, expected one label column", in_quotes(wanted)));
    std::uint64_t number = 0;
    if (n_named == 1)
      label_ = static_cast<std::size_t>(std::find_if(fields_.begin(), fields_.end(), is_it) - fields_.begin());
    else if (parse_count(wanted, number) && number >= 1 && number <= fields_.size())
      label_ = static_cast<std::size_t>(number - 1);
    else
      fail(name(), fmt::format("there is no label column {}, expected a name or a number from 1 to {}", in_quotes(wanted), fields_.size()));
    const ColumnField& field = fields_[label_];
    if (!ArrowBatches::can_read(field))
      fail(name(), fmt::format("{} holds {}, expected labels that are numbers or text", column_text(field.name), field.content));
  }

  bool has_batch() {
    while (!batch_ || at_ == batch_->n_rows) {
      at_ = 0;
      batch_ = std::nullopt;  // its memory goes before the next one's comes
      batch_ = batches_.next();
      if (!batch_) return false;
    }
    return true;
  }

  void add_labels(const ColumnBatch& rows, RowBlock& labels) const {
    const Column& column = rows.columns[label_];
    const ElementType type = fields_[label_].type;
    for (std::size_t i = 0; i < rows.n_rows; ++i) {
      if (column.is_missing(i) || (column.dictionary && column.dictionary->is_missing(column.index(i)))) fail_label(i, "has no value");
      if (is_text(type)) {
        const std::string_view text = column.text(i);
        if (is_no_label(text)) fail_label(i, fmt::format("is {}, a missing value,", in_quotes(text)));
        labels.labels.emplace_back(text);
        continue;
      }
      const double number = column.dictionary ? column.dictionary->number(column.index(i)) : column.number(i);
      constexpr double first_shared = 0x1p53;
      const bool is_whole = type != ElementType::float32 && type != ElementType::float64;
      if (!std::isfinite(number)) fail_label(i, fmt::format("is {}", number));
      if (is_whole && std::abs(number) >= first_shared) fail_label(i, "is a whole number from 2^53 on, which only text can tell apart,");
      labels.label_numbers.push_back(type == ElementType::float32 ? shortest_decimal(static_cast<float>(number)) : number);
    }
  }

  [[noreturn]] void fail_label(std::size_t row, const std::string& what) const {
    fail(name(), fmt::format("{} {} in row {}, expected a label", column_text(fields_[label_].name), what, n_read_ + row + 1));
  }

  ReadOptions options_;
  ArrowBatches batches_;
  std::vector<ColumnField> fields_;
  std::vector<std::size_t> columns_;  // that are data
  std::vector<std::string> names_;    // of those
  std::size_t label_ = no_column;
  std::optional<ColumnBatch> batch_;
  std::size_t at_ = 0;        // in the batch
  std::uint64_t n_read_ = 0;  // rows
};

}  // namespace

std::unique_ptr<RowSource> open_arrow(Input input, const ReadOptions& options) {
  return std::make_unique<ArrowRows>(std::move(input), options);
}

}  // namespace askrff::data
