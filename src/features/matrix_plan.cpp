// Rows of a matrix times a factor, in double: factors of size 1/√σ cancel against each other, as those of landmarks.
#include "features/matrix_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "core/transpose.hpp"

namespace askrff::detail {
namespace {

constexpr std::size_t most_places = std::numeric_limits<std::uint32_t>::max();

void require_places(const std::vector<std::size_t>& places, std::size_t size, const char* what) {
  const std::size_t most = std::min(size, most_places);
  for (std::size_t i = 0; i < places.size(); ++i)
    if (places[i] >= most || (i > 0 && places[i] <= places[i - 1]))
      throw InvalidArgument("FeatureMap", fmt::format("the matrix factors read {} {} after {}, expected increasing numbers below {}", what,
                                                      places[i], i > 0 ? fmt::format("{}", places[i - 1]) : "none", most));
}

}  // namespace

MatrixPlan::MatrixPlan(std::string name, std::size_t dimension, const std::vector<std::size_t>& places,
                       std::shared_ptr<const Matrix<double>> factor, const backend::Primitives& chosen)
    : FeaturePlan(std::move(name), dimension, "the matrix was factored with", chosen),
      places_(places.begin(), places.end()),
      factor_(std::move(factor)) {
  n_features = factor_->cols();
}

void MatrixPlan::require_consistent(const MatrixFactors& factors) {
  if (factors.left_factor.empty() || factors.right_factor.empty())
    throw InvalidArgument("FeatureMap", "the matrix factors are empty, expected those of matrix_factors()");
  require_shape(factors.left_factor.view(), factors.columns.size(), factors.n_features(), "FeatureMap", "the left factor");
  require_shape(factors.right_factor.view(), factors.rows.size(), factors.n_features(), "FeatureMap", "the right factor");
  require_places(factors.columns, factors.n_columns, "column");
  require_places(factors.rows, factors.n_rows, "row");
  require_finite<double>(factors.left_factor, "FeatureMap", "the left factor");
  require_finite<double>(factors.right_factor, "FeatureMap", "the right factor");
}

double MatrixPlan::row_cost() const { return 2 * static_cast<double>(places_.size()) * static_cast<double>(n_features); }

const Matrix<double>& MatrixPlan::factor_rows() const {
  std::call_once(turned_, [&] { factor_rows_ = transposed<double>(*factor_); });
  return factor_rows_;
}

// Rows that are converted or gathered: 4 MiB of them at a time.
template <class T>
void MatrixPlan::run_dense(backend::Rows<const T> X, backend::Rows<double> out) const {
  const backend::Rows<const double> factors = backend::rows_of(factor_rows().view());
  if constexpr (std::is_same_v<T, double>)
    if (reads_all()) return primitives->for_double.product(X, factors, dim, out, backend::Update::set);
  const std::size_t fitting = std::max<std::size_t>(16, (std::size_t{4} << 20) / sizeof(double) / places_.size());
  Matrix<double> taken(std::min(fitting, X.count), places_.size());
  for (std::size_t first = 0; first < X.count; first += taken.rows()) {
    const std::size_t count = std::min(taken.rows(), X.count - first);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t p = 0; p < places_.size(); ++p) taken(i, p) = static_cast<double>(X.row(first + i)[places_[p]]);
    primitives->for_double.product({taken.data(), count, taken.cols()}, factors, taken.cols(), out.from(first, count),
                                   backend::Update::set);
  }
}

template <class T>
void MatrixPlan::run_sparse(backend::SparseRows<T> X, backend::Rows<double> out) const {
  const backend::Rows<const double> factor = backend::rows_of(factor_->view());
  if constexpr (std::is_same_v<T, double>)
    if (reads_all()) return primitives->sparse_product(X, factor, n_features, out);
  std::vector<std::uint64_t> starts = {0};
  std::vector<std::uint32_t> columns;
  std::vector<double> values;
  for (std::size_t i = 0; i < X.count; ++i) {
    const backend::SparseRow<T> row = X.row(i);
    auto place = places_.begin();  // both increase
    for (std::size_t k = 0; k < row.size && place != places_.end(); ++k) {
      place = std::lower_bound(place, places_.end(), row.columns[k]);
      if (place == places_.end() || *place != row.columns[k]) continue;
      columns.push_back(static_cast<std::uint32_t>(place - places_.begin()));
      values.push_back(static_cast<double>(row.values[k]));
    }
    starts.push_back(columns.size());
  }
  primitives->sparse_product({starts.data(), columns.data(), values.data(), X.count}, factor, n_features, out);
}

template <class T>
void MatrixPlan::run_doubles(const backend::InputRows<T>& X, backend::Rows<double> out) const {
  X.is_sparse ? run_sparse<T>(X.sparse, out) : run_dense<T>(X.dense, out);
}

void MatrixPlan::run(backend::InputRows<double> X, backend::Rows<double> out, backend::Store) const { run_doubles(X, out); }

void MatrixPlan::run(backend::InputRows<float> X, backend::Rows<float> out, backend::Store) const {
  constexpr std::size_t at_once = 64;
  Matrix<double> features(std::min(at_once, X.count), n_features);
  for (std::size_t first = 0; first < X.count; first += features.rows()) {
    const std::size_t count = std::min(features.rows(), X.count - first);
    run_doubles(X.from(first, count), backend::rows_of(features.view()).from(0, count));
    round_features(features.view().middle_rows(0, count), out.from(first, count));
  }
}

}  // namespace askrff::detail
