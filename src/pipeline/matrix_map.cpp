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

/// Factors that places which judge had no part in, compared with K between these: for all of their features, or the first of them, which
/// are the factors of lower rank.
class JudgedFactors {
 public:
  JudgedFactors(const LinearMap& K, const MatrixFactors& factors, const PlaceShares& rows, const PlaceShares& columns,
                const Matrix<double>& exact, const Execution& execution)
      : exact_(exact),
        left_(left_of_rows(K, factors, rows.judging, execution)),
        right_(left_of_rows(TurnedMap(K), turned(factors), columns.judging, execution)),
        same_things_(K.rows() == K.cols()),
        matrix_rows_(std::min({default_matrix_rows, K.rows(), K.cols()})) {}

  HeldOutError error(std::size_t n_features, const Execution& execution) const {
    const auto first = [n_features](const Matrix<double>& all) {
      return MatrixView<const double>(all.data(), all.rows(), n_features, all.cols());
    };
    Matrix<double> approximate(exact_.rows(), exact_.cols());
    product_of_rows(first(left_), first(right_), approximate.view(), execution);
    return block_error(exact_, approximate, same_things_, matrix_rows_);
  }

 private:
  const Matrix<double>& exact_;
  Matrix<double> left_, right_;
  bool same_things_;
  std::size_t matrix_rows_;
};

/// Of a square K the same places on both sides.
struct BothShares {
  PlaceShares rows, columns;

  BothShares(const LinearMap& K, std::uint64_t seed)
      : rows(K.rows(), seed), columns(K.rows() == K.cols() ? rows : PlaceShares(K.cols(), derive_seed(seed, 1))) {}
  landmarks::RestrictedMap others(const LinearMap& K) const { return {K, rows.others, columns.others}; }
};

/// Looks for the fewest features by places that compare.
class FewestFeatures {
 public:
  FewestFeatures(const LinearMap& K, double wanted, const MatrixOptions& options, const std::function<void(const Candidate&)>& on_candidate)
      : K_(K),
        wanted_(wanted),
        options_(options),
        on_candidate_(on_candidate),
        shares_(K, derive_seed(options.seed, 2)),
        others_(shares_.others(K)),
        exact_(entries_between(K, shares_.rows.judging, shares_.columns.judging, options.execution)) {}

  /// Those found to keep within what is wanted, or, without a promise, the most that were tried.
  struct Found {
    std::size_t n_features = 0;
    bool promises = false;
  };
  Found find() {
    constexpr std::size_t first = 16;
    std::size_t most = std::min({options_.n_features, others_.rows(), others_.cols()});
    if (options_.n_landmarks > 0) most = std::min(most, options_.n_landmarks);
    for (std::size_t n = std::min(first, most), failed = 0;; n = std::min(2 * n, most)) {
      start_ = std::chrono::steady_clock::now();
      MatrixOptions options = options_;
      options.n_features = n;
      const MatrixFactors factors = of_whole(matrix_factors(others_, options), K_, shares_.rows, shares_.columns);
      const JudgedFactors judged(K_, factors, shares_.rows, shares_.columns, exact_, options_.execution);
      if (reaches(judged, factors.n_features()))
        return {between(judged, std::min(failed, factors.n_features() - 1), factors.n_features()), true};
      if (n == most || factors.n_features() < n) return {factors.n_features(), false};
      failed = n;
    }
  }

 private:
  /// The fewest features that do, to three per cent, where `failed` of them do not and `enough` do.
  std::size_t between(const JudgedFactors& judged, std::size_t failed, std::size_t enough) {
    while (enough - failed > 1 + enough / 32) {
      start_ = std::chrono::steady_clock::now();
      const std::size_t middle = failed + (enough - failed) / 2;
      (reaches(judged, middle) ? enough : failed) = middle;
    }
    return enough;
  }
  bool reaches(const JudgedFactors& judged, std::size_t n_features) {
    Candidate tried;
    tried.estimator = "matrix";
    tried.n_features = n_features;
    tried.operations =
        2.0 * static_cast<double>(options_.n_landmarks > 0 ? options_.n_landmarks : K_.cols()) * static_cast<double>(n_features);
    tried.error = judged.error(n_features, options_.execution);
    tried.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (on_candidate_) on_candidate_(tried);
    return tried.error.upper <= wanted_;
  }

  const LinearMap& K_;
  double wanted_;
  const MatrixOptions& options_;
  const std::function<void(const Candidate&)>& on_candidate_;
  BothShares shares_;
  landmarks::RestrictedMap others_;
  Matrix<double> exact_;
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
  const BothShares shares(K, options.seed);
  const bool refitted = shares.rows.is_worth_a_refit() || shares.columns.is_worth_a_refit();
  std::optional<MatrixFactors> all;
  if (refitted) all = matrix_factors(K, options);  // first: what is wrong with K or the options is said of all of it
  std::optional<MatrixFactors> others;
  try {
    others = of_whole(matrix_factors(shares.others(K), options), K, shares.rows, shares.columns);
  } catch (const InvalidArgument&) {
    if (!refitted) throw;  // K is zero but for what judges: nothing is known of the error
  }
  if (others) {
    const Matrix<double> exact = entries_between(K, shares.rows.judging, shares.columns.judging, options.execution);
    const JudgedFactors judged(K, *others, shares.rows, shares.columns, exact, options.execution);
    const Certificate certificate{.error = judged.error(others->n_features(), options.execution),
                                  .n_features = refitted ? all->n_features() : others->n_features(),
                                  .refitted = refitted};
    if (std::isfinite(certificate.error.error)) content.certificate = certificate;
  }
  content.source = refitted ? std::move(*all) : std::move(*others);
  return Map(std::move(content));
}

Map choose_matrix_map(const LinearMap& K, double tolerance, const MatrixOptions& options,
                      const std::function<void(const Candidate&)>& on_candidate) {
  check_choice(K, tolerance);
  const auto compared = BothShares(K, options.seed).others(K);  // all but those that certify
  const FewestFeatures::Found found = [&] {
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
