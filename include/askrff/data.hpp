// Data in and out: LIBSVM, CSV and NPY files, compressed or not, built-in generators, and NPY output that is complete or absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/execution.hpp"
#include "askrff/views.hpp"

namespace askrff {

struct Dataset {
  Matrix<double> X;                       ///< rows × columns, all finite
  std::vector<std::string> labels;        ///< one per row as written in the source, or empty
  std::vector<std::string> column_names;  ///< one per column of X, or empty
};

enum class DataFormat { automatic, libsvm, csv, npy };

struct ReadOptions {
  DataFormat format = DataFormat::automatic;  ///< automatic: by the name's ending, else by content
  std::size_t n_columns = 0;                  ///< LIBSVM: width of the data when the last columns may be all zero; 0: the largest index
  std::size_t libsvm_columns = 0;             ///< the same, but said of LIBSVM data alone: other formats have the columns they have
  std::string label_column = {};              ///< CSV: name or number (from 1) of the label column; NPY: its number; empty: none
  std::string label_file = {};  ///< labels in a file of their own: text with one per line, or NPY with one column; empty: none
  std::uint64_t max_bytes = std::uint64_t{16} << 30;  ///< refuse data whose matrix would need more memory than this
  Execution execution = {};                           ///< threads that parse; the data are the same for any number. Progress: of "read"
};

/// Reads a file, standard input ("-") or a built-in generator ("builtin:NAME[:D][:ROWS]"). Compression (gzip, bzip2, xz, zstd) is
/// recognised by content. Throws DataError with "source:line: what, what was expected".
Dataset read_data(const std::string& source, const ReadOptions& options = {});

struct BuiltinInfo {
  std::string usage, meaning;
};
/// The built-in generators, for help texts.
const std::vector<BuiltinInfo>& builtin_datasets();

/// Writes a rows × cols NPY file block by block. The file appears under its name only when finish() has returned: it is written beside
/// and renamed; otherwise the destructor removes what was written.
class NpyWriter {
 public:
  enum class Type { float32, float64 };
  /// Throws std::invalid_argument if the file cannot be created.
  NpyWriter(const std::string& path, std::size_t rows, std::size_t cols, Type type);
  ~NpyWriter();
  NpyWriter(const NpyWriter&) = delete;
  NpyWriter& operator=(const NpyWriter&) = delete;

  /// Appends rows; the element type must be the file's. Throws WriteError if they cannot be written in full.
  void append(MatrixView<const float> block);
  void append(MatrixView<const double> block);
  /// Throws WriteError if rows are missing or the file cannot be completed.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace askrff
