// Raw rows → scaled rows → features times weights, block by block; features are never stored.
#include "askrff/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/operators.hpp"
#include "core/checks.hpp"
#include "operators/grid_features.hpp"
#include "pipeline/check.hpp"
#include "pipeline/grid_reach.hpp"
#include "pipeline/scaled_rows.hpp"

namespace askrff {
namespace {

// Enough rows to share among threads, few enough to stay small beside the data: 16 MiB of doubles, or one row.
std::size_t rows_of_block(std::size_t dim) { return std::clamp<std::size_t>((std::size_t{1} << 21) / dim, 1, 16384); }

template <class T>
Matrix<T> weights_of(const Model& model) {
  Matrix<T> weights(model.linear.n_features(), model.linear.n_outputs());
  std::copy_n(model.linear.weights.data(), weights.rows() * weights.cols(), weights.data());
  return weights;
}

/// Products of rows first … plus the bias.
template <class T>
void add_bias(const Model& model, const Matrix<T>& products, std::size_t first, MatrixView<double> out) {
  for (std::size_t i = 0; i < products.rows(); ++i)
    for (std::size_t k = 0; k < out.cols(); ++k) {
      const double output = model.linear.bias[k] + static_cast<double>(products(i, k));
      if (!std::isfinite(output))
        throw InvalidArgument("Model::outputs", fmt::format("row {} of X is so large that the output overflows", first + i));
      out(first + i, k) = output;
    }
}

/// On a grid: by fast transforms, in double as its sums are, whatever the precision: that costs little, and rows keep their digits. Rows
/// out of its reach get what the nearest point within gets.
void fill_outputs_on_grid(const Model& model, const RowsView<double>& X, const Execution& execution, MatrixView<double> out) {
  constexpr std::size_t block_rows = std::size_t{1} << 19;  // a transform of the grid for each
  const pipeline::GridReach reach(model.map);
  pipeline::RoundedRows<double> storage;
  Matrix<double> written_out, within;
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const RowsView<double> block = storage.scaled(model.map, X.middle_rows(first, std::min(block_rows, X.rows() - first)));
    const MatrixView<const double> rows = reach.within(pipeline::dense_rows(block, written_out), within);
    add_bias(model, operators::multiply_on_grid(*model.map.atoms(), rows, model.linear.weights, execution), first, out);
  }
}

template <class T>
void fill_outputs(const Model& model, const RowsView<double>& X, const Execution& execution, MatrixView<double> out) {
  const Features features = model.map.features(execution.backend);
  const Matrix<T> weights = weights_of<T>(model);
  const std::size_t block_rows = pipeline::rows_scaled_at_once(model.map, X, X.is_sparse() ? X.rows() : rows_of_block(X.cols()));
  pipeline::RoundedRows<T> storage;
  for (std::size_t first = 0; first < X.rows(); first += block_rows) {
    const RowsView<T> block = storage.scaled(model.map, X.middle_rows(first, std::min(block_rows, X.rows() - first)));
    block.visit([&](const auto& rows) { add_bias(model, multiply(features, rows, weights, execution), first, out); });
  }
}

}  // namespace

Matrix<double> Model::outputs(const RowsView<double>& X, const Execution& execution) const {
  pipeline::check(*this);
  require_row_columns(X, map.dim(), "Model::outputs", "X", "the model was trained on");
  require_finite_rows(X, "Model::outputs", "X", execution.stop);
  Matrix<double> out(X.rows(), linear.n_outputs());
  if (pipeline::is_on_grid(map))
    fill_outputs_on_grid(*this, X, execution, out.view());
  else if (precision == Precision::float32)
    fill_outputs<float>(*this, X, execution, out.view());
  else
    fill_outputs<double>(*this, X, execution, out.view());
  return out;
}

std::vector<std::size_t> Model::classes_of(MatrixView<const double> outputs) const {
  if (task != Task::classification)
    throw InvalidArgument("Model::classes_of", "the model is of regression, it has no classes; outputs() gives its numbers");
  require_columns(outputs, linear.n_outputs(), "Model::classes_of", "the matrix of outputs", "the model has");
  std::vector<std::size_t> of_rows(outputs.rows());
  for (std::size_t i = 0; i < outputs.rows(); ++i) of_rows[i] = class_of_outputs(outputs.row(i));
  return of_rows;
}

Matrix<double> Model::probabilities_of(MatrixView<const double> outputs) const {
  if (!output_scale)
    throw InvalidArgument(
        "Model::probabilities_of",
        task == Task::regression
            ? "the model is of regression, it has no classes; outputs() gives its numbers"
            : "the model has no scale of its outputs, which takes the folds of a cross-validation; expected a model trained "
              "at once on all rows with several values of C");
  require_columns(outputs, linear.n_outputs(), "Model::probabilities_of", "the matrix of outputs", "the model has");
  Matrix<double> probabilities(outputs.rows(), classes.size());
  for (std::size_t i = 0; i < outputs.rows(); ++i) output_scale->apply(outputs.row(i), probabilities.row(i));
  return probabilities;
}

std::vector<std::string> Model::predict(const RowsView<double>& X, const Execution& execution) const {
  std::vector<std::string> labels;
  labels.reserve(X.rows());
  for (const std::size_t k : classes_of(outputs(X, execution))) labels.push_back(classes[k]);
  return labels;
}

}  // namespace askrff
