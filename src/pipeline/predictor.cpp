// Raw rows → scaled rows → features times weights, block by block; features are never stored.
#include <algorithm>
#include <utility>

#include "askrff/low_rank.hpp"
#include "askrff/model.hpp"
#include "askrff/errors.hpp"
#include "core/checks.hpp"

namespace askrff {
namespace {

// Enough rows to share among threads, few enough to stay small beside the data: 16 MiB of doubles, or one row.
std::size_t rows_at_once(std::size_t dim) { return std::clamp<std::size_t>((std::size_t{1} << 21) / dim, 1, 16384); }

template <class T>
Matrix<T> rounded(MatrixView<const double> matrix) {
  Matrix<T> out(matrix.rows(), matrix.cols());
  for (std::size_t i = 0; i < matrix.rows(); ++i)
    std::transform(matrix.row(i).begin(), matrix.row(i).end(), out.row(i).begin(), [](double x) { return static_cast<T>(x); });
  return out;
}

template <class T>
void add_outputs(const Features& features, MatrixView<const T> X, MatrixView<const T> weights, const Execution& execution,
                 MatrixView<double> out) {
  const Matrix<T> products = multiply(features, X, weights, execution);
  for (std::size_t i = 0; i < out.rows(); ++i)
    for (std::size_t k = 0; k < out.cols(); ++k) out(i, k) += static_cast<double>(products(i, k));
}

Model checked(Model model) {
  check(model);
  return model;
}

}  // namespace

Predictor::Predictor(Model model, const Execution& execution)
    : model_(checked(std::move(model))), features_(model_.preparation.features()), execution_(execution) {
  if (model_.precision == Precision::float32) float_weights_ = rounded<float>(model_.linear.weights);
}

Matrix<double> Predictor::outputs(MatrixView<const double> X) const {
  const std::size_t dim = model_.preparation.dim;
  require_columns(X, dim, "Predictor::outputs", "X", "the model was trained on");
  require_finite(X, "Predictor::outputs", "X", execution_.stop);
  Matrix<double> out(X.rows(), model_.linear.n_outputs());
  const std::size_t block_rows = std::min(rows_at_once(dim), X.rows());
  Matrix<double> scaled(block_rows, dim);
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const std::size_t count = std::min(block_rows, X.rows() - first);
    const MatrixView<double> rows = scaled.view().middle_rows(0, count), results = out.view().middle_rows(first, count);
    for (std::size_t i = 0; i < count; ++i) {
      std::ranges::copy(X.row(first + i), rows.row(i).begin());
      std::ranges::copy(model_.linear.bias, results.row(i).begin());
    }
    model_.preparation.scaler.apply(rows, execution_.stop);
    if (model_.precision == Precision::float32)
      add_outputs<float>(features_, rounded<float>(rows), float_weights_, execution_, results);
    else
      add_outputs<double>(features_, rows, model_.linear.weights, execution_, results);
  }
  return out;
}

std::vector<std::size_t> Predictor::classes_of(MatrixView<const double> outputs) const {
  if (model_.task != Task::classification) throw InvalidArgument("Predictor::classes_of", "the model is of regression, it has no classes");
  require_columns(outputs, model_.linear.n_outputs(), "Predictor::classes_of", "the matrix of outputs", "the model has");
  std::vector<std::size_t> classes(outputs.rows());
  for (std::size_t i = 0; i < outputs.rows(); ++i) classes[i] = class_of_outputs(outputs.row(i));
  return classes;
}

}  // namespace askrff
