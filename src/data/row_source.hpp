// The rows of an open source, whatever its format: what read_data and DataStream are made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "data/input.hpp"

namespace askrff::data {

class RowSource {
 public:
  virtual ~RowSource() = default;
  virtual const std::string& name() const = 0;
  /// 0 only for LIBSVM text opened to be read whole: the largest index is known at its end.
  virtual std::size_t n_columns() const = 0;
  virtual const std::vector<std::string>& column_names() const;  ///< none unless overridden
  virtual bool has_labels() const { return false; }
  /// How many rows there are in all, where the source says so before they are read.
  virtual std::optional<std::uint64_t> known_rows() const { return std::nullopt; }
  /// Which of several files the last rows are from, if it reads file by file.
  virtual std::size_t part() const { return 0; }
  /// What to say of the source if it has no rows; whether that is wrong is for those who read it to say.
  virtual std::string no_rows() const { return "no rows, expected at least one"; }

  /// Fills the first rows of X (n_columns() wide, without gaps) with the next ones of the source and appends their labels, where there are
  /// any, to those of the block; returns how many rows, 0 after the last. Throws DataError.
  virtual std::size_t read(MatrixView<double> X, RowBlock& labels) = 0;
  /// Whether most entries of its rows are zeros that it does not hold: then read_sparse serves better than read. Either may be called.
  virtual bool is_sparse() const { return false; }
  /// The same rows appended to sparse ones of n_columns(): at most max_rows, fewer where they have many numbers.
  virtual std::size_t read_sparse(std::size_t max_rows, SparseMatrix<double>& rows, RowBlock& labels);
  /// All rows at once; labels as text.
  virtual Dataset read_all() = 0;
};

/// read_all for sources that know their columns but not, or not for sure, how many rows will come: memory grows with those that do.
/// Throws DataError if they need more than max_bytes.
Dataset read_growing(RowSource& source, std::uint64_t max_bytes);

/// Whether the rows are wanted block by block or at once: it decides when columns and memory are checked.
enum class Reading { blocks, whole };

std::unique_ptr<RowSource> open_csv(Input input, const ReadOptions& options);
/// Columns of LIBSVM text: those asked for, or the largest index found by an earlier pass, or neither (both 0).
struct LibsvmColumns {
  std::size_t given = 0, found = 0;
};
std::unique_ptr<RowSource> open_libsvm(Input input, LibsvmColumns columns, const ReadOptions& options);
std::unique_ptr<RowSource> open_npy(Input input, const ReadOptions& options, Reading reading);
/// The same for an array that holds nothing but labels, block by block: its numbers are what a label column would give.
std::unique_ptr<RowSource> open_npy_labels(Input input, const ReadOptions& options);
/// Arrow's IPC format, a stream or a file.
std::unique_ptr<RowSource> open_arrow(Input input, const ReadOptions& options);
/// `description` is what follows "builtin:".
std::unique_ptr<RowSource> open_builtin(std::string_view description, const ReadOptions& options, Reading reading);

/// Of LIBSVM text, at a multiple of the speed of reading it; lines with something wrong are passed over. 0 if there is no index.
std::size_t largest_libsvm_index(Input input, const ReadOptions& options);
/// Of LIBSVM text, all of it looked at. Throws DataError at the first bad line.
std::uint64_t count_libsvm_rows(Input input, const ReadOptions& options);
/// Says what is wrong with text of so many good rows that has no index.
[[noreturn]] void refuse_libsvm(const std::string& name, std::uint64_t n_rows);

}  // namespace askrff::data
