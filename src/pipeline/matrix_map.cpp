// A matrix's factors as a map: which rows and columns judge, factors of the others, the error between them, and factors of all.
#include "askrff/matrix_map.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "askrff/dense.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "landmarks/restricted_map.hpp"

namespace askrff {
namespace {

constexpr std::size_t share_judging = 5, least_judging = 3;

/// Of many rows a fiftieth, so that rare ones, a graph's hubs, are among them.
std::size_t most_judging(std::size_t n) { return std::clamp<std::size_t>(n / 50, 400, 1000); }

/// Numbers below n, increasing: those that judge, and the others.
struct PlaceShares {
  std::vector<std::size_t> judging, others;

  PlaceShares(std::size_t n, std::uint64_t seed)
      : judging(choose_rows(n, std::min(most_judging(n), n / share_judging), seed, Purpose::held_out_rows)) {
    std::ranges::sort(judging);
    for (std::size_t i = 0, next = 0; i < n; ++i) {
      if (next < judging.size() && judging[next] == i)
        ++next;
      else
        others.push_back(i);
    }
  }
  bool is_worth_a_refit() const { return 20 * judging.size() > judging.size() + others.size(); }
};

/// What factors of some of K are in terms of all of it.
MatrixFactors of_whole(MatrixFactors factors, const LinearMap& K, const PlaceShares& rows, const PlaceShares& columns) {
  for (std::size_t& place : factors.rows) place = rows.others[place];
  for (std::size_t& place : factors.columns) place = columns.others[place];
  factors.n_rows = K.rows();
  factors.n_columns = K.cols();
  return factors;
}

void gather_rows(MatrixView<const double> all, std::span<const std::size_t> places, MatrixView<double> out) {
  for (std::size_t i = 0; i < places.size(); ++i) std::ranges::copy(all.row(places[i]), out.row(i).begin());
}

/// Features of some rows of K: where few numbers of a row are read they are taken, else the product of K with the factor is.
Matrix<double> left_of_rows(const LinearMap& K, const MatrixFactors& factors, std::span<const std::size_t> rows,
                            const Execution& execution) {
  Matrix<double> out(rows.size(), factors.n_features());
  if (4 * factors.columns.size() < K.cols()) {
    Matrix<double> columns(K.rows(), factors.columns.size()), read(rows.size(), factors.columns.size());
    K.take_columns(factors.columns, columns.view(), execution);
    gather_rows(columns, rows, read.view());
    const Matrix<double> factor_rows = [&] {
      Matrix<double> turned(factors.n_features(), factors.columns.size());
      for (std::size_t l = 0; l < turned.cols(); ++l)
        for (std::size_t f = 0; f < turned.rows(); ++f) turned(f, l) = factors.left_factor(l, f);
      return turned;
    }();
    product_of_rows(read, factor_rows, out.view(), execution);
    return out;
  }
  Matrix<double> factor(K.cols(), factors.n_features()), all(K.rows(), factors.n_features());
  for (std::size_t l = 0; l < factors.columns.size(); ++l)
    std::ranges::copy(factors.left_factor.row(l), factor.row(factors.columns[l]).begin());
  K.times(factor, all.view(), execution);
  gather_rows(all, rows, out.view());
  return out;
}

/// Kᵀ, for what is said of rows to be said of columns.
class TurnedMap final : public LinearMap {
 public:
  explicit TurnedMap(const LinearMap& K) : K_(K) {}
  std::size_t rows() const override { return K_.cols(); }
  std::size_t cols() const override { return K_.rows(); }
  void times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    K_.transposed_times(V, out, execution);
  }
  void transposed_times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    K_.times(V, out, execution);
  }

 private:
  const LinearMap& K_;
};

MatrixFactors turned(const MatrixFactors& factors) {
  return {factors.n_columns,    factors.n_rows,      factors.rows,           factors.columns,
          factors.right_factor, factors.left_factor, factors.singular_values};
}

Matrix<double> entries_between(const LinearMap& K, std::span<const std::size_t> rows, std::span<const std::size_t> columns,
                               const Execution& execution) {
  constexpr std::size_t at_once = 64;
  Matrix<double> out(rows.size(), columns.size());
  for (std::size_t first = 0; first < columns.size(); first += at_once) {
    const auto some = columns.subspan(first, std::min(at_once, columns.size() - first));
    Matrix<double> all(K.rows(), some.size());
    K.take_columns(some, all.view(), execution);
    for (std::size_t i = 0; i < rows.size(); ++i)
      std::ranges::copy(all.row(rows[i]), out.row(i).begin() + static_cast<std::ptrdiff_t>(first));
  }
  return out;
}

Certificate certificate_of_block(const LinearMap& K, const MatrixFactors& factors, const PlaceShares& rows, const PlaceShares& columns,
                                 const Execution& execution) {
  const Matrix<double> exact = entries_between(K, rows.judging, columns.judging, execution);
  const Matrix<double> left = left_of_rows(K, factors, rows.judging, execution);
  const Matrix<double> right = left_of_rows(TurnedMap(K), turned(factors), columns.judging, execution);
  Matrix<double> approximate(exact.rows(), exact.cols());
  product_of_rows(left, right, approximate.view(), execution);
  const bool same_things = K.rows() == K.cols();
  return {.error = block_error(exact, approximate, same_things, std::min({default_matrix_rows, K.rows(), K.cols()})),
          .n_features = factors.n_features()};
}

}  // namespace

Map make_matrix_map(const LinearMap& K, const MatrixOptions& options, bool certify) {
  MapContent content{.source = Columns{}};
  content.seed = options.seed;
  const bool is_large = std::min(K.rows(), K.cols()) >= share_judging * least_judging;
  if (!certify || !is_large) {
    content.source = matrix_factors(K, options);
    return Map(std::move(content));
  }
  // Of a square K the same places on both sides.
  const PlaceShares rows(K.rows(), options.seed);
  const PlaceShares columns = K.rows() == K.cols() ? rows : PlaceShares(K.cols(), derive_seed(options.seed, 1));
  const bool refitted = rows.is_worth_a_refit() || columns.is_worth_a_refit();
  std::optional<MatrixFactors> all;
  if (refitted) all = matrix_factors(K, options);  // first: what is wrong with K or the options is said of all of it
  std::optional<MatrixFactors> others;
  try {
    others = of_whole(matrix_factors(landmarks::RestrictedMap(K, rows.others, columns.others), options), K, rows, columns);
  } catch (const InvalidArgument&) {
    if (!refitted) throw;  // K is zero but for what judges: nothing is known of the error
  }
  if (others) {
    Certificate certificate = certificate_of_block(K, *others, rows, columns, options.execution);
    certificate.refitted = refitted;
    if (refitted) certificate.n_features = all->n_features();
    if (std::isfinite(certificate.error.error)) content.certificate = certificate;
  }
  content.source = refitted ? std::move(*all) : std::move(*others);
  return Map(std::move(content));
}

}  // namespace askrff
