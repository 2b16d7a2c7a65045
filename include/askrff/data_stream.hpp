// DataStream: the rows of a source block by block, for data larger than memory. The formats and errors are those of read_data.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Consecutive rows of a source. X is the stream's memory, valid until its next call; it may be changed (scaled) in place.
struct RowBlock {
  MatrixView<double> X;
  std::vector<std::string> labels;    ///< one per row as written in the source; empty without labels, or where they are numbers:
  std::vector<double> label_numbers;  ///< one per row where the labels come from an NPY file; else empty
};

/// Memory: some blocks, whatever the size of the source (but a Fortran-ordered NPY array that is compressed or piped is held whole). Rows,
/// labels and errors are those of read_data, but that a bad line is found only when it is reached. Not to be used by several threads at
/// once.
class DataStream {
 public:
  /// Whether a stream of this could be rewound, found without opening anything: a pipe that has been opened has lost its first bytes.
  static bool can_read_again(const std::string& source, const ReadOptions& options = {});

  /// Opens the source and finds its columns. LIBSVM text without options.n_columns is read through once for its largest index; from
  /// standard input, which can be read only once, that is refused. Throws DataError.
  explicit DataStream(std::string source, ReadOptions options = {});
  DataStream(DataStream&&) noexcept;
  DataStream& operator=(DataStream&&) noexcept;
  ~DataStream();

  std::size_t n_columns() const;
  const std::vector<std::string>& column_names() const;  ///< may be empty
  bool has_labels() const;
  /// Whether rewind works: files and built-in data, not pipes.
  bool can_rewind() const;

  /// The next rows, at most `most_rows` and at most 128 MiB of them; false (and an empty block) after the last. Throws DataError.
  bool next(RowBlock& block, std::size_t most_rows = 8192);
  /// Back to the first row. Throws DataError if the source cannot be read again.
  void rewind();

 private:
  class Reader;
  std::unique_ptr<Reader> reader_;
};

}  // namespace askrff
