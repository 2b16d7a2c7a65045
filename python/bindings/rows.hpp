// Rows that Python holds as a stream of the library's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "askrff/rows.hpp"
#include "bindings.hpp"
#include "sparse.hpp"

namespace askrff::python {

/// Made and destroyed under the lock of the interpreter, read without it on the thread of the caller.
class PythonRows final : public RowStream {
 public:
  /// X: a float32 or float64 array in C order; SparseRows; or what has shape and, called with (first, last), gives those rows as such an
  /// array of float64. column_names: one per column, or none.
  PythonRows(nb::object X, std::vector<std::string> column_names);

  /// The class of every row, int64, and what the classes are called.
  void set_classes(const Array& codes, std::vector<std::string> names);
  /// The same where others know what the classes are called; codes may be any whole numbers.
  void set_codes(const Array& codes);
  /// Numbers to be predicted, float64, rows × targets.
  void set_targets(const Array& targets);
  /// What every row counts, float64.
  void set_weights(const Array& weights);

  const std::string& name() const override { return name_; }
  std::size_t n_columns() const override { return n_columns_; }
  const std::vector<std::string>& column_names() const override { return column_names_; }
  bool has_labels() const override { return !labels_.empty(); }
  const std::vector<std::string>& class_names() const override { return class_names_; }
  std::size_t n_targets() const override { return n_targets_; }
  bool can_rewind() const override { return true; }
  bool is_sparse() const override { return is_sparse_; }
  std::optional<std::uint64_t> known_rows() const override { return n_rows_; }
  void rewind() override { next_row_ = 0; }

 private:
  void read_block(RowBlock& block, std::size_t max_rows) override;
  void copy_from_python(std::size_t first, MatrixView<double> out) const;
  MatrixView<const double> copied_rows(std::size_t first, std::size_t count);

  std::string name_ = "X";
  nb::object source_;
  std::optional<Array> array_;            ///< of the source, if it is one
  const SparseArrays* sparse_ = nullptr;  ///< likewise
  bool is_sparse_ = false;                ///< and worth keeping so
  RowsView<double> sparse_rows_;
  SparseMatrix<double> widened_;
  std::size_t n_rows_ = 0, n_columns_ = 0, n_targets_ = 1, next_row_ = 0;
  std::vector<std::string> column_names_, class_names_;
  std::vector<double> labels_, weights_;
  Matrix<double> block_;
};

/// One number for each of n_rows rows. Throws TypeError unless the array is float64 in one dimension, std::invalid_argument for another
/// size; `who` names the function.
std::vector<double> weights_of(const Array& array, std::size_t n_rows, const char* who);

/// Whole numbers from 0 to n_values - 1, one for each of n_rows rows. Throws TypeError unless the array is int64 in one dimension,
/// std::invalid_argument for another size or a number out of range; `who` names the function.
std::vector<std::uint32_t> codes_of(const Array& array, std::size_t n_rows, std::size_t n_values, const char* who);

}  // namespace askrff::python
