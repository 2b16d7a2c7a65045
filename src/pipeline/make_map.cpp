// From a kernel and a sample of rows to a map: which rows are fitted on, which measure the error, and which way the map is made.
#include "pipeline/make_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "askrff/choose.hpp"
#include "askrff/errors.hpp"
#include "askrff/pair_kernel.hpp"
#include "askrff/grid.hpp"
#include "askrff/operators.hpp"
#include "askrff/random.hpp"
#include "core/checks.hpp"
#include "pipeline/check.hpp"
#include "pipeline/rounding.hpp"
#include "sampling/grid_choice.hpp"

namespace askrff {
namespace {

// Rows the error is measured on: 160 000 pairs, some milliseconds; its interval is a few per cent of it.
constexpr std::size_t max_judging_rows = 400;
// No error is measured on fewer. They are a fifth of the rows, so 15 are needed where the fit looks at the others.
constexpr std::size_t min_judging_rows = 3;
// Where a fifth of the rows is fewer than can judge, each fifth judges a map made of the others.
// A fit of landmarks takes seconds where one of weights takes tenths: of fewer rows only.
constexpr std::size_t n_folds = 5, max_cross_fitted_rows = n_folds * max_judging_rows - 1, max_cross_fitted_landmark_rows = 499;
// No weights are calibrated on fewer.
constexpr std::size_t min_calibration_rows = 4;

Estimator resolved(const MapOptions& options) {
  if (options.estimator == Estimator::automatic) return options.tolerance ? Estimator::best : Estimator::fourier;
  return options.estimator;
}

/// For a kernel that has no frequencies, landmarks take their place wherever the choice was left to the library.
MapOptions for_general_kernel(const Kernel& kernel, MapOptions options) {
  const bool is_free = options.estimator == Estimator::automatic || options.estimator == Estimator::best;
  if (options.has_grid_tolerance() || (!is_free && options.estimator != Estimator::nystrom)) require_shift_invariant(kernel, "make_map");
  options.search = options.search || options.estimator == Estimator::best;
  options.estimator = Estimator::nystrom;
  return options;
}

bool is_searched(const MapOptions& options) {
  if (options.has_grid_tolerance()) return false;
  return options.tolerance.has_value() || options.search || resolved(options) == Estimator::best;
}

std::vector<double> extent_of(const ColumnRange& box) {
  std::vector<double> extent;
  for (std::size_t k = 0; k < box.lowest.size(); ++k) extent.push_back(box.highest[k] - box.lowest[k]);
  return extent;
}

/// Whether rows far from those of the fit are worth a warning: of landmarks, but not of a kernel of pairs, whose rows may be names of
/// things.
bool has_range(const FeatureSource& source) {
  const auto* const factors = std::get_if<NystromFactors>(&source);
  return factors && factors->kernel->shift_invariant();
}

bool is_on_grid(const FeatureSource& source) {
  const auto* const atoms = std::get_if<SpectralAtoms>(&source);
  return atoms && atoms->grid();
}

ApproximateOptions approximate_options(const MapOptions& options, const Kernel& kernel, const RowsView<double>& rows) {
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
  if (options.box) how.extent = extent_of(*options.box);
  if (how.estimator == Estimator::paper) {
    how.estimator = Estimator::jordan;
    how.sampler = Sampler::exact;
    how.weights = Weights::subset;
    how.n_subset = std::min(how.n_subset, rows.rows());
  }
  if (is_calibrated(how.weights) && rows.rows() < min_calibration_rows && kernel.measure(rows.cols(), options.execution))
    how.weights = Weights::exact;
  return how;
}

/// What means nothing to a map of this kind is refused, not left unread.
void check_drawn(const MapOptions& options, bool is_nystrom) {
  const MapOptions usual;
  if (options.time_limit)
    throw InvalidArgument("make_map", "a time limit is given, but no maps are tried: expected a tolerance or the estimator best with it");
  if (!is_nystrom && (options.n_landmarks != usual.n_landmarks || options.landmarks != usual.landmarks))
    throw InvalidArgument("make_map", "landmarks are asked for, which only Nyström maps have: expected the estimator nystrom with them");
}

/// Rows to fit on, and rows to measure the error on: different ones if the fit looks at them.
struct RowShares {
  RowsMatrix<double> fitted_storage;
  RowsView<double> fitting;
  RowsMatrix<double> judging;
};

/// n_needed: rows the fit cannot do without.
RowShares shared_rows(const RowsView<double>& rows, bool fit_looks, std::size_t n_needed, const MapOptions& options) {
  RowShares shares{{}, rows, {}};
  const std::size_t n = rows.rows(), n_spare = n - std::min(n, n_needed);
  const std::size_t n_judging = std::min(max_judging_rows, fit_looks ? std::min(n / n_folds, n_spare) : n);
  if (!options.certify || n_judging < min_judging_rows) return shares;
  if (!fit_looks) {
    shares.judging = RowsMatrix<double>::taken_from(rows, choose_rows(n, n_judging, options.seed, Purpose::held_out_rows));
    return shares;
  }
  RowSplit split = split_rows(rows, n_judging, options.seed, Purpose::held_out_rows);
  shares.judging = std::move(split.chosen);
  shares.fitted_storage = std::move(split.others);
  shares.fitting = shares.fitted_storage;
  return shares;
}

Map searched(NamedKernel kernel, const RowsView<double>& rows, Scaler scaler, const MapOptions& options, std::vector<Candidate>& tried) {
  const Estimator estimator = resolved(options);
  if (options.n_landmarks != MapOptions{}.n_landmarks || options.landmarks != MapOptions{}.landmarks)
    throw InvalidArgument("make_map",
                          "landmarks are asked for, but maps are tried, which choose their own: expected no tolerance and nystrom");
  if (!options.tolerance && estimator != Estimator::nystrom && options.n_features % 2 != 0)
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
  if (has_range(content.source) || is_on_grid(content.source)) content.range = ColumnRange::of(rows);
  content.reason = std::move(choice.reason);
  content.certificate = choice.certificate;
  content.seed = options.seed;
  return map_of_choice(std::move(content), std::move(choice.map));
}

/// Whether a fit on all rows is worth its time: those that were held out are more than a twentieth of them.
bool is_worth_a_refit(const RowShares& shares, std::size_t n_rows) { return 20 * shares.judging.rows() > n_rows; }

/// Empty where the relative error has no meaning.
std::optional<Certificate> certificate_of(const HeldOutError& error, bool refitted) {
  if (!std::isfinite(error.error)) return std::nullopt;
  return Certificate{.error = error, .refitted = refitted};
}

/// What a map is made of, the rows that had a part in it, and what is known of its error.
struct Fit {
  FeatureSource source;
  ColumnRange range;
  std::optional<Certificate> certificate;
};

using SourceMaker = std::function<FeatureSource(const RowsView<double>&)>;

/// A fit to all rows; its error is that of maps made of four fifths of them, on the others.
Fit cross_fitted(const Kernel& kernel, const RowsView<double>& rows, const SourceMaker& make, const MapOptions& options) {
  Fit fit{make(rows), ColumnRange::of(rows), {}};  // first: what is wrong with the options is said of these rows
  const auto map_of = [&](const RowsView<double>& some) { return FeatureMap(make(some)); };
  const std::size_t matrix_rows = std::min(default_matrix_rows, rows.rows());
  try {
    fit.certificate = certificate_of(cross_fitted_error(kernel, map_of, rows, n_folds, options.seed, options.execution, matrix_rows), true);
  } catch (const NumericalError&) {  // four fifths of the rows are not enough for a map: nothing is known of its error
  } catch (const InvalidArgument&) {
  }
  return fit;
}

/// A fit to all rows but those that measure its error; then once more to all, if those are many.
Fit held_out(const Kernel& kernel, const RowsView<double>& rows, const RowShares& shares, bool fit_looks, const SourceMaker& make,
             const MapOptions& options) {
  Fit fit{make(shares.fitting), ColumnRange::of(shares.fitting), {}};
  if (shares.judging.empty()) return fit;
  const bool refitted = fit_looks && is_worth_a_refit(shares, rows.rows());
  const std::size_t matrix_rows = std::min(default_matrix_rows, rows.rows());
  fit.certificate = certificate_of(
      held_out_error(kernel, FeatureMap(fit.source), shares.judging, options.execution, matrix_rows, shares.fitting), refitted);
  if (refitted) {
    fit.source = make(rows);
    fit.range = ColumnRange::of(rows);
  }
  return fit;
}

/// With as many as rows, or half as many, nothing would tell how far to trust landmarks of a kernel that is not positive definite.
std::size_t landmark_features(const Kernel& kernel, std::size_t n_rows, const MapOptions& options) {
  if (options.n_features != 0) return options.n_features;
  const std::size_t usual = 2 * options.n_frequencies;
  return kernel.symmetric() && kernel.positive_definite() ? usual : std::min(usual, std::max<std::size_t>(n_rows / 2, 1));
}

SourceMaker source_maker(const NamedKernel& kernel, const RowsView<double>& rows, const ApproximateOptions& how,
                         const MapOptions& options) {
  if (how.estimator == Estimator::nystrom)
    return [&](const RowsView<double>& some) -> FeatureSource {
      return nystrom(kernel.kernel, some,
                     {.n_features = landmark_features(*kernel.kernel, some.rows(), options),
                      .n_landmarks = options.n_landmarks,
                      .landmarks = options.landmarks,
                      .seed = options.seed,
                      .execution = options.execution});
    };
  return [&, n_rows = rows.rows()](const RowsView<double>& some) -> FeatureSource {
    ApproximateOptions now = how;
    if (some.rows() < n_rows) now.n_subset = std::min(now.n_subset, some.rows());
    return approximate(*kernel.kernel, some, now);
  };
}

Map drawn(NamedKernel kernel, const RowsView<double>& rows, Scaler scaler, const MapOptions& options) {
  const ApproximateOptions how = approximate_options(options, *kernel.kernel, rows);
  const bool is_nystrom = how.estimator == Estimator::nystrom;
  check_drawn(options, is_nystrom);
  const bool fit_looks = is_nystrom || how.weights != Weights::exact;
  const SourceMaker make = source_maker(kernel, rows, how, options);
  const std::size_t n = rows.rows();
  Fit fit = fit_looks && options.certify && n >= n_folds * min_judging_rows &&
                    n <= (is_nystrom ? max_cross_fitted_landmark_rows : max_cross_fitted_rows)
                ? cross_fitted(*kernel.kernel, rows, make, options)
                : held_out(*kernel.kernel, rows,
                           shared_rows(rows, fit_looks, !is_nystrom && how.weights == Weights::subset ? how.n_subset : 0, options),
                           fit_looks, make, options);
  MapContent content{.source = std::move(fit.source)};
  content.certificate = fit.certificate;
  if (has_range(content.source) || is_on_grid(content.source)) content.range = options.box && !is_nystrom ? *options.box : fit.range;
  if (!is_nystrom) content.reason = std::get<SpectralAtoms>(content.source).provenance().reason;
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

/// Frequencies on a grid for a tolerance of k.
Map on_grid(NamedKernel kernel, const RowsView<double>& rows, Scaler scaler, const MapOptions& options) {
  const Estimator estimator = options.estimator;
  if (estimator != Estimator::automatic && estimator != Estimator::fourier && estimator != Estimator::polar)
    throw InvalidArgument(
        "make_map",
        fmt::format("the estimator is {}, but a grid has one set of frequencies: expected auto, fourier or polar", name_of(estimator)));
  if (options.time_limit || options.max_frequencies != MapOptions{}.max_frequencies)
    throw InvalidArgument("make_map",
                          "a limit of time or frequencies is given, but a grid has as many as its tolerance takes: expected none");
  if (options.weights == Weights::subset || options.weights == Weights::unconstrained)
    throw InvalidArgument("make_map", fmt::format("the weights are {}, but a grid for a tolerance has those of the measure: expected exact",
                                                  name_of(options.weights)));
  check_drawn(options, false);
  MapContent content{.source = Columns{rows.cols()}};
  content.range = options.box ? *options.box : ColumnRange::of(rows);
  std::vector<double> extent = extent_of(*content.range);
  for (double& value : extent) value *= sampling::grid_reserve;
  kernel.kernel->find_measure(rows.cols(), options.execution);
  const ChosenGrid chosen = choose_grid(*kernel.kernel, extent, {.tolerance = *options.tolerance});
  content.reason = fmt::format("{} frequencies on a grid: k to {:.2g} of its largest value, of which {:.1g} lie beyond the last frequency",
                               chosen.grid.size(), chosen.truncation + chosen.aliasing, chosen.truncation);
  content.source = grid_atoms(*kernel.kernel->measure(rows.cols()), chosen.grid, options.execution.stop)
                       .with_provenance({"polar", std::string(name_of(Sampler::grid)), "exact", content.reason, std::nullopt});
  content.scaler = std::move(scaler);
  content.kernel = std::move(kernel);
  content.seed = options.seed;
  return Map(std::move(content));
}

}  // namespace

namespace pipeline {

std::size_t sample_size(std::size_t n_columns, bool sparse) {
  constexpr std::size_t max_rows = 20'000, max_numbers = std::size_t{1} << 26, min_rows = 500, most_of_sparse = 4096;
  const std::size_t of_row = std::clamp<std::size_t>(n_columns, 1, sparse ? most_of_sparse : std::max<std::size_t>(n_columns, 1));
  return std::min(max_rows, std::max(min_rows, max_numbers / of_row));
}

ColumnRange scaled_box(ColumnRange box, const Scaler& scaler) {
  for (std::size_t k = 0; k < box.lowest.size() && scaler.kind != Scaling::none; ++k) {
    box.lowest[k] = scaler.scaled(box.lowest[k], k);
    box.highest[k] = scaler.scaled(box.highest[k], k);
  }
  return {std::move(box.lowest), std::move(box.highest)};
}

Map make_map_of_scaled(const KernelChoice& kernel, const RowsView<double>& rows, Scaler scaler, const MapOptions& given,
                       std::vector<Candidate>& tried) {
  if (rows.rows() == 0) throw InvalidArgument("make_map", "no rows, expected at least one");
  if (kernel.name == linear_kernel) {
    if (given.tolerance) throw InvalidArgument("make_map", "a tolerance is given, but a linear map is exact: expected none");
    check_drawn(given, false);
    MapContent content{.source = Columns{rows.cols()}};
    content.scaler = std::move(scaler);
    content.seed = given.seed;
    return Map(std::move(content));
  }
  NamedKernel named = fitted_kernel(kernel, rows, given.seed, given.execution.stop);
  named.kernel->check_route(rows.cols(), given.execution);
  const MapOptions options = named.kernel->shift_invariant() ? given : for_general_kernel(*named.kernel, given);
  std::vector<std::size_t> squeezed = squeezed_columns(rows, scaler.kind);
  const Map map = options.has_grid_tolerance() ? on_grid(std::move(named), rows, std::move(scaler), options)
                  : is_searched(options)       ? searched(std::move(named), rows, std::move(scaler), options, tried)
                                               : drawn(std::move(named), rows, std::move(scaler), options);
  const bool adds_rounding = options.precision == Precision::float32 && map.content().certificate;
  if (squeezed.empty() && !adds_rounding) return map;
  return map.with([&](MapContent& content) {
    content.squeezed = std::move(squeezed);
    if (adds_rounding) add_rounding(content, map, rows, options);
  });
}

}  // namespace pipeline

Map make_map(const KernelChoice& kernel, const RowsView<double>& X, const MapOptions& options) {
  std::vector<Candidate> tried;
  return make_map(kernel, X, options, tried);
}

Map make_map(const KernelChoice& kernel, const RowsView<double>& X, const MapOptions& options, std::vector<Candidate>& tried) {
  if (X.empty())
    throw InvalidArgument("make_map", fmt::format("X is {} x {}, expected at least one row and one column", X.rows(), X.cols()));
  require_finite_rows(X, "make_map", "X", options.execution.stop);
  Scaler scaler = Scaler::fitted_to(X, options.scale, options.execution.stop);
  RowSampler sampler(pipeline::sample_size(X.cols(), X.is_sparse() && scaler.keeps_zeros()), options.seed);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    const auto place = sampler.next();
    if (!place) continue;
    if (*place == rows.size()) rows.push_back(i);
    rows[*place] = i;
  }
  if (rows.size() == X.rows() && options.scale == Scaling::none)
    return pipeline::make_map_of_scaled(kernel, X, std::move(scaler), options, tried);
  const RowsMatrix<double> sample = scaler.applied(RowsMatrix<double>::taken_from(X, rows));
  MapOptions how = options;
  if (options.sampler == Sampler::grid && !how.box) how.box = pipeline::scaled_box(ColumnRange::of(X), scaler);
  return pipeline::make_map_of_scaled(kernel, sample, std::move(scaler), how, tried);
}

}  // namespace askrff
