// Label files: text with one label per line, or an NPY array of one column.
#include "data/label_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "askrff/labels.hpp"
#include "data/messages.hpp"
#include "data/numbers.hpp"
#include "data/text_pieces.hpp"

namespace askrff::data {
namespace {

/// The progress is that of the rows.
Execution quiet(Execution execution) {
  execution.progress = {};
  return execution;
}

class LabelFile {
 public:
  LabelFile(const std::string& file, const ReadOptions& options) : name_(file) {
    Input input = open_input(file, std::min(options.max_bytes, longest_line), options.execution.stop);
    if (input.peek(6).starts_with("\x93NUMPY")) {
      numbers_ = open_npy_labels(std::move(input), {.max_bytes = options.max_bytes, .execution = quiet(options.execution)});
      if (numbers_->n_columns() != 1)
        fail(name_, fmt::format("an NPY array of {} columns, expected one column of labels", numbers_->n_columns()));
      return;
    }
    input_.emplace(std::move(input));
    lines_.emplace(*input_);
  }
  LabelFile(const LabelFile&) = delete;
  LabelFile& operator=(const LabelFile&) = delete;

  const std::string& name() const { return name_; }
  /// Appends up to `count` labels, as text or as numbers; returns how many there were.
  std::size_t read(std::size_t count, RowBlock& block) { return numbers_ ? read_numbers(count, block) : read_lines(count, block); }

 private:
  std::size_t read_numbers(std::size_t count, RowBlock& block) {
    const std::size_t before = block.label_numbers.size();
    block.label_numbers.resize(before + count);
    RowBlock none;
    const std::size_t got = count > 0 ? numbers_->read({block.label_numbers.data() + before, count, 1}, none) : 0;
    block.label_numbers.resize(before + got);
    return got;
  }

  std::size_t read_lines(std::size_t count, RowBlock& block) {
    std::string_view line;
    for (std::size_t i = 0; i < count; ++i) {
      if (!lines_->next(line)) return i;
      const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
      const std::string_view label = line.substr(begin, line.find_last_not_of(" \t") + 1 - begin);
      if (label.empty()) fail_at(name_, lines_->number(), "the line is blank, expected a label");
      if (is_no_label(label)) fail_at(name_, lines_->number(), in_quotes(label) + " is a missing value, expected a label");
      block.labels.emplace_back(label);
    }
    return count;
  }

  std::string name_;
  std::unique_ptr<RowSource> numbers_;
  std::optional<Input> input_;
  std::optional<LineReader> lines_;
};

class LabelledRows : public RowSource {
 public:
  LabelledRows(std::unique_ptr<RowSource> rows, const std::string& label_file, const ReadOptions& options)
      : rows_(std::move(rows)), labels_(label_file, options) {}

  const std::string& name() const override { return rows_->name(); }
  std::size_t n_columns() const override { return rows_->n_columns(); }
  const std::vector<std::string>& column_names() const override { return rows_->column_names(); }
  bool has_labels() const override { return true; }
  std::optional<std::uint64_t> known_rows() const override { return rows_->known_rows(); }
  std::size_t part() const override { return rows_->part(); }
  std::string no_rows() const override { return rows_->no_rows(); }

  std::size_t read(MatrixView<double> X, RowBlock& block) override {
    RowBlock replaced;
    const std::size_t count = rows_->read(X, replaced);
    add_labels(count, block);
    if (count == 0) check_end();
    return count;
  }

  Dataset read_all() override {
    Dataset data = rows_->read_all();
    RowBlock block;
    add_labels(data.X.rows(), block);
    check_end();
    data.labels = std::move(block.labels);
    for (const double number : block.label_numbers) data.labels.push_back(label_key(number));
    return data;
  }

 private:
  void add_labels(std::size_t count, RowBlock& block) {
    for (std::size_t missing = count; missing > 0;) {
      const std::size_t got = labels_.read(missing, block);
      n_labels_ += got;
      missing -= got;
      if (got == 0) fail(labels_.name(), fmt::format("the labels end after {}, but {} has more rows", n_labels_, rows_->name()));
    }
  }

  void check_end() {
    RowBlock more;
    if (labels_.read(1, more) > 0)
      fail(labels_.name(), fmt::format("more labels follow the first {}, but {} has only so many rows", n_labels_, rows_->name()));
  }

  std::unique_ptr<RowSource> rows_;
  LabelFile labels_;
  std::uint64_t n_labels_ = 0;
};

}  // namespace

std::unique_ptr<RowSource> with_label_file(std::unique_ptr<RowSource> rows, const std::string& label_file, const ReadOptions& options) {
  return std::make_unique<LabelledRows>(std::move(rows), label_file, options);
}

void expect_no_labels(const std::string& label_file, const std::string& name, const ReadOptions& options) {
  RowBlock labels;
  if (LabelFile(label_file, options).read(1, labels) > 0) fail(label_file, fmt::format("there are labels, but {} has no rows", name));
}

}  // namespace askrff::data
