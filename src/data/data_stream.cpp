// DataStream: the blocks of a row source, in one piece of memory that is used again and again.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "askrff/data.hpp"
#include "data/messages.hpp"
#include "data/open.hpp"

namespace askrff {

namespace {

/// What must not change while files are read more than once.
class FileStamps {
 public:
  explicit FileStamps(const data::SourceFiles& files) {
    for (const auto& names : {files.data, files.labels})
      for (const std::string& name : names) files_.push_back({name, data::stamp_of(name)});
  }
  /// Throws DataError if one of them is no longer what it was.
  void check() const {
    for (const File& file : files_)
      if (data::stamp_of(file.name) != file.stamp) fail_changed(file.name);
  }
  [[noreturn]] static void fail_changed(const std::string& name) {
    data::fail(name, "the file has changed while it was in use, expected the same rows every time it is read");
  }

 private:
  struct File {
    std::string name;
    data::FileStamp stamp;
  };
  std::vector<File> files_;
};

}  // namespace

class DataStream::Reader {
 public:
  Reader(const std::string& source, ReadOptions options)
      : options_(std::move(options)),
        files_(data::find_files(source, options_)),
        stamps_(files_),
        rows_(data::open_rows(files_, options_, libsvm_width_, data::Reading::blocks)),
        n_passes_(libsvm_width_ == 0 ? 1 : 2) {}

  data::RowSource& rows() { return *rows_; }

  void read(RowBlock& block, std::size_t max_rows) {
    if (rows_->is_sparse()) return read_sparse(block, max_rows);
    const std::size_t n_rows = std::min(max_rows, rows_that_fit());
    if (memory_.rows() < n_rows) memory_ = Matrix<double>(n_rows, rows_->n_columns());
    const MatrixView<double> X = memory_.view().middle_rows(0, n_rows);
    const std::size_t count = ended_ ? 0 : rows_->read(X, block);
    n_read_ += count;
    if (count == 0 && !ended_) end_pass();
    block.X = X.middle_rows(0, count);
  }

  void read_sparse(RowBlock& block, std::size_t max_rows) {
    sparse_memory_ = SparseMatrix<double>(rows_->n_columns());
    const std::size_t count = ended_ ? 0 : rows_->read_sparse(max_rows, sparse_memory_, block);
    n_read_ += count;
    if (count == 0 && !ended_) end_pass();
    block.X = sparse_memory_;
  }

  bool can_rewind() const { return files_.can_read_again(); }
  std::optional<std::uint64_t> known_rows() const { return n_rows_ ? n_rows_ : rows_->known_rows(); }
  std::vector<std::string> part_names() const { return options_.file_by_file ? files_.data : std::vector<std::string>{rows_->name()}; }

  void rewind() {
    stamps_.check();
    if (!can_rewind()) data::fail(rows_->name(), "cannot be read a second time, expected a file");
    const std::size_t n_columns = rows_->n_columns();
    rows_ = data::open_rows(files_, options_, libsvm_width_, data::Reading::blocks);
    if (rows_->n_columns() != n_columns) FileStamps::fail_changed(rows_->name());
    ended_ = false;
    n_read_ = 0;
    ++n_passes_;
  }

 private:
  /// One pass may see whatever is there; what has been seen before must be seen again.
  void end_pass() {
    if (n_read_ == 0) data::fail(rows_->name(), rows_->no_rows());
    ended_ = true;
    if (n_passes_ > 1) stamps_.check();
    if (n_rows_ && *n_rows_ != n_read_) FileStamps::fail_changed(rows_->name());
    n_rows_ = n_read_;
  }

  /// Rows of a block that options.max_bytes allow.
  std::size_t rows_that_fit() const {
    return static_cast<std::size_t>(std::max<std::uint64_t>(1, options_.max_bytes / sizeof(double) / rows_->n_columns()));
  }

  ReadOptions options_;
  data::SourceFiles files_;
  FileStamps stamps_;
  std::size_t libsvm_width_ = 0;
  std::unique_ptr<data::RowSource> rows_;
  Matrix<double> memory_;
  SparseMatrix<double> sparse_memory_;
  bool ended_ = false;
  std::size_t n_passes_;
  std::uint64_t n_read_ = 0;             // rows of this pass
  std::optional<std::uint64_t> n_rows_;  // of the passes that came to the end
};

bool DataStream::can_read_again(const std::string& source, const ReadOptions& options) {
  return data::find_files(source, options).can_read_again();
}

DataStream::DataStream(const std::string& source, ReadOptions options) : reader_(std::make_unique<Reader>(source, std::move(options))) {}
DataStream::DataStream(DataStream&&) noexcept = default;
DataStream& DataStream::operator=(DataStream&&) noexcept = default;
DataStream::~DataStream() = default;

const std::string& DataStream::name() const { return reader_->rows().name(); }
std::size_t DataStream::n_columns() const { return reader_->rows().n_columns(); }
const std::vector<std::string>& DataStream::column_names() const { return reader_->rows().column_names(); }
bool DataStream::has_labels() const { return reader_->rows().has_labels(); }
bool DataStream::can_rewind() const { return reader_->can_rewind(); }
bool DataStream::is_sparse() const { return reader_->rows().is_sparse(); }
std::optional<std::uint64_t> DataStream::known_rows() const { return reader_->known_rows(); }
std::vector<std::string> DataStream::part_names() const { return reader_->part_names(); }
std::size_t DataStream::part() const { return reader_->rows().part(); }
void DataStream::rewind() { reader_->rewind(); }
void DataStream::read_block(RowBlock& block, std::size_t max_rows) { reader_->read(block, max_rows); }

DataStream open_data(const std::string& source, const ReadOptions& options) { return DataStream(source, options); }

}  // namespace askrff
