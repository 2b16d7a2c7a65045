// Several files as one source: the next is opened where the last one ends, and compared with the first.
#include "data/many_files.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "data/label_file.hpp"
#include "data/messages.hpp"
#include "data/open.hpp"

namespace askrff::data {
namespace {

class ManyFiles : public RowSource {
 public:
  /// Opens the first file that says which columns there are.
  ManyFiles(const SourceFiles& files, const ReadOptions& options, std::size_t& libsvm_width) : files_(files), options_(options) {
    std::optional<OpenFile> file = next_file();
    if (!file) fail(name(), no_rows());
    first_ = file->input.name();
    format_ = file->format;
    find_libsvm_width(files_, format_, options_, libsvm_width);
    libsvm_width_ = libsvm_width;
    rows_ = rows_in(std::move(*file));
    n_columns_ = rows_->n_columns();
    column_names_ = rows_->column_names();
    has_labels_ = rows_->has_labels();
    is_sparse_ = rows_->is_sparse();
  }

  const std::string& name() const override { return files_.source; }
  std::size_t n_columns() const override { return n_columns_; }
  const std::vector<std::string>& column_names() const override { return column_names_; }
  bool has_labels() const override { return has_labels_; }
  std::string no_rows() const override { return fmt::format("no rows in any of {} files, expected at least one", files_.data.size()); }

  std::size_t part() const override { return part_; }
  bool is_sparse() const override { return is_sparse_; }

  /// Blocks go on from one file to the next, as if it were one file with all rows, unless they are wanted file by file.
  std::size_t read(MatrixView<double> X, RowBlock& block) override {
    return read_on(X.rows(), block, [&](std::size_t n_read) { return rows_->read(X.middle_rows(n_read, X.rows() - n_read), block); });
  }
  std::size_t read_sparse(std::size_t max_rows, SparseMatrix<double>& rows, RowBlock& block) override {
    return read_on(max_rows, block, [&](std::size_t n_read) { return rows_->read_sparse(max_rows - n_read, rows, block); });
  }

  Dataset read_all() override { return read_growing(*this, options_.max_bytes); }

 private:
  /// read_some(n_read): more rows of the file that is open.
  template <class ReadSome>
  std::size_t read_on(std::size_t max_rows, RowBlock& block, const ReadSome& read_some) {
    std::size_t n_read = 0;
    while (n_read < max_rows && rows_ != nullptr) {
      const std::size_t count = file_ended_ ? 0 : read_some(n_read);
      n_read += count;
      file_ended_ = count == 0;
      if (file_ended_ && n_read > 0 && options_.file_by_file) break;
      if (file_ended_) {
        open_next();
      } else {
        check_kind_of_labels(block);
        part_ = n_opened_ - 1;
      }
    }
    return n_read;
  }

  bool has_label_files() const { return files_.labels.size() > 1; }
  const std::string& current_label_file() const { return files_.labels[n_opened_ - 1]; }

  /// The next file with anything in it: text without a byte is what a job without rows leaves behind. Nothing after the last.
  std::optional<OpenFile> next_file() {
    while (n_opened_ < files_.data.size()) {
      const std::string& path = files_.data[n_opened_++];
      OpenFile file = open_file(path, options_);
      if (file.format == DataFormat::npy || !file.input.peek(1).empty()) return file;
      if (has_label_files()) expect_no_labels(current_label_file(), path, options_);
    }
    return std::nullopt;
  }

  void open_next() {
    rows_ = nullptr;
    file_ended_ = false;
    std::optional<OpenFile> file = next_file();
    if (!file) return;
    if (file->format != format_)
      fail(file->input.name(), fmt::format("the format is {}, expected {} as of {}", name_of(file->format), name_of(format_), first_));
    rows_ = rows_in(std::move(*file));
    check_same_columns();
  }

  /// The rows of the file opened last.
  std::unique_ptr<RowSource> rows_in(OpenFile file) const {
    ReadOptions options = options_;
    options.execution = execution_of_file(options_.execution, n_opened_ - 1, files_.data.size());
    auto rows = rows_of(std::move(file), options, libsvm_width_, Reading::blocks);
    return has_label_files() ? with_label_file(std::move(rows), current_label_file(), options) : std::move(rows);
  }

  void check_same_columns() const {
    const std::size_t n = rows_->n_columns();
    if (n != n_columns_) fail(rows_->name(), fmt::format("{} column{}, expected {} as in {}", n, n == 1 ? "" : "s", n_columns_, first_));
    const std::vector<std::string>& names = rows_->column_names();
    if (names.empty() != column_names_.empty())
      fail(rows_->name(),
           fmt::format("the file has {} header, expected {} as in {}", names.empty() ? "no" : "a", names.empty() ? "one" : "none", first_));
    for (std::size_t j = 0; j < names.size(); ++j)
      if (names[j] != column_names_[j])
        fail(rows_->name(), fmt::format("column {} of the data is called {}, expected {} as in {}", j + 1, in_quotes(names[j]),
                                        in_quotes(column_names_[j]), first_));
  }

  /// Labels of one stream are text or numbers, not both; files of labels may hold either.
  void check_kind_of_labels(const RowBlock& block) {
    if (!has_label_files()) return;
    const bool has_numbers = !block.label_numbers.empty();
    if (first_label_file_.empty()) {
      first_label_file_ = current_label_file();
      labels_are_numbers_ = has_numbers;
    }
    if (has_numbers != labels_are_numbers_ || (has_numbers && !block.labels.empty()))
      fail(current_label_file(), fmt::format("the labels are {}, expected {} as in {}", labels_are_numbers_ ? "text" : "an NPY array",
                                             labels_are_numbers_ ? "an NPY array" : "text", first_label_file_));
  }

  SourceFiles files_;
  ReadOptions options_;
  std::string first_;  // of the files that have columns
  DataFormat format_ = DataFormat::automatic;
  std::size_t libsvm_width_ = 0, n_columns_ = 0;
  std::vector<std::string> column_names_;
  bool has_labels_ = false, is_sparse_ = false;

  std::size_t n_opened_ = 0;         // the last one is being read
  bool file_ended_ = false;          // that one, and the next is not open yet
  std::size_t part_ = 0;             // the file of the last rows
  std::unique_ptr<RowSource> rows_;  // of that file; none after the last
  std::string first_label_file_;
  bool labels_are_numbers_ = false;
};

}  // namespace

std::unique_ptr<RowSource> open_many_files(const SourceFiles& files, const ReadOptions& options, std::size_t& libsvm_width) {
  return std::make_unique<ManyFiles>(files, options, libsvm_width);
}

}  // namespace askrff::data
