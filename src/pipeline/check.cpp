// Whether the parts of a map and of a model fit together: what a file or a caller may have mixed up.
#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <limits>
#include <set>
#include <span>

#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "pipeline/check.hpp"

namespace askrff::pipeline {
namespace {

[[noreturn]] void refuse(const std::string& what) { throw InvalidArgument("Model", "" + what); }

void require_size(std::size_t got, std::size_t wanted, const char* what) {
  if (got != wanted) refuse(fmt::format("{} has {} values, expected {}", what, got, wanted));
}

void require_finite_values(std::span<const double> values, const char* what) {
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) refuse(fmt::format("{} holds {} at place {}, expected finite numbers", what, values[i], i));
}

/// Measured errors may be infinite, but they are numbers.
void require_no_nan(std::initializer_list<double> values, const char* what) {
  for (const double value : values)
    if (std::isnan(value)) refuse(fmt::format("{} holds NaN, expected numbers", what));
}

void check_scaler(const Scaler& scaler, std::size_t dim) {
  const std::size_t expected = scaler.kind == Scaling::none ? 0 : dim;
  require_size(scaler.offset.size(), expected, "the scaler's offset");
  require_size(scaler.width.size(), expected, "the scaler's width");
  require_finite_values(scaler.offset, "the scaler's offset");
  require_finite_values(scaler.width, "the scaler's width");
  for (const double width : scaler.width)
    if (width < 0) refuse(fmt::format("the scaler has a column of width {}, expected none below 0", width));
  for (const double offset : scaler.offset)
    if (scaler.kind == Scaling::maxabs && offset != 0)
      refuse(fmt::format("the scaler is maxabs and has the offset {}, expected 0: it keeps zeros", offset));
}

void check_range(const ColumnRange& range, std::size_t dim) {
  require_size(range.lowest.size(), dim, "the lowest value of the fitted rows");
  require_size(range.highest.size(), dim, "the highest value of the fitted rows");
  require_finite_values(range.lowest, "the range of the fitted rows");
  require_finite_values(range.highest, "the range of the fitted rows");
  if (!range.centre.empty()) require_size(range.centre.size(), dim, "the mean of the fitted rows");
  require_finite_values(range.centre, "the mean of the fitted rows");
  for (const double distance : {range.radius, range.typical, range.margin})
    if (!(std::isfinite(distance) && distance >= 0))
      refuse(fmt::format("the fitted rows are {} apart, expected a finite number of at least 0", distance));
}

void check_atoms(const SpectralAtoms& atoms, std::size_t dim) {
  if (atoms.dim() != dim) refuse(fmt::format("the atoms have dimension {}, the rows {}", atoms.dim(), dim));
  if (const auto& calibration = atoms.provenance().calibration) {
    check_range(calibration->range, dim);
    require_no_nan({calibration->error_before, calibration->error_after, calibration->even_ridge, calibration->odd_ridge},
                   "the calibration");
  }
  std::set<Part> seen;
  for (const PartRecord& part : atoms.parts()) {
    if (!seen.insert(part.part).second) refuse(fmt::format("part {} stands twice among the atoms", traits(part.part).name));
    if (!(std::isfinite(part.mass) && part.mass >= 0) || std::isnan(part.log_mass))
      refuse(fmt::format("part {} has mass {}, expected a finite number of at least 0", traits(part.part).name, part.mass));
  }
}

void check_nystrom(const NystromFactors& factors, std::size_t dim) {
  if (!factors.kernel) refuse("the landmarks have no kernel");
  const std::size_t n = factors.n_landmarks(), n_features = factors.n_features();
  if (n == 0 || n_features == 0) refuse(fmt::format("{} landmarks and {} features, expected at least one of each", n, n_features));
  require_row_columns(factors.landmarks.view(), dim, "Model", "the matrix of landmarks", "the rows have");
  require_shape(factors.left_factor.view(), n, n_features, "Model", "the left factor");
  require_shape(factors.right_factor.view(), n, n_features, "Model", "the right factor");
  require_finite_rows<double>(factors.landmarks, "Model", "the matrix of landmarks");
  require_finite<double>(factors.left_factor, "Model", "the left factor");
  require_finite<double>(factors.right_factor, "Model", "the right factor");
  require_finite_values(factors.core_singular_values, "the list of singular values of k(Z,Z)");
  require_finite_values(factors.singular_values, "the list of singular values");
}

void check_places(std::span<const std::size_t> places, std::size_t size, const char* what) {
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] >= size || (i > 0 && places[i] <= places[i - 1]))
      refuse(fmt::format("the list of {} holds {} at place {}, expected increasing numbers below {}", what, places[i], i, size));
}

void check_matrix(const MapContent& content, const MatrixFactors& factors) {
  const std::size_t n_features = factors.n_features();
  if (factors.columns.empty() || factors.rows.empty() || n_features == 0)
    refuse(fmt::format("{} columns, {} rows and {} features of a matrix, expected at least one of each", factors.columns.size(),
                       factors.rows.size(), n_features));
  check_places(factors.columns, factors.n_columns, "columns");
  check_places(factors.rows, factors.n_rows, "rows");
  require_shape(factors.left_factor.view(), factors.columns.size(), n_features, "Model", "the left factor");
  require_shape(factors.right_factor.view(), factors.rows.size(), n_features, "Model", "the right factor");
  require_finite<double>(factors.left_factor, "Model", "the left factor");
  require_finite<double>(factors.right_factor, "Model", "the right factor");
  require_size(factors.singular_values.size(), n_features, "the list of singular values");
  require_finite_values(factors.singular_values, "the list of singular values");
  if (content.scaler.kind != Scaling::none)
    refuse(fmt::format("rows of a matrix with the scaling {}, expected none", name_of(content.scaler.kind)));
}

void check_classes(const Model& model) {
  const std::size_t n_classes = model.classes.size(), n_outputs = model.linear.n_outputs();
  if (model.task == Task::regression) {
    if (n_classes != 0) refuse(fmt::format("regression with {} classes, expected none", n_classes));
    return;
  }
  if (n_classes < 2) refuse(fmt::format("classification with {} classes, expected at least 2", n_classes));
  const std::size_t expected = n_classes == 2 ? 1 : n_classes;
  if (n_outputs != expected) refuse(fmt::format("{} classes have {} outputs, expected {}", n_classes, n_outputs, expected));
  const std::set<std::string_view> distinct(model.classes.begin(), model.classes.end());
  if (distinct.size() != n_classes) refuse("a class stands twice in the list");
}

void check_linear(const Model& model) {
  const LinearModel& linear = model.linear;
  const std::size_t n_features = model.map.n_features();
  if (linear.n_features() != n_features)
    refuse(fmt::format("the weights are for {} features, the map makes {}", linear.n_features(), n_features));
  if (linear.n_outputs() == 0) refuse("no outputs, expected at least one");
  require_size(linear.bias.size(), linear.n_outputs(), "the bias");
  require_finite<double>(linear.weights, "Model", "the matrix of weights");
  require_finite_values(linear.bias, "the bias");
  if (model.precision == Precision::float64) return;
  for (std::size_t f = 0; f < linear.n_features(); ++f)
    for (const double weight : linear.weights.row(f))
      if (std::fabs(weight) > std::numeric_limits<float>::max())
        refuse(fmt::format("a weight of {:.3g} does not fit into float, the precision of the model", weight));
}

void check_output_scale(const Model& model) {
  if (!model.output_scale) return;
  if (model.task == Task::regression) refuse("regression with a scale for probabilities, expected none");
  if (!(std::isfinite(model.output_scale->scale) && model.output_scale->scale >= 0 && std::isfinite(model.output_scale->offset)))
    refuse(fmt::format("the scale of the outputs is {} with the offset {}, expected finite numbers, the scale at least 0",
                       model.output_scale->scale, model.output_scale->offset));
  if (model.linear.n_outputs() > 1 && model.output_scale->offset != 0)
    refuse(fmt::format("the outputs of {} classes have the offset {}, expected 0", model.classes.size(), model.output_scale->offset));
}

void check_training(const Training& training) {
  require_size(training.cv_scores.size(), training.cv_c.size(), "the list of cross-validation scores");
  if (!std::isfinite(training.c)) refuse(fmt::format("C is {}, expected a finite number", training.c));
  require_finite_values(training.cv_c, "the list of C");
  for (const double score : training.cv_scores) require_no_nan({score}, "the list of cross-validation scores");
}

}  // namespace

void check(const Map& map) {
  const MapContent& content = map.content();
  const std::size_t dim = map.dim();
  if (dim == 0) refuse("rows of dimension 0, expected at least 1");
  check_scaler(content.scaler, dim);
  if (!content.column_names.empty()) require_size(content.column_names.size(), dim, "the list of column names");
  if (map.atoms()) check_atoms(*map.atoms(), dim);
  if (map.nystrom()) check_nystrom(*map.nystrom(), dim);
  if (map.matrix()) check_matrix(content, *map.matrix());
  if (content.certificate)
    require_no_nan({content.certificate->error.error, content.certificate->error.lower, content.certificate->error.upper},
                   "the certificate");
  if (content.range) check_range(*content.range, dim);
  map.n_features();  // throws if models are to see a side that is not there
}

void check(const Model& model) {  // its map was checked when it was made
  check_linear(model);
  check_classes(model);
  check_output_scale(model);
  check_training(model.training);
}

}  // namespace askrff::pipeline
