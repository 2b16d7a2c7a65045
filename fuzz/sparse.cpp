// Sparse rows as three arrays: refused, or right in everything that is made of them.
#include <bit>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "askrff/rows.hpp"
#include "askrff/sparse.hpp"
#include "target.hpp"

namespace {

using askrff::Matrix;
using askrff::SparseMatrix;
using askrff::SparseView;

/// Numbers out of the bytes, zeros after their end.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}
  template <class Number>
  Number next() {
    Number value{};
    const std::size_t n = std::min(left_, sizeof value);
    std::memcpy(&value, data_, n);
    data_ += n;
    left_ -= n;
    return value;
  }

 private:
  const std::uint8_t* data_;
  std::size_t left_;
};

/// Dense rows of the same numbers, and back.
void expect_same_written_out(const SparseView<double>& rows) {
  Matrix<double> dense(rows.rows(), rows.cols());
  rows.copy_to(dense.view());
  const SparseMatrix<double> again = SparseMatrix<double>::of(dense);
  std::size_t n_numbers = 0;
  for (const double value : rows.all_values()) n_numbers += value != 0 ? 1 : 0;
  if (again.view().n_values() != n_numbers) askrff::fuzz::broken("numbers were lost on the way to dense rows and back");
  bool is_small = true;
  for (const double value : rows.all_values()) is_small = is_small && std::fabs(value) < 1e3;
  if (!is_small) return;  // or no number, or so large that distances are none
  const auto kernel = askrff::gaussian({.sigma = 1e3});
  Matrix<double> of_sparse(rows.rows(), rows.rows()), of_dense(rows.rows(), rows.rows());
  kernel->evaluate_sparse_pairs(rows, rows, {}, of_sparse.view());
  kernel->evaluate_pairs(dense, dense, of_dense.view());
  for (std::size_t i = 0; i < rows.rows() * rows.rows(); ++i)
    if (!(std::fabs(of_sparse.data()[i] - of_dense.data()[i]) < 1e-9)) askrff::fuzz::broken("sparse and dense rows have other distances");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const std::size_t n_rows = bytes.next<std::uint8_t>() % 20, n_values = bytes.next<std::uint8_t>() % 64;
  const bool wide = bytes.next<std::uint8_t>() % 2 == 0;
  const std::size_t cols = wide ? bytes.next<std::uint32_t>() : bytes.next<std::uint8_t>();
  std::vector<std::uint64_t> starts(n_rows);
  std::vector<std::uint32_t> columns(n_values);
  std::vector<double> values(n_values);
  for (auto& start : starts) start = wide ? bytes.next<std::uint64_t>() : bytes.next<std::uint8_t>();
  for (auto& column : columns) column = wide ? bytes.next<std::uint32_t>() : bytes.next<std::uint8_t>();
  for (double& value : values) value = wide ? bytes.next<double>() : bytes.next<std::int8_t>() / 8.0;
  try {
    const SparseView<double> rows(starts, columns, values, cols);
    if (cols < 1000) expect_same_written_out(rows);
    Matrix<double> out(rows.rows(), rows.rows());
    askrff::laplacian()->evaluate_sparse_pairs(rows, rows, {}, out.view());
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < rows.rows(); ++i) all.push_back(i);
    const auto scaling = all.size() % 2 == 0 ? askrff::Scaling::maxabs : askrff::Scaling::minmax;
    if (cols < 10'000) askrff::Scaler::fitted_to(rows, scaling).applied(askrff::RowsMatrix<double>::taken_from(rows, all));
  } catch (const askrff::InvalidArgument&) {
  }
  return 0;
}
