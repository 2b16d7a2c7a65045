// NPY arrays of one or two dimensions as rows × columns of doubles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "askrff/labels.hpp"
#include "core/ceil_div.hpp"
#include "core/threads.hpp"
#include "data/element_bytes.hpp"
#include "io/finite.hpp"
#include "data/messages.hpp"
#include "data/npy_elements.hpp"
#include "data/npy_header.hpp"
#include "data/numbers.hpp"
#include "data/row_source.hpp"

namespace askrff::data {
namespace {

std::string shape_text(const NpyHeader& header) {
  return header.shape.size() == 1 ? fmt::format("({},)", header.shape[0]) : fmt::format("({})", fmt::join(header.shape, ", "));
}

/// What to say of an array without elements.
std::string without_rows(const NpyHeader& header) {
  return fmt::format("an NPY array of shape {}, expected at least one row and one column", shape_text(header));
}

struct Shape {
  std::size_t rows = 0, cols = 0;
};

Shape shape_of(const NpyHeader& header, const std::string& name, const ReadOptions& options, Reading reading) {
  if (header.shape.empty() || header.shape.size() > 2)
    fail(name, fmt::format("an NPY array of shape {}, expected (rows,) or (rows, columns)", shape_text(header)));
  const std::uint64_t rows = header.shape[0], cols = header.shape.size() == 2 ? header.shape[1] : 1;
  if (cols == 0) fail(name, without_rows(header));
  check_memory(name, reading == Reading::whole ? rows : 1, cols, options.max_bytes);
  if (cols > max_columns) fail(name, fmt::format("an NPY array of {} columns, expected at most {}", cols, max_columns));
  constexpr std::uint64_t max_bytes = std::uint64_t{1} << 62;  // no file is larger
  if (rows > max_bytes / sizeof(double) / cols)
    fail(name, fmt::format("an NPY array of shape {}, which no file can hold", shape_text(header)));
  return {static_cast<std::size_t>(rows), static_cast<std::size_t>(cols)};
}

class NpyRows : public RowSource {
 public:
  NpyRows(Input input, const NpyHeader& header, Shape shape, const ReadOptions& options, Reading reading, bool holds_labels)
      : bytes_(std::move(input), static_cast<std::uint64_t>(shape.rows) * shape.cols, header.item_size),
        item_size_(header.item_size),
        convert_(converter_of(header)),
        shape_(shape),
        by_column_(header.fortran_order && shape.rows > 1 && shape.cols > 1),
        label_form_(header.item_size == 4 && header.kind == 'f'   ? LabelForm::float32
                    : header.item_size == 8 && header.kind != 'f' ? LabelForm::whole64
                                                                  : LabelForm::exact),
        holds_labels_(holds_labels),
        no_rows_(without_rows(header)),
        options_(options) {
    find_label_column();
    check_columns(name(), options_.n_columns, n_columns());
    // Columns of a stream come one after another: the first row is complete when all has been read.
    if (by_column_ && !bytes_.is_file()) {
      check_memory(name(), shape_.rows, shape_.cols, options_.max_bytes);
      if (reading == Reading::blocks) hold_all();
    }
  }

  const std::string& name() const override { return bytes_.name(); }
  std::size_t n_columns() const override { return shape_.cols - (has_labels() ? 1 : 0); }
  bool has_labels() const override { return label_column_ != no_column; }
  std::optional<std::uint64_t> known_rows() const override { return shape_.rows; }
  std::string no_rows() const override { return no_rows_; }

  std::size_t read(MatrixView<double> X, RowBlock& labels) override {
    const std::size_t count = std::min(X.rows(), shape_.rows - at_);
    if (at_ == shape_.rows) bytes_.check_end();
    if (count == 0) return 0;
    const std::size_t n_labels = labels.label_numbers.size();
    if (has_labels()) labels.label_numbers.resize(n_labels + count);
    double* const label_out = has_labels() ? labels.label_numbers.data() + n_labels : nullptr;
    if (!by_column_)
      read_rows(X, count, label_out);
    else
      read_columns(X, count, label_out);
    check_finite(X, count, label_out);
    if (has_labels() || holds_labels_) settle_labels(has_labels() ? label_out : X.data(), has_labels() ? count : count * X.cols());
    at_ += count;
    if (at_ == shape_.rows) bytes_.check_end();
    report_reading(options_.execution, bytes_.fraction_after(static_cast<std::uint64_t>(at_) * shape_.cols));
    return count;
  }

  Dataset read_all() override {
    if (by_column_ && !bytes_.is_file()) hold_all();
    if (!bytes_.is_file() && !by_column_) return read_growing(*this, options_.max_bytes);
    Dataset data;  // the file is as long as it says
    data.X = Matrix<double>(shape_.rows, n_columns());
    RowBlock labels;
    constexpr std::size_t block_bytes = std::size_t{64} << 20;
    const std::size_t block_rows = std::max<std::size_t>(1, block_bytes / sizeof(double) / shape_.cols);
    while (at_ < shape_.rows) read(data.X.view().middle_rows(at_, std::min(block_rows, shape_.rows - at_)), labels);
    for (const double number : labels.label_numbers) data.labels.push_back(label_key(number));
    return data;
  }

 private:
  static constexpr std::size_t no_column = static_cast<std::size_t>(-1);
  /// What has to be done to a number of the file before it is a label.
  enum class LabelForm { exact, float32, whole64 };

  void find_label_column() {
    if (options_.label.empty()) return;
    std::uint64_t number = 0;
    if (!parse_count(options_.label, number) || number < 1 || number > shape_.cols)
      fail(name(), fmt::format("there is no label column {}, expected a number from 1 to {}", in_quotes(options_.label), shape_.cols));
    if (shape_.cols == 1) fail(name(), "no columns beside the labels, expected at least one");
    label_column_ = static_cast<std::size_t>(number - 1);
  }

  /// A float stands for its shortest decimal form, 0.1 and not 0.10000000149011612; a double cannot tell whole numbers from 2^53 on apart.
  void settle_labels(double* labels, std::size_t count) const {
    if (label_form_ == LabelForm::exact) return;
    if (label_form_ == LabelForm::whole64) return check_whole_labels({labels, count});
    constexpr std::size_t task_labels = 1024;
    const Team team = team_for(100 * static_cast<double>(count), options_.execution);
    parallel_for(ceil_div(count, task_labels), team, [&](std::size_t task) {
      for (std::size_t i = task * task_labels; i < std::min(count, (task + 1) * task_labels); ++i)
        labels[i] = shortest_decimal(static_cast<float>(labels[i]));
    });
  }

  void check_whole_labels(std::span<const double> labels) const {
    constexpr double first_shared = 0x1p53;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (std::abs(labels[i]) >= first_shared)
        fail(name(), fmt::format("the label of row {} is near {}, expected whole numbers below 2^53 in NPY labels; larger ones can be "
                                 "given as text",
                                 at_ + i + 1, labels[i]));
  }

  /// Where column j of the file goes in a row of X; not for labels.
  std::size_t place_of(std::size_t j) const { return j > label_column_ ? j - 1 : j; }

  void read_rows(MatrixView<double> X, std::size_t count, double* labels) {
    const std::uint64_t first = static_cast<std::uint64_t>(at_) * shape_.cols;
    const std::size_t n = count * shape_.cols, window = bytes_.is_file() ? n : bytes_.max_elements();
    for (std::size_t done = 0; done < n;) {
      const std::size_t size = std::min(n - done, window);
      const char* const bytes = bytes_.is_file() ? nullptr : bytes_.next_elements(first + done, size);
      constexpr std::size_t slice = std::size_t{1} << 16;
      parallel_for(ceil_div(size, slice), team_for(static_cast<double>(size), options_.execution), [&](std::size_t task) {
        const std::size_t begin = task * slice, n_slice = std::min(slice, size - begin);
        const auto convert = [&](const char* part, std::size_t at, std::size_t n_part) {
          convert_run(part, done + begin + at, n_part, X.data(), labels);
        };
        if (bytes_.is_file())
          in_parts(first + begin, n_slice, convert);
        else
          convert(bytes + begin * item_size_, 0, n_slice);
      });
      done += size;
    }
  }

  /// Calls use(bytes, at, n) for parts of the file's elements first, …, first+count-1 that fit the caches; `at` is from `first` on.
  template <class Use>
  void in_parts(std::uint64_t first, std::size_t count, const Use& use) const {
    constexpr std::size_t part_elements = 8192, max_item_size = 8;
    char part[part_elements * max_item_size];
    for (std::size_t at = 0; at < count; at += part_elements) {
      const std::size_t n = std::min(part_elements, count - at);
      bytes_.copy(first + at, n, part);
      use(part, at, n);
    }
  }

  /// Elements `from`, …, from+count-1 of the rows being read.
  void convert_run(const char* bytes, std::size_t from, std::size_t count, double* X, double* labels) const {
    if (!has_labels()) return convert_(bytes, count, X + from, 1);
    while (count > 0) {
      const std::size_t row = from / shape_.cols, column = from % shape_.cols;
      const std::size_t end = column < label_column_ ? label_column_ : column == label_column_ ? column + 1 : shape_.cols;
      const std::size_t run = std::min(count, end - column);
      convert_(bytes, run, column == label_column_ ? labels + row : X + row * n_columns() + place_of(column), 1);
      bytes += run * item_size_;
      from += run;
      count -= run;
    }
  }

  void read_columns(MatrixView<double> X, std::size_t count, double* labels) {
    const double work = static_cast<double>(count) * static_cast<double>(shape_.cols);
    parallel_for(shape_.cols, team_for(work, options_.execution), [&](std::size_t j) {
      double* const out = j == label_column_ ? labels : X.data() + place_of(j);
      const std::size_t stride = j == label_column_ ? 1 : n_columns();
      const std::size_t first = j * shape_.rows + at_;
      if (!bytes_.is_file()) {
        for (std::size_t i = 0; i < count; ++i) out[i * stride] = held_[first + i];
        return;
      }
      in_parts(first, count, [&](const char* part, std::size_t at, std::size_t n) { convert_(part, n, out + at * stride, stride); });
    });
  }

  /// In the order of the file. The header is not believed: memory grows with the elements that are there.
  void hold_all() {
    const std::size_t count = shape_.rows * shape_.cols;
    while (held_.size() < count) {
      options_.execution.stop.check();
      const std::size_t before = held_.size(), taken = std::min(count - before, bytes_.max_elements());
      const char* const bytes = bytes_.next_elements(before, taken);
      if (held_.capacity() < before + taken) held_.reserve(std::min(count, std::max(before + taken, 2 * held_.capacity())));
      held_.resize(before + taken);
      convert_(bytes, taken, held_.data() + before, 1);
    }
  }

  /// Names the first element that is not finite, in the order of rows.
  void check_finite(MatrixView<double> X, std::size_t count, const double* labels) const {
    if (io::all_finite(X.data(), count * X.cols()) && (labels == nullptr || io::all_finite(labels, count))) return;
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < shape_.cols; ++j) {
        const double value = j == label_column_ ? labels[i] : X(i, place_of(j));
        if (!std::isfinite(value))
          fail(name(), fmt::format("row {}, column {} is {}, expected a finite number", at_ + i + 1, j + 1, value));
      }
  }

  ElementBytes bytes_;
  std::size_t item_size_;
  ConvertElements convert_;
  Shape shape_;
  bool by_column_;
  LabelForm label_form_;
  bool holds_labels_;
  std::string no_rows_;
  ReadOptions options_;
  std::size_t label_column_ = no_column;
  std::size_t at_ = 0;
  std::vector<double> held_;  // all of a stream in Fortran order
};

}  // namespace

std::unique_ptr<RowSource> open_npy(Input input, const ReadOptions& options, Reading reading) {
  const NpyHeader header = read_npy_header(input);
  const Shape shape = shape_of(header, input.name(), options, reading);
  return std::make_unique<NpyRows>(std::move(input), header, shape, options, reading, false);
}

std::unique_ptr<RowSource> open_npy_labels(Input input, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(input);
  const Shape shape = shape_of(header, input.name(), options, Reading::blocks);
  return std::make_unique<NpyRows>(std::move(input), header, shape, options, Reading::blocks, true);
}

}  // namespace askrff::data
