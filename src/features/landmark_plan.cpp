// Kernel values in blocks that stay in a cache, each multiplied by the factor while it is there. Everything in double: factors of size
// 1/√σ cancel against each other, and float would keep no digit of features that matter.
#include "features/landmark_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/checks.hpp"
#include "core/transpose.hpp"
#include "askrff/errors.hpp"

namespace askrff::detail {

LandmarkPlan::LandmarkPlan(std::string name, Side which, std::shared_ptr<const Kernel> values_of,
                           std::shared_ptr<const RowsMatrix<double>> rows, const Matrix<double>& factor, const backend::Primitives& chosen)
    : FeaturePlan(std::move(name), rows->cols(), "the landmarks have", chosen),
      side(which),
      kernel(std::move(values_of)),
      kernel_backend(chosen.name == "reference" ? Backend::reference : Backend::simd),
      landmarks(std::move(rows)),
      factor_rows(transposed(factor.view())) {
  n_features = factor.cols();
}

void LandmarkPlan::require_consistent(const NystromFactors& factors) {
  if (!factors.kernel) throw InvalidArgument("FeatureMap", "the Nyström factors have no kernel");
  if (factors.landmarks.empty() || factors.left_factor.empty())
    throw InvalidArgument("FeatureMap", "the Nyström factors are empty, expected those of nystrom()");
  const std::size_t n = factors.landmarks.rows();
  require_shape(factors.left_factor.view(), n, factors.n_features(), "FeatureMap", "the left factor");
  require_shape(factors.right_factor.view(), n, factors.n_features(), "FeatureMap", "the right factor");
  require_finite_rows<double>(factors.landmarks, "FeatureMap", "the landmarks");
  require_finite<double>(factors.left_factor, "FeatureMap", "the left factor");
  require_finite<double>(factors.right_factor, "FeatureMap", "the right factor");
}

// 4 MiB of kernel values; fewer rows would spend their time on packing the factor anew.
std::size_t LandmarkPlan::rows_at_once() const {
  return std::clamp<std::size_t>((std::size_t{4} << 20) / sizeof(double) / std::max<std::size_t>(1, landmarks->rows()), 64, 960);
}

double LandmarkPlan::row_cost() const {
  const auto n = static_cast<double>(landmarks->rows());
  const double of_pair = static_cast<double>(landmarks->view().n_values()) / n;
  return n * (2 * of_pair + 24 + 2 * static_cast<double>(n_features));
}

void LandmarkPlan::fill_values(const RowsView<double>& X, MatrixView<double> values) const {
  if (side == Side::left) {
    kernel->evaluate_any_pairs(X, *landmarks, values, kernel_backend);
  } else {
    constexpr std::size_t tile = 64;  // landmarks at a time, so that turning the block stays in a cache
    Matrix<double> block(std::min(tile, landmarks->rows()), X.rows());
    for (std::size_t first = 0; first < landmarks->rows(); first += tile) {
      const std::size_t count = std::min(tile, landmarks->rows() - first);
      kernel->evaluate_any_pairs(landmarks->view().middle_rows(first, count), X, block.view().middle_rows(0, count), kernel_backend);
      for (std::size_t i = 0; i < X.rows(); ++i)
        for (std::size_t l = 0; l < count; ++l) values(i, first + l) = block(l, i);
    }
  }
  for (std::size_t i = 0; i < values.rows(); ++i)
    for (const double value : values.row(i))
      if (!std::isfinite(value))
        throw InvalidArgument(
            who, fmt::format("kernel {} returned {} between a row and a landmark, expected finite numbers", kernel->name(), value));
}

void LandmarkPlan::run_doubles(const RowsView<double>& X, backend::Rows<double> out) const {
  Matrix<double> values(std::min(rows_at_once(), X.rows()), landmarks->rows());
  for (std::size_t first = 0; first < X.rows(); first += values.rows()) {
    const std::size_t count = std::min(values.rows(), X.rows() - first);
    const auto block = values.view().middle_rows(0, count);
    fill_values(X.middle_rows(first, count), block);
    primitives->for_double.product({block.data(), count, block.stride()}, backend::rows_of(factor_rows.view()), landmarks->rows(),
                                   out.from(first, count), backend::Update::set);
  }
}

namespace {

template <class T>
void write_out(const backend::InputRows<T>& X, MatrixView<double> rows) {
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    if (!X.is_sparse) {
      std::copy_n(X.dense.row(i), rows.cols(), rows.row(i).data());
      continue;
    }
    std::ranges::fill(rows.row(i), 0.0);
    const backend::SparseRow<T> row = X.sparse.row(i);
    for (std::size_t k = 0; k < row.size; ++k) rows(i, row.columns[k]) = static_cast<double>(row.values[k]);
  }
}

template <class T>
SparseMatrix<double> packed(const backend::InputRows<T>& X, std::size_t dim) {
  SparseMatrix<double> rows(dim);
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  const auto add = [&](std::size_t column, T value) {
    if (value == T{0}) return;
    columns.push_back(static_cast<std::uint32_t>(column));
    values.push_back(static_cast<double>(value));
  };
  for (std::size_t i = 0; i < X.count; ++i) {
    columns.clear();
    values.clear();
    if (X.is_sparse) {
      const backend::SparseRow<T> row = X.sparse.row(i);
      for (std::size_t k = 0; k < row.size; ++k) add(row.columns[k], row.values[k]);
    } else {
      for (std::size_t c = 0; c < dim; ++c) add(c, X.dense.row(i)[c]);
    }
    rows.add_row(columns, values);
  }
  return rows;
}

/// The rows as doubles of one kind.
template <class T>
RowsMatrix<double> converted(const backend::InputRows<T>& X, std::size_t dim, bool to_sparse) {
  if (to_sparse) return packed(X, dim);
  Matrix<double> rows(X.count, dim);
  write_out(X, rows.view());
  return rows;
}

}  // namespace

// Wide rows are converted few at a time: 4 MiB of them.
std::size_t LandmarkPlan::converted_rows(std::size_t n_rows) const {
  const std::size_t fitting = landmarks->is_sparse() ? n_rows : (std::size_t{4} << 20) / sizeof(double) / dim;
  return std::min({n_rows, rows_at_once(), std::max<std::size_t>(16, fitting)});
}

void LandmarkPlan::run(backend::InputRows<double> X, backend::Rows<double> out, backend::Store) const {
  if (!X.is_sparse && !landmarks->is_sparse())
    return run_doubles(MatrixView<const double>(X.dense.data, X.count, dim, X.dense.stride), out);
  const std::size_t at_once = converted_rows(X.count);
  for (std::size_t first = 0; first < X.count; first += at_once) {
    const std::size_t count = std::min(at_once, X.count - first);
    run_doubles(converted(X.from(first, count), dim, landmarks->is_sparse()), out.from(first, count));
  }
}

void LandmarkPlan::run(backend::InputRows<float> X, backend::Rows<float> out, backend::Store) const {
  const std::size_t at_once = converted_rows(X.count);
  Matrix<double> features(at_once, n_features);
  for (std::size_t first = 0; first < X.count; first += at_once) {
    const std::size_t count = std::min(at_once, X.count - first);
    run_doubles(converted(X.from(first, count), dim, landmarks->is_sparse()), backend::rows_of(features.view()).from(0, count));
    round_features(features.view().middle_rows(0, count), out.from(first, count));
  }
}

}  // namespace askrff::detail
