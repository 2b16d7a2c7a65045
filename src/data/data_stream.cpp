// DataStream: the blocks of a row source, in one piece of memory that is used again and again.
#include <algorithm>
#include <utility>

#include "askrff/data.hpp"
#include "data/messages.hpp"
#include "data/open.hpp"

namespace askrff {

class DataStream::Reader {
 public:
  Reader(std::string source, ReadOptions options)
      : source_(std::move(source)), options_(std::move(options)), rows_(data::open_rows(source_, options_, data::Reading::blocks)) {}

  data::RowSource& rows() { return *rows_; }

  void read(RowBlock& block, std::size_t max_rows) {
    const std::size_t n_rows = std::min(max_rows, rows_that_fit());
    if (memory_.rows() < n_rows) memory_ = Matrix<double>(n_rows, rows_->n_columns());
    const MatrixView<double> X = memory_.view().middle_rows(0, n_rows);
    const std::size_t count = ended_ ? 0 : rows_->read(X, block);
    ended_ = count == 0;
    block.X = X.middle_rows(0, count);
  }

  bool can_rewind() const { return can_read_again(source_, options_); }

  void rewind() {
    if (!can_rewind()) data::fail(rows_->name(), "cannot be read a second time, expected a file");
    rows_ = data::open_rows(source_, options_, data::Reading::blocks);  // LIBSVM columns are known by now
    ended_ = false;
  }

 private:
  /// Rows of a block that options.max_bytes allow.
  std::size_t rows_that_fit() const {
    return static_cast<std::size_t>(std::max<std::uint64_t>(1, options_.max_bytes / sizeof(double) / rows_->n_columns()));
  }

  std::string source_;
  ReadOptions options_;
  std::unique_ptr<data::RowSource> rows_;
  Matrix<double> memory_;
  bool ended_ = false;
};

bool DataStream::can_read_again(const std::string& source, const ReadOptions& options) {
  return (data::is_builtin(source) || data::can_reopen(source)) && (options.label_file.empty() || data::can_reopen(options.label_file));
}

DataStream::DataStream(std::string source, ReadOptions options)
    : reader_(std::make_unique<Reader>(std::move(source), std::move(options))) {}
DataStream::DataStream(DataStream&&) noexcept = default;
DataStream& DataStream::operator=(DataStream&&) noexcept = default;
DataStream::~DataStream() = default;

const std::string& DataStream::name() const { return reader_->rows().name(); }
std::size_t DataStream::n_columns() const { return reader_->rows().n_columns(); }
const std::vector<std::string>& DataStream::column_names() const { return reader_->rows().column_names(); }
bool DataStream::has_labels() const { return reader_->rows().has_labels(); }
bool DataStream::can_rewind() const { return reader_->can_rewind(); }
void DataStream::rewind() { reader_->rewind(); }
void DataStream::read_block(RowBlock& block, std::size_t max_rows) { reader_->read(block, max_rows); }

DataStream open_data(const std::string& source, const ReadOptions& options) { return DataStream(source, options); }

}  // namespace askrff
