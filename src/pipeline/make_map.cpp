// From a kernel and a sample of rows to a map: which rows are fitted on, which measure the error, and which way the map is made.
#include "pipeline/make_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/choose.hpp"
#include "askrff/errors.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "pipeline/check.hpp"

namespace askrff {
namespace {

// Rows the error is measured on: 160 000 pairs, some milliseconds; its interval is a few per cent of it.
constexpr std::size_t max_judging_rows = 400;
// No error is measured on fewer. They are a fifth of the rows, so 15 are needed where the fit looks at the others.
constexpr std::size_t min_judging_rows = 3;
// No weights are calibrated on fewer.
constexpr std::size_t min_calibration_rows = 4;

Estimator resolved(const MapOptions& options) {
  if (options.estimator == Estimator::automatic) return options.tolerance ? Estimator::best : Estimator::fourier;
  return options.estimator;
}

bool is_searched(const MapOptions& options) {
  return options.tolerance.has_value() || options.search || resolved(options) == Estimator::best;
}

ApproximateOptions approximate_options(const MapOptions& options, const Kernel& kernel, MatrixView<const double> rows) {
  ApproximateOptions how{.n_frequencies = options.n_frequencies,
                         .n_features = options.n_features,
                         .estimator = resolved(options),
                         .sampler = options.sampler,
                         .weights = options.weights,
                         .allocation = options.allocation,
                         .n_subset = options.n_subset,
                         .n_pairs = options.n_pairs,
                         .pin_origin = options.pin_origin,
                         .seed = options.seed,
                         .min_acceptance = options.min_acceptance,
                         .drop_tolerance = options.drop_tolerance,
                         .execution = options.execution};
  if (how.estimator == Estimator::paper) {
    how.estimator = Estimator::jordan;
    how.sampler = Sampler::exact;
    how.weights = Weights::subset;
    how.n_subset = std::min(how.n_subset, rows.rows());
  }
  if (is_calibrated(how.weights) && rows.rows() < min_calibration_rows && kernel.measure(rows.cols())) how.weights = Weights::exact;
  return how;
}

/// Rows to fit on, and rows to measure the error on: different ones if the fit looks at them.
struct RowShares {
  Matrix<double> fitted_storage;
  MatrixView<const double> fitting;
  Matrix<double> judging;
};

/// n_needed: rows the fit cannot do without.
RowShares shared_rows(MatrixView<const double> rows, bool fit_looks, std::size_t n_needed, const MapOptions& options) {
  RowShares shares{{}, rows, {}};
  const std::size_t n = rows.rows(), n_spare = n - std::min(n, n_needed);
  const std::size_t n_judging = std::min(max_judging_rows, fit_looks ? std::min(n / 5, n_spare) : n);
  if (!options.certify || n_judging < min_judging_rows) return shares;
  if (!fit_looks) {
    shares.judging = take_rows(rows, choose_rows(n, n_judging, options.seed, Purpose::held_out_rows));
    return shares;
  }
  RowSplit split = split_rows(rows, n_judging, options.seed, Purpose::held_out_rows);
  shares.judging = std::move(split.chosen);
  shares.fitted_storage = std::move(split.others);
  shares.fitting = shares.fitted_storage;
  return shares;
}

Map searched(NamedKernel kernel, MatrixView<const double> rows, Scaler scaler, const MapOptions& options, std::vector<Candidate>& tried) {
  const Estimator estimator = resolved(options);
  if (options.n_landmarks != MapOptions{}.n_landmarks || options.landmarks != MapOptions{}.landmarks)
    throw InvalidArgument("make_map",
                          "landmarks are asked for, but maps are tried, which choose their own: expected no tolerance and nystrom");
  if (!options.tolerance && options.n_features % 2 != 0)
    throw InvalidArgument("make_map", fmt::format("n_features is {}, expected an even number: Fourier maps of as many are tried too, which "
                                                  "have a cosine and a sine for every frequency",
                                                  options.n_features));
  if (estimator != Estimator::best && estimator != Estimator::fourier && estimator != Estimator::nystrom)
    throw InvalidArgument("make_map", fmt::format("the estimator is {}, but a tolerance finds it: expected auto, best, fourier or nystrom",
                                                  name_of(estimator)));
  Choice choice = choose_features(kernel.kernel, rows,
                                  {.tolerance = options.tolerance,
                                   .n_frequencies = options.n_features != 0 ? options.n_features / 2 : options.n_frequencies,
                                   .max_frequencies = options.max_frequencies,
                                   .time_limit = options.time_limit,
                                   .estimator = estimator,
                                   .prune = options.prune,
                                   .seed = options.seed,
                                   .execution = options.execution,
                                   .on_candidate = options.on_candidate});
  tried = std::move(choice.tried);
  MapContent content{.source = std::move(choice.source)};
  content.scaler = std::move(scaler);
  content.kernel = std::move(kernel);
  if (std::holds_alternative<NystromFactors>(content.source)) content.range = ColumnRange::of(rows);
  content.reason = std::move(choice.reason);
  content.certificate = choice.certificate;
  content.seed = options.seed;
  return map_of_choice(std::move(content), std::move(choice.map));
}

/// Whether a fit on all rows is worth its time: those that were held out are more than a twentieth of them.
bool is_worth_a_refit(const RowShares& shares, std::size_t n_rows) { return 20 * shares.judging.rows() > n_rows; }

/// The map's error on the rows held out, if it has one.
std::optional<Certificate> certified(const Kernel& kernel, const FeatureSource& source, const RowShares& shares, std::size_t n_rows,
                                     const Execution& execution) {
  const FeatureMap map(source);
  const HeldOutError error = held_out_error(kernel, map, shares.judging, execution, std::min(default_matrix_rows, n_rows), shares.fitting);
  if (!std::isfinite(error.error)) return std::nullopt;
  return Certificate{.error = error};
}

Map drawn(NamedKernel kernel, MatrixView<const double> rows, Scaler scaler, const MapOptions& options) {
  const bool is_nystrom = resolved(options) == Estimator::nystrom;
  const ApproximateOptions how = approximate_options(options, *kernel.kernel, rows);
  const std::size_t n_needed = !is_nystrom && how.weights == Weights::subset ? how.n_subset : 0;
  const bool fit_looks = is_nystrom || how.weights != Weights::exact;
  const RowShares shares = shared_rows(rows, fit_looks, n_needed, options);
  const auto source_of = [&](MatrixView<const double> some) -> FeatureSource {
    if (!is_nystrom) return approximate(*kernel.kernel, some, how);
    return nystrom(kernel.kernel, some,
                   {.n_features = options.n_features != 0 ? options.n_features : 2 * options.n_frequencies,
                    .n_landmarks = options.n_landmarks,
                    .landmarks = options.landmarks,
                    .seed = options.seed,
                    .execution = options.execution});
  };
  MapContent content{.source = source_of(shares.fitting)};
  MatrixView<const double> fitted = shares.fitting;
  if (!shares.judging.empty()) {
    content.certificate = certified(*kernel.kernel, content.source, shares, rows.rows(), options.execution);
    if (fit_looks && is_worth_a_refit(shares, rows.rows())) {
      content.source = source_of(rows);
      fitted = rows;
      if (content.certificate) content.certificate->refitted = true;
    }
  }
  if (is_nystrom)
    content.range = ColumnRange::of(fitted);
  else
    content.reason = std::get<SpectralAtoms>(content.source).provenance().reason;
  content.scaler = std::move(scaler);
  content.kernel = std::move(kernel);
  content.seed = options.seed;
  FeatureMap packed(content.source);
  if (content.certificate) {
    content.certificate->n_frequencies = packed.n_frequencies();
    content.certificate->n_features = packed.n_features();
  }
  return map_of_choice(std::move(content), std::move(packed));
}

}  // namespace

namespace pipeline {

std::size_t sample_size(std::size_t n_columns) {
  constexpr std::size_t max_rows = 20'000, max_numbers = std::size_t{1} << 26, min_rows = 500;
  return std::min(max_rows, std::max(min_rows, max_numbers / std::max<std::size_t>(n_columns, 1)));
}

Map make_map_of_scaled(const KernelChoice& kernel, MatrixView<const double> rows, Scaler scaler, const MapOptions& options,
                       std::vector<Candidate>& tried) {
  if (rows.rows() == 0) throw InvalidArgument("make_map", "no rows, expected at least one");
  if (kernel.name == linear_kernel) {
    MapContent content{.source = Columns{rows.cols()}};
    content.scaler = std::move(scaler);
    content.seed = options.seed;
    return Map(std::move(content));
  }
  NamedKernel named = fitted_kernel(kernel, rows, options.seed, options.execution.stop);
  return is_searched(options) ? searched(std::move(named), rows, std::move(scaler), options, tried)
                              : drawn(std::move(named), rows, std::move(scaler), options);
}

}  // namespace pipeline

Map make_map(const KernelChoice& kernel, MatrixView<const double> X, const MapOptions& options) {
  std::vector<Candidate> tried;
  return make_map(kernel, X, options, tried);
}

Map make_map(const KernelChoice& kernel, MatrixView<const double> X, const MapOptions& options, std::vector<Candidate>& tried) {
  if (X.empty())
    throw InvalidArgument("make_map", fmt::format("X is {} x {}, expected at least one row and one column", X.rows(), X.cols()));
  require_finite(X, "make_map", "X", options.execution.stop);
  Scaler scaler = Scaler::fitted_to(X, options.scale, options.execution.stop);
  RowSampler sampler(pipeline::sample_size(X.cols()), options.seed);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const auto place = sampler.next();
    if (!place) continue;
    if (*place == rows.size()) rows.push_back(i);
    rows[*place] = i;
  }
  const bool as_it_is = rows.size() == X.rows() && options.scale == Scaling::none;
  Matrix<double> sample = as_it_is ? Matrix<double>() : take_rows(X, rows);
  scaler.apply(sample.view());
  return pipeline::make_map_of_scaled(kernel, as_it_is ? X : sample, std::move(scaler), options, tried);
}

Map make_map(const KernelChoice& kernel, RowStream& rows, const MapOptions& options) {
  const std::size_t dim = rows.n_columns();
  ScalerFit fit(dim, options.scale);
  RowSampler sampler(pipeline::sample_size(dim), options.seed);
  std::vector<double> values;
  if (rows.can_rewind()) rows.rewind();
  for (RowBlock block; rows.next(block);) {
    options.execution.stop.check();
    fit.add(block.X);
    for (std::size_t i = 0; i < block.X.rows(); ++i) {
      const auto place = sampler.next();
      if (!place) continue;
      if (*place * dim == values.size()) values.resize(values.size() + dim);
      std::ranges::copy(block.X.row(i), values.begin() + static_cast<std::ptrdiff_t>(*place * dim));
    }
  }
  if (values.empty()) throw DataError(rows.name(), "no rows, expected at least one");
  Scaler scaler = fit.finish();
  Matrix<double> sample(values.size() / dim, dim, values);
  values = {};
  scaler.apply(sample.view());
  std::vector<Candidate> tried;
  const Map map = pipeline::make_map_of_scaled(kernel, sample, std::move(scaler), options, tried);
  if (rows.column_names().empty()) return map;
  return map.with([&](MapContent& content) { content.column_names = rows.column_names(); });
}

}  // namespace askrff
