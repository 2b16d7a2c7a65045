// A matrix's factors as a map: which rows and columns judge, factors of the others, the error between them, and factors of all. The fewest
// features that reach a tolerance.
#include "askrff/matrix_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>

#include "askrff/dense.hpp"
#include "askrff/errors.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "choosing/candidates.hpp"
#include "landmarks/restricted_map.hpp"

namespace askrff {
namespace {

constexpr std::size_t share_judging = 5, least_judging = 3, enough_judging = 400;

/// Of many rows a fiftieth, so that rare ones, a graph's hubs, are among them.
std::size_t most_judging(std::size_t n) { return std::clamp<std::size_t>(n / 50, enough_judging, 1000); }

/// A fifth says little of rows that differ much if it is less than enough: then every fifth judges in turn.
std::size_t number_of_folds(const LinearMap& K) {
  return std::min(K.rows(), K.cols()) < share_judging * enough_judging ? share_judging : 1;
}

/// Numbers below n, increasing: those that judge, and the others.
struct PlaceShares {
  std::vector<std::size_t> judging, others;

  PlaceShares(std::size_t n, std::vector<std::size_t> judging_places) : judging(std::move(judging_places)) {
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

/// Of a square K the same places on both sides.
struct BothShares {
  PlaceShares rows, columns;

  landmarks::RestrictedMap others(const LinearMap& K) const { return {K, rows.others, columns.others}; }
  bool are_worth_a_refit() const { return rows.is_worth_a_refit() || columns.is_worth_a_refit(); }
};

std::vector<BothShares> both_shares(const LinearMap& K, std::uint64_t seed) {
  const std::size_t folds = number_of_folds(K);
  const auto rows = place_shares(K.rows(), folds, seed),
             columns = K.rows() == K.cols() ? rows : place_shares(K.cols(), folds, derive_seed(seed, 1));
  std::vector<BothShares> shares;
  for (std::size_t fold = 0; fold < folds; ++fold) shares.push_back({rows[fold], columns[fold]});
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

/// K between the places that judge, and the features that factors of the others give these; compared for all features, or the first of
/// them, which are the factors of lower rank.
class JudgedFactors {
 public:
  JudgedFactors(const LinearMap& K, const MatrixFactors& factors, const BothShares& shares, const Matrix<double>& exact,
                const Execution& execution)
      : exact_(exact),
        left_(left_of_rows(K, factors, shares.rows.judging, execution)),
        right_(left_of_rows(TurnedMap(K), turned(factors), shares.columns.judging, execution)) {}

  const Matrix<double>& exact() const { return exact_; }
  std::size_t n_features() const { return left_.cols(); }
  Matrix<double> approximate(std::size_t n_features, const Execution& execution) const {
    const auto first = [n = std::min(n_features, left_.cols())](const Matrix<double>& all) {
      return MatrixView<const double>(all.data(), all.rows(), n, all.cols());
    };
    Matrix<double> out(exact_.rows(), exact_.cols());
    product_of_rows(first(left_), first(right_), out.view(), execution);
    return out;
  }

 private:
  const Matrix<double>& exact_;
  Matrix<double> left_, right_;
};

/// Shares of K's places and K between those that judge, for factors of the others.
class Judges {
 public:
  Judges(const LinearMap& K, std::uint64_t seed, const Execution& execution) : K_(K), shares_(both_shares(K, seed)) {
    for (const BothShares& one : shares_) exact_.push_back(entries_between(K, one.rows.judging, one.columns.judging, execution));
  }
  const std::vector<BothShares>& shares() const { return shares_; }
  /// Factors of the others of every share in turn.
  std::vector<MatrixFactors> factors(const MatrixOptions& options) const {
    std::vector<MatrixFactors> all;
    for (const BothShares& one : shares_) all.push_back(of_whole(matrix_factors(one.others(K_), options), K_, one));
    return all;
  }
  std::vector<JudgedFactors> judge(const std::vector<MatrixFactors>& factors, const Execution& execution) const {
    std::vector<JudgedFactors> judged;
    for (std::size_t i = 0; i < factors.size(); ++i) judged.emplace_back(K_, factors[i], shares_[i], exact_[i], execution);
    return judged;
  }
  HeldOutError error(const std::vector<JudgedFactors>& judged, std::size_t n_features, const Execution& execution) const {
    std::vector<Matrix<double>> approximate;
    for (const JudgedFactors& one : judged) approximate.push_back(one.approximate(n_features, execution));
    std::vector<ComparedBlock> blocks;
    for (std::size_t i = 0; i < judged.size(); ++i) blocks.push_back({judged[i].exact(), approximate[i]});
    return block_error(blocks, K_.rows() == K_.cols(), std::min({default_matrix_rows, K_.rows(), K_.cols()}), execution);
  }

 private:
  const LinearMap& K_;
  std::vector<BothShares> shares_;
  std::vector<Matrix<double>> exact_;
};

std::size_t most_features(const std::vector<JudgedFactors>& judged) {
  std::size_t most = 0;
  for (const JudgedFactors& one : judged) most = std::max(most, one.n_features());
  return most;
}

/// Looks for the fewest features by places that compare.
class FewestFeatures {
 public:
  FewestFeatures(const LinearMap& K, double wanted, const MatrixOptions& options, const std::function<void(const Candidate&)>& on_candidate)
      : K_(K),
        wanted_(wanted),
        options_(options),
        on_candidate_(on_candidate),
        judges_(K, derive_seed(options.seed, 2), options.execution) {}

  /// Those found to keep within what is wanted, or, without a promise, the most that were tried.
  struct Found {
    std::size_t n_features = 0;
    bool promises = false;
  };
  Found find() {
    constexpr std::size_t first = 16;
    const BothShares& share = judges_.shares().front();
    std::size_t most = std::min({options_.n_features, share.rows.others.size(), share.columns.others.size()});
    if (options_.n_landmarks > 0) most = std::min(most, options_.n_landmarks);
    for (std::size_t n = std::min(first, most), failed = 0;; n = std::min(2 * n, most)) {
      start_ = std::chrono::steady_clock::now();
      MatrixOptions options = options_;
      options.n_features = n;
      const auto judged = judges_.judge(judges_.factors(options), options_.execution);
      const std::size_t n_made = most_features(judged);
      if (reaches(judged, n_made)) return {between(judged, std::min(failed, n_made - 1), n_made), true};
      if (n == most || n_made < n) return {n_made, false};
      failed = n;
    }
  }

 private:
  /// The fewest features that do, to three per cent, where `failed` of them do not and `enough` do.
  std::size_t between(const std::vector<JudgedFactors>& judged, std::size_t failed, std::size_t enough) {
    while (enough - failed > 1 + enough / 32) {
      start_ = std::chrono::steady_clock::now();
      const std::size_t middle = failed + (enough - failed) / 2;
      (reaches(judged, middle) ? enough : failed) = middle;
    }
    return enough;
  }
  bool reaches(const std::vector<JudgedFactors>& judged, std::size_t n_features) {
    Candidate tried;
    tried.estimator = "matrix";
    tried.n_features = n_features;
    tried.operations =
        2.0 * static_cast<double>(options_.n_landmarks > 0 ? options_.n_landmarks : K_.cols()) * static_cast<double>(n_features);
    tried.error = judges_.error(judged, n_features, options_.execution);
    tried.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (on_candidate_) on_candidate_(tried);
    return tried.error.upper <= wanted_;
  }

  const LinearMap& K_;
  double wanted_;
  const MatrixOptions& options_;
  const std::function<void(const Candidate&)>& on_candidate_;
  Judges judges_;
  std::chrono::steady_clock::time_point start_;
};

void check_choice(const LinearMap& K, double tolerance) {
  constexpr const char* who = "choose_matrix_map";
  if (!(tolerance > 0 && tolerance < 1))
    throw InvalidArgument(who, fmt::format("a tolerance of {}, expected a number in (0,1)", tolerance));
  if (std::min(K.rows(), K.cols()) < least_rows_to_choose_matrix_map)
    throw InvalidArgument(who, fmt::format("K is {} x {}, expected at least {} rows and columns to compare and certify on", K.rows(),
                                           K.cols(), least_rows_to_choose_matrix_map));
}

std::string reason_for(const Certificate& certificate, double tolerance, bool promises, std::size_t n_features) {
  const std::string error = fmt::format("the error is {:.3g}, up to {:.3g}", certificate.error.error, certificate.error.upper);
  if (certificate.reached) return fmt::format("the fewest features found that reach {:.3g}: {}", tolerance, error);
  if (promises)
    return fmt::format("{:.3g} is reached on the rows compared on, but the {} rows of the certificate cannot confirm it: {}", tolerance,
                       certificate.error.n_rows, error);
  return fmt::format("{:.3g} was not reached with up to {} features, the most that were allowed or K has: {}", tolerance, n_features,
                     error);
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
  const Judges judges(K, options.seed, options.execution);
  const bool refitted = judges.shares().size() > 1 || judges.shares().front().are_worth_a_refit();
  std::optional<MatrixFactors> all;
  if (refitted) all = matrix_factors(K, options);  // first: what is wrong with K or the options is said of all of it
  std::vector<MatrixFactors> others;
  try {
    others = judges.factors(options);
  } catch (const InvalidArgument&) {
    if (!all) all = matrix_factors(K, options);  // K is zero but for what judges: nothing is known of the error
  }
  if (!others.empty()) {
    const auto judged = judges.judge(others, options.execution);
    const Certificate certificate{.error = judges.error(judged, most_features(judged), options.execution),
                                  .n_features = refitted ? all->n_features() : others.front().n_features(),
                                  .refitted = refitted};
    if (std::isfinite(certificate.error.error)) content.certificate = certificate;
  }
  content.source = all ? std::move(*all) : std::move(others.front());
  return Map(std::move(content));
}

Map choose_matrix_map(const LinearMap& K, double tolerance, const MatrixOptions& options,
                      const std::function<void(const Candidate&)>& on_candidate) {
  check_choice(K, tolerance);
  const FewestFeatures::Found found = [&] {
    const auto certifying = both_shares(K, options.seed);
    const auto others = certifying.front().others(K);
    const LinearMap& compared = certifying.size() > 1 ? K : others;  // where all places certify, all are compared on too, in other folds
    try {
      return FewestFeatures(compared, choosing::comparison_margin * tolerance, options, on_candidate).find();
    } catch (const InvalidArgument&) {
      MatrixOptions least = options;
      least.n_features = 1;
      matrix_factors(K, least);  // what is wrong with K is said of all of it
      throw;
    }
  }();
  MatrixOptions taken = options;
  taken.n_features = found.n_features;
  const Map map = make_matrix_map(K, taken);
  if (!map.content().certificate)
    throw InvalidArgument("choose_matrix_map",
                          "K is zero, or next to it, between rows and columns held out: a relative error has no meaning");
  return map.with([&](MapContent& content) {
    content.certificate->reached = content.certificate->error.upper <= tolerance;
    content.reason = reason_for(*content.certificate, tolerance, found.promises, found.n_features);
  });
}

}  // namespace askrff
