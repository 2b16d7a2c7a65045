// Data files: LIBSVM, CSV, NPY and Arrow, compressed or not, and built-in generators, whole or as a stream of rows; what is in them; NPY
// output. These are in a library of their own, askrff::data, which needs Boost.Iostreams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "askrff/rows.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

enum class DataFormat { automatic, libsvm, csv, npy, arrow };

inline constexpr Word<DataFormat> format_words[] = {{DataFormat::automatic, "auto", "by the name's ending, else by content"},
                                                    {DataFormat::libsvm, "libsvm", "label index:value …"},
                                                    {DataFormat::csv, "csv", "text with commas, or what stands in their place"},
                                                    {DataFormat::npy, "npy", "NumPy's arrays"},
                                                    {DataFormat::arrow, "arrow", "Arrow IPC: streams, and files (Feather version 2)"}};
constexpr std::span<const Word<DataFormat>> words_of(DataFormat) { return format_words; }

struct ReadOptions {
  DataFormat format = DataFormat::automatic;  ///< automatic: by the name's ending, else by content
  std::size_t n_columns = 0;                  ///< LIBSVM: width of the data when the last columns may be all zero; 0: the largest index
  std::size_t libsvm_columns = 0;             ///< the same, but said of LIBSVM data alone: other formats have the columns they have
  std::string label = {};                     ///< CSV, Arrow: name or number (from 1) of the label column; NPY: its number; empty: none
  /// Labels in a file of their own: text with one per line, or NPY with one column; empty: none. A pattern may match one file for each
  /// file of rows, with as many labels as that has rows; one file has the labels of all rows.
  std::string label_file = {};
  bool file_by_file = false;  ///< streams: blocks end where a file of a pattern does, and RowStream::part says which file it is
  std::uint64_t max_bytes = std::uint64_t{16} << 30;  ///< refuse data whose matrix would need more memory than this
  Execution execution = {};                           ///< threads that parse; the data are the same for any number. Progress: of "read"
};

/// The files of a source that is a pattern, which has '*', '?' or '[' in it as in a shell and is not itself the name of a file, in the
/// order of their names by bytes (part-10 comes before part-2); folders do not count. Of any other source: itself. Throws DataError if
/// no file matches or a folder cannot be searched.
std::vector<std::string> data_files(const std::string& source);

/// Reads a file, all files of a pattern as if they were one, standard input ("-") or a built-in generator ("builtin:NAME[:D][:ROWS]").
/// Files of a pattern have one format and the same columns. Compression (gzip, bzip2, xz, zstd) is recognised by content. Throws
/// DataError with "source:line: what, what was expected".
Dataset read_data(const std::string& source, const ReadOptions& options = {});

/// The rows of a source block by block, for data larger than memory. Memory: some blocks, whatever the size of the source (but a
/// Fortran-ordered NPY array that is compressed or piped is held whole). Rows, labels and errors are those of read_data, but that a bad
/// line is found only when it is reached.
class DataStream : public RowStream {
 public:
  /// Whether a stream of this could be rewound, found without opening anything: a pipe that has been opened has lost its first bytes.
  /// Throws DataError if a pattern matches nothing.
  static bool can_read_again(const std::string& source, const ReadOptions& options = {});

  /// Opens the source and finds its columns; which files a pattern matches is decided here, for all passes. LIBSVM text without
  /// options.n_columns is read through once for its largest index; from standard input, which can be read only once, that is refused.
  /// Throws DataError.
  explicit DataStream(const std::string& source, ReadOptions options = {});
  DataStream(DataStream&&) noexcept;
  DataStream& operator=(DataStream&&) noexcept;
  ~DataStream() override;

  const std::string& name() const override;
  std::size_t n_columns() const override;
  const std::vector<std::string>& column_names() const override;
  bool has_labels() const override;
  /// True for files and built-in data, false for pipes.
  bool can_rewind() const override;
  /// LIBSVM text whose first lines are worth it (is_worth_keeping_sparse).
  bool is_sparse() const override;
  /// Of one NPY file or array, of built-in data, and of anything once it has been gone through.
  std::optional<std::uint64_t> known_rows() const override;
  /// The files, if they are read file by file.
  std::vector<std::string> part_names() const override;
  std::size_t part() const override;
  /// Throws DataError if a file is no longer what it was (size, time of writing, number of columns) or is gone; at the end of a second pass
  /// next() does, also for another number of rows.
  void rewind() override;

 private:
  void read_block(RowBlock& block, std::size_t max_rows) override;

  class Reader;
  std::unique_ptr<Reader> reader_;
};

/// Whether a file has a row: a DataStream refuses one that has none, but among many it may be right. Text without a byte has none.
/// Opened, and read as far as its first row; LIBSVM text wants to be told its columns. Throws DataError.
bool has_rows(const std::string& file, const ReadOptions& options = {});

/// DataStream(source, options): what training from a file starts with.
DataStream open_data(const std::string& source, const ReadOptions& options = {});

struct BuiltinInfo {
  std::string usage, meaning;
};
/// The built-in generators, for help texts.
const std::vector<BuiltinInfo>& builtin_datasets();

struct ColumnSummary {
  double lowest = 0, mean = 0, highest = 0;
  std::uint64_t n_zeros = 0;

  bool is_constant() const { return lowest == highest; }
};

struct ClassCount {
  std::string label;
  std::uint64_t n_rows = 0;
};

struct DataSummary {
  std::uint64_t n_rows = 0;
  std::vector<ColumnSummary> columns;
  std::vector<std::string> column_names;  ///< one per column, or empty
  std::uint64_t n_repeated = 0;           ///< rows whose values are those of an earlier row, by a 64-bit hash; labels are not looked at
  bool has_labels = false;
  std::vector<ClassCount> classes;  ///< numbers by size, then words; empty without labels or with more than options.max_classes
  std::optional<std::pair<double, double>> label_range;  ///< smallest and largest label, if all are numbers

  std::uint64_t n_zeros() const;
  /// Of the values; 0 … 1.
  double zero_share() const;
};

struct SummaryOptions {
  std::size_t max_classes = 100;  ///< with more different labels than this they are not counted
  Execution execution = {};
};

/// What is in the rows from where the stream stands to its end, found in one pass. Memory: a block, and 8 bytes for every row to find those
/// that repeat. Throws DataError.
DataSummary summarise(RowStream& stream, const SummaryOptions& options = {});

/// Writes a rows × cols NPY file block by block, of any size. The file appears under its name only when finish() has returned: it is
/// written beside and renamed; otherwise the destructor removes what was written.
class NpyWriter {
 public:
  enum class Type { float32, float64 };
  /// Throws std::invalid_argument if the file cannot be created.
  NpyWriter(const std::string& path, std::size_t rows, std::size_t cols, Type type);
  /// For as many rows as are appended: the header is written once more when they are known. The bytes are the same.
  NpyWriter(const std::string& path, std::size_t cols, Type type);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  /// Appends rows; the element type must be the file's. Throws WriteError if they cannot be written in full.
  void append(MatrixView<const float> block);
  void append(MatrixView<const double> block);
  /// Throws WriteError if rows are missing or the file cannot be completed.
  void finish();

  /// What such a file starts with, for streams: the rows follow without gaps. Throws std::invalid_argument for more than a file can hold.
  static std::string header(std::size_t rows, std::size_t cols, Type type);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace askrff
