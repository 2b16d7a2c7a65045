// Shares of a matrix's places, features of those that judge, and their errors.
#include "pipeline/matrix_judges.hpp"

#include <cmath>
#include <optional>

#include "askrff/dense.hpp"
#include "askrff/random.hpp"

namespace askrff::pipeline {
namespace {

constexpr std::size_t share_judging = 5, enough_judging = 400;

/// Of many rows a fiftieth, so that rare ones, a graph's hubs, are among them.
std::size_t most_judging(std::size_t n) { return std::clamp<std::size_t>(n / 50, enough_judging, 1000); }

/// A fifth says little of rows that differ much if it is less than enough: then every fifth judges in turn.
std::size_t number_of_folds(const LinearMap& K) {
  return std::min(K.rows(), K.cols()) < share_judging * enough_judging ? share_judging : 1;
}

/// One for every fold; no place judges in two.
std::vector<PlaceShares> place_shares(std::size_t n, std::size_t folds, std::uint64_t seed) {
  const std::size_t n_judging = folds == 1 ? std::min(most_judging(n), n / share_judging) : std::min(folds * most_judging(n), n);
  const auto order = choose_rows(n, n_judging, seed, Purpose::held_out_rows);
  std::vector<PlaceShares> shares;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    std::vector<std::size_t> judging;
    for (std::size_t i = fold; i < n_judging; i += folds) judging.push_back(order[i]);
    shares.emplace_back(n, std::move(judging));
  }
  return shares;
}

/// What factors of some of K are in terms of all of it.
MatrixFactors of_whole(MatrixFactors factors, const LinearMap& K, const BothShares& shares) {
  for (std::size_t& place : factors.rows) place = shares.rows.others[place];
  for (std::size_t& place : factors.columns) place = shares.columns.others[place];
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

/// By what a ridge multiplies each feature of either side; `size`: the larger side of K.
std::vector<double> shrinkage(const std::vector<double>& singular_values, std::size_t size, double ridge) {
  const double largest = singular_values.empty() ? 1 : singular_values.front();  // squares of others may be no doubles
  double squares = 0;
  for (const double value : singular_values) squares += (value / largest) * (value / largest);
  std::vector<double> factors;
  for (const double value : singular_values) {
    const double square = (value / largest) * (value / largest);
    factors.push_back(square / (square + ridge * squares / static_cast<double>(size)));
  }
  return factors;
}

}  // namespace

PlaceShares::PlaceShares(std::size_t n, std::vector<std::size_t> judging_places) : judging(std::move(judging_places)) {
  std::ranges::sort(judging);
  for (std::size_t i = 0, next = 0; i < n; ++i) {
    if (next < judging.size() && judging[next] == i)
      ++next;
    else
      others.push_back(i);
  }
}

std::vector<BothShares> both_shares(const LinearMap& K, std::uint64_t seed) {
  const std::size_t folds = number_of_folds(K);
  const auto rows = place_shares(K.rows(), folds, seed),
             columns = K.rows() == K.cols() ? rows : place_shares(K.cols(), folds, derive_seed(seed, 1));
  std::vector<BothShares> shares;
  for (std::size_t fold = 0; fold < folds; ++fold) shares.push_back({rows[fold], columns[fold]});
  return shares;
}

MatrixFactors with_ridge(MatrixFactors factors, double ridge) {
  if (ridge == 0) return factors;
  const std::vector<double> shrunk = shrinkage(factors.singular_values, std::max(factors.n_rows, factors.n_columns), ridge);
  for (Matrix<double>* side : {&factors.left_factor, &factors.right_factor})
    for (std::size_t l = 0; l < side->rows(); ++l)
      for (std::size_t f = 0; f < side->cols(); ++f) (*side)(l, f) *= shrunk[f];
  for (std::size_t f = 0; f < shrunk.size(); ++f) factors.singular_values[f] *= shrunk[f] * shrunk[f];
  return factors;
}

JudgedFactors::JudgedFactors(const LinearMap& K, const MatrixFactors& factors, const BothShares& shares, const Matrix<double>& exact,
                             const Execution& execution)
    : exact_(exact),
      left_(left_of_rows(K, factors, shares.rows.judging, execution)),
      right_(left_of_rows(TurnedMap(K), turned(factors), shares.columns.judging, execution)),
      singular_values_(factors.singular_values),
      size_(std::max(shares.rows.others.size(), shares.columns.others.size())) {}

Matrix<double> JudgedFactors::approximate(std::size_t n_features, double ridge, const Execution& execution) const {
  const std::size_t n = std::min(n_features, left_.cols());
  const std::vector<double> shrunk = shrinkage(singular_values_, size_, ridge);
  const auto first = [&](const Matrix<double>& all) {
    Matrix<double> some(all.rows(), n);
    for (std::size_t i = 0; i < all.rows(); ++i)
      for (std::size_t f = 0; f < n; ++f) some(i, f) = all(i, f) * shrunk[f];
    return some;
  };
  Matrix<double> out(exact_.rows(), exact_.cols());
  product_of_rows(first(left_), first(right_), out.view(), execution);
  return out;
}

Judges::Judges(const LinearMap& K, std::uint64_t seed, const Execution& execution) : K_(K), shares_(both_shares(K, seed)) {
  for (const BothShares& one : shares_) exact_.push_back(entries_between(K, one.rows.judging, one.columns.judging, execution));
}

std::vector<MatrixFactors> Judges::factors(const MatrixOptions& options) const {
  std::vector<MatrixFactors> all;
  for (const BothShares& one : shares_) all.push_back(of_whole(matrix_factors(one.others(K_), options), K_, one));
  return all;
}

std::vector<JudgedFactors> Judges::judge(const std::vector<MatrixFactors>& factors, const Execution& execution) const {
  std::vector<JudgedFactors> judged;
  for (std::size_t i = 0; i < factors.size(); ++i) judged.emplace_back(K_, factors[i], shares_[i], exact_[i], execution);
  return judged;
}

HeldOutError Judges::error(const std::vector<JudgedFactors>& judged, std::size_t n_features, double ridge,
                           const Execution& execution) const {
  std::vector<Matrix<double>> approximate;
  for (const JudgedFactors& one : judged) approximate.push_back(one.approximate(n_features, ridge, execution));
  std::vector<ComparedBlock> blocks;
  for (std::size_t i = 0; i < judged.size(); ++i) blocks.push_back({judged[i].exact(), approximate[i]});
  return block_error(blocks, K_.rows() == K_.cols(), std::min({default_matrix_rows, K_.rows(), K_.cols()}), execution);
}

double Judges::best_ridge(const std::vector<JudgedFactors>& judged, const Execution& execution) const {
  constexpr double better = 0.95, much_better = 0.1, bad = 2;
  const auto error_with = [&](double ridge) { return error(judged, most_features(judged), ridge, execution).error; };
  double best = 0, least = HUGE_VAL;
  for (const double ridge : {1e-6, 1e-8, 1e-10, 1e-12, 0.0}) {
    const double found = error_with(ridge);
    if (!(found < (ridge == 0 ? much_better : better) * least)) continue;
    best = ridge;
    least = found;
  }
  double least_of_large = least / bad;
  for (const double ridge : {1e-5, 1e-4, 1e-3, 1e-2, 1e-1}) {
    const double found = error_with(ridge);
    if (!(found < least_of_large)) continue;
    best = ridge;
    least_of_large = found;
  }
  return best;
}

std::size_t most_features(const std::vector<JudgedFactors>& judged) {
  std::size_t most = 0;
  for (const JudgedFactors& one : judged) most = std::max(most, one.n_features());
  return most;
}

}  // namespace askrff::pipeline
