// Data in and out: LIBSVM, CSV and NPY files, compressed or not, built-in generators, and NPY output that is complete or absent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "askrff/errors.hpp"
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
  std::string label_column = {};              ///< CSV: name or number (from 1) of the label column; empty: none
  std::uint64_t max_bytes = std::uint64_t{16} << 30;  ///< refuse data whose matrix would need more memory than this
};

/// Reads a file, standard input ("-") or a built-in generator ("builtin:NAME[:D][:ROWS]"). Compression (gzip, bzip2, xz, zstd) is
/// recognised by content. Throws DataError with "source:line: what, what was expected".
Dataset read_data(const std::string& source, const ReadOptions& options = {});

struct BuiltinInfo {
  std::string usage, meaning;
};
/// The built-in generators, for help texts.
const std::vector<BuiltinInfo>& builtin_datasets();

/// Column-wise map to [0,1]; a constant column becomes 0.
void scale_minmax(Matrix<double>& X);

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
