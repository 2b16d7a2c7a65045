// A matrix's factors as a map, with the error that judges find. The fewest features that reach a tolerance.
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
#include "pipeline/matrix_judges.hpp"

namespace askrff {
namespace {

using pipeline::JudgedFactors;
using pipeline::Judges;

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
    const pipeline::BothShares& share = judges_.shares().front();
    std::size_t most = std::min({options_.n_features, share.rows.others.size(), share.columns.others.size()});
    if (options_.n_landmarks > 0) most = std::min(most, options_.n_landmarks);
    for (std::size_t n = std::min(first, most), failed = 0;; n = std::min(2 * n, most)) {
      start_ = std::chrono::steady_clock::now();
      MatrixOptions options = options_;
      options.n_features = n;
      const auto judged = judges_.judge(judges_.factors(options), options_.execution);
      const std::size_t n_made = pipeline::most_features(judged);
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
    tried.error = judges_.error(judged, n_features, 0, options_.execution);
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

std::string reason_for(const Certificate& certificate, double tolerance, bool promises, const MatrixOptions& taken) {
  const std::string error = fmt::format("the error is {:.3g}, up to {:.3g}", certificate.error.error, certificate.error.upper);
  if (certificate.reached) return fmt::format("the fewest features found that reach {:.3g}: {}", tolerance, error);
  if (promises)
    return fmt::format("{:.3g} is reached on the rows compared on, but the {} rows of the certificate cannot confirm it: {}", tolerance,
                       certificate.error.n_rows, error);
  const std::string limit = taken.n_landmarks > 0 ? fmt::format("that were allowed, or that {} landmarks tell apart", taken.n_landmarks)
                                                  : "that were allowed or K has";
  return fmt::format("{:.3g} was not reached with up to {} features, the most {}: {}", tolerance, taken.n_features, limit, error);
}

}  // namespace

Map make_matrix_map(const LinearMap& K, const MatrixOptions& options, bool certify) {
  MapContent content{.source = Columns{}};
  content.seed = options.seed;
  const bool is_large = std::min(K.rows(), K.cols()) >= pipeline::least_to_judge;
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
  MatrixFactors factors = all ? std::move(*all) : others.front();
  if (!others.empty()) {
    const auto judged = judges.judge(others, options.execution);
    const double ridge = factors.is_one_sided() ? 0 : judges.best_ridge(judged, options.execution);
    factors = pipeline::with_ridge(std::move(factors), ridge);
    const Certificate certificate{.error = judges.error(judged, pipeline::most_features(judged), ridge, options.execution),
                                  .n_features = factors.n_features(),
                                  .refitted = refitted};
    if (std::isfinite(certificate.error.error)) content.certificate = certificate;
  }
  content.source = std::move(factors);
  return Map(std::move(content));
}

Map choose_matrix_map(const LinearMap& K, double tolerance, const MatrixOptions& options,
                      const std::function<void(const Candidate&)>& on_candidate) {
  check_choice(K, tolerance);
  const FewestFeatures::Found found = [&] {
    const auto certifying = pipeline::both_shares(K, options.seed);
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
    content.reason = reason_for(*content.certificate, tolerance, found.promises, taken);
  });
}

}  // namespace askrff
