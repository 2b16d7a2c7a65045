// The search: Nyström maps need few features and set a size to beat; Fourier maps grow until they are within twice of it or lose.
#include "askrff/choose.hpp"
#include "askrff/errors.hpp"
#include "askrff/pair_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "choosing/candidates.hpp"
#include "choosing/time_left.hpp"
#include "core/checks.hpp"

namespace askrff {
namespace {

using choosing::CandidateMaker;
using choosing::comparison_margin;
using choosing::confirmation_margin;
using choosing::MadeCandidate;
using choosing::max_nystrom_features;
using choosing::Variant;

constexpr std::size_t min_rows = 24, frequency_limit = std::size_t{1} << 20;

void check(const RowsView<double>& data, const ChooseOptions& options) {
  if (data.rows() < min_rows)
    throw InvalidArgument("choose_features",
                          fmt::format("{} rows, expected at least {}: candidates are compared and certified on rows they were not made of",
                                      data.rows(), min_rows));
  if (options.time_limit && !(*options.time_limit > 0))
    throw InvalidArgument("choose_features", fmt::format("the time limit is {} s, expected a number above 0", *options.time_limit));
  if (data.cols() == 0) throw InvalidArgument("choose_features", "the data has no columns");
  require_finite_rows(data, "choose_features", "the data", options.execution.stop);
  if (options.estimator != Estimator::best && options.estimator != Estimator::fourier && options.estimator != Estimator::nystrom)
    throw InvalidArgument("choose_features",
                          fmt::format("the estimator is {}, expected best, fourier or nystrom", name_of(options.estimator)));
  if (options.tolerance && !(*options.tolerance > 0 && *options.tolerance < 1))
    throw InvalidArgument("choose_features", fmt::format("the tolerance is {}, expected a number in (0, 1)", *options.tolerance));
  for (const std::size_t n : {options.n_frequencies, options.max_frequencies})
    if (n == 0 || n > frequency_limit)
      throw InvalidArgument("choose_features", fmt::format("{} frequencies, expected 1 to {}", n, frequency_limit));
}

/// With a tolerance: the most that so many rows can tell apart. More weights than that are fitted to rows one by one, and take minutes.
std::size_t frequencies_for(std::size_t n_rows) { return std::max<std::size_t>(128, n_rows); }

[[noreturn]] void refuse(const CandidateMaker& maker) {
  const auto& tried = maker.tried();
  throw InvalidArgument("choose_features", fmt::format("no map could be made{}", tried.empty() ? "" : ": " + tried.front().refused));
}

const MadeCandidate* better(const std::optional<MadeCandidate>& a, const std::optional<MadeCandidate>& b) {
  if (!a || !b) return a ? &*a : b ? &*b : nullptr;
  return b->record.error.error < a->record.error.error ? &*b : &*a;
}

// The variants that are worth more frequencies: the two best of a pilot.
std::vector<Variant> best_two(const std::vector<std::pair<double, Variant>>& by_error) {
  auto order = by_error;
  std::ranges::stable_sort(order, {}, &std::pair<double, Variant>::first);
  std::vector<Variant> best;
  for (std::size_t i = 0; i < std::min<std::size_t>(2, order.size()); ++i) best.push_back(order[i].second);
  return best;
}

/// Fourier maps of growing size; variants that lose early are not tried again.
class FourierSearch {
 public:
  explicit FourierSearch(CandidateMaker& maker) : maker_(maker), variants_(maker.fourier_variants()) {}

  /// The best map of n frequencies by the rows to compare on; empty if all variants were refused.
  std::optional<MadeCandidate> best_of(std::size_t n) {
    std::optional<MadeCandidate> best;
    std::vector<std::pair<double, Variant>> by_error;
    for (const Variant& variant : variants_) {
      auto trial = maker_.fourier(variant, n);
      if (!trial) continue;
      by_error.emplace_back(trial->record.error.error, variant);
      if (!best || trial->record.error.error < best->record.error.error) best = std::move(trial);
    }
    if (n >= pilot_size) variants_ = best_two(by_error);
    return best;
  }
  /// The same, after a pilot if n is large.
  std::optional<MadeCandidate> best_after_pilot(std::size_t n) {
    if (n > 4 * pilot_size) best_of(pilot_size);
    return best_of(n);
  }

 private:
  static constexpr std::size_t pilot_size = 256;
  CandidateMaker& maker_;
  std::vector<Variant> variants_;
};

// --- a number of frequencies is given ------------------------------------------------------------------------------------

MadeCandidate most_exact(CandidateMaker& maker, const ChooseOptions& options, std::string& reason) {
  std::optional<MadeCandidate> fourier, nystrom;
  if (options.estimator != Estimator::fourier) nystrom = maker.nystrom(std::min(2 * options.n_frequencies, max_nystrom_features));
  if (options.estimator != Estimator::nystrom) fourier = FourierSearch(maker).best_after_pilot(options.n_frequencies);
  const MadeCandidate* best = better(fourier, nystrom);
  if (!best) refuse(maker);
  if (fourier && nystrom)
    reason = fmt::format(
        "the error on rows held out is {:.3g} with {} Fourier features, {:.3g} with {} Nyström features, which take {:.2g} times the "
        "arithmetic per row",
        fourier->record.error.error, fourier->record.n_features, nystrom->record.error.error, nystrom->record.n_features,
        nystrom->record.operations / fourier->record.operations);
  else
    reason = "the most exact of the maps tried, by the error on rows held out";
  return *best;
}

// --- a tolerance is given --------------------------------------------------------------------------------------------------

bool reaches(const HeldOutError& error, double tolerance) { return error.upper <= tolerance; }
// On the rows to compare on, whose intervals are wide where they are few: what they promise is confirmed before it is believed.
bool promises(const MadeCandidate& trial, double wanted) { return trial.record.error.error <= wanted; }

// Maps of these sizes take a second or so.
constexpr std::size_t cheap_frequencies = 512, cheap_features = 128;

/// How the error falls with the size between two trials: error ∝ size^-rate.
double rate_between(std::size_t smaller, const MadeCandidate& with_smaller, std::size_t larger, const MadeCandidate& with_larger) {
  return std::log(with_smaller.record.error.error / with_larger.record.error.error) /
         std::log(static_cast<double>(larger) / static_cast<double>(smaller));
}

/// The size at which the error is as wanted if it goes on falling at that rate; infinite if it does not fall.
double size_to_reach(double wanted, std::size_t size, const MadeCandidate& with_size, double rate) {
  constexpr double min_rate = 0.05;
  if (!(rate > min_rate)) return HUGE_VAL;
  return static_cast<double>(size) * std::pow(with_size.record.error.error / wanted, 1 / rate);
}

/// The least size found with an error as wanted: doubled from `first` until it does, until the rate at which the error falls says that
/// it would take more than `most` (not below `cheap`: errors of smooth kernels fall slowly at first), or up to `most`; then looked for
/// between the last two sizes, first where that rate says it is. Without one, the most exact. `make(size)` gives a trial or nothing.
template <class Make>
std::optional<MadeCandidate> min_size(std::size_t first, std::size_t cheap, std::size_t most, double wanted, const Make& make) {
  constexpr double benefit_of_doubt = 4;  // rates are not steady: it takes two that say so, one after the other
  std::optional<MadeCandidate> best, failed, trial;
  std::size_t failed_size = 0, size = std::min(first, most);
  double rate = 0;
  int hopeless = 0;
  for (;;) {
    trial = make(size);
    if (!trial) return best;  // nothing can be made, nothing larger, or there is no time
    if (failed) rate = rate_between(failed_size, *failed, size, *trial);
    if (promises(*trial, wanted)) break;
    if (!best || trial->record.error.error < best->record.error.error) best = trial;
    const bool is_hopeless =
        failed && size > cheap && size_to_reach(wanted, size, *trial, rate) > benefit_of_doubt * static_cast<double>(most);
    hopeless = is_hopeless ? hopeless + 1 : 0;
    if (size == most || hopeless == 2) return best;
    failed = std::move(trial);
    failed_size = size;
    size = std::min(2 * size, most);
  }
  best = std::move(trial);
  for (int step = 0; step < 2 && failed && size - failed_size > std::max<std::size_t>(1, failed_size / 8); ++step) {
    const double guess = step == 0 ? 1.05 * size_to_reach(wanted, failed_size, *failed, rate)
                                   : std::sqrt(static_cast<double>(failed_size) * static_cast<double>(size));
    const auto middle = static_cast<std::size_t>(std::clamp(guess, static_cast<double>(failed_size + 1), static_cast<double>(size - 1)));
    trial = make(middle);
    if (trial && promises(*trial, wanted)) {
      best = std::move(trial);
      size = middle;
    } else {
      if (!trial) break;
      failed = std::move(trial);
      failed_size = middle;
    }
  }
  return best;
}

/// Fewer atoms, as long as the error on the rows to compare on stays as wanted.
MadeCandidate pruned(const CandidateMaker& maker, MadeCandidate trial, double wanted) {
  double low = 0, high = trial.atoms()->weight_sum();
  SpectralAtoms best = *trial.atoms();
  for (int step = 0; step < 12; ++step) {
    const double middle = step == 0 ? high * 1e-3 : 0.5 * (low + high);
    SpectralAtoms smaller = prune(*trial.atoms(), middle);
    if (maker.compare(FeatureMap(smaller)).error <= wanted) {
      low = middle;
      if (smaller.size() < best.size()) best = std::move(smaller);
    } else {
      high = middle;
    }
  }
  if (best.size() == trial.atoms()->size()) return trial;
  Candidate record = trial.record;
  record.n_frequencies = best.size();
  record.n_features = 2 * best.size();
  record.operations = maker.fourier_operations(best.size());
  return {std::move(record), std::move(best), trial.how};
}

/// Where neither reaches: the Nyström map, which is many times smaller, unless the Fourier map is clearly more exact.
const MadeCandidate* nearly_better(const std::optional<MadeCandidate>& fourier, const std::optional<MadeCandidate>& nystrom) {
  constexpr double clearly = 1.5;
  if (fourier && nystrom) return nystrom->record.error.error <= clearly * fourier->record.error.error ? &*nystrom : &*fourier;
  return better(fourier, nystrom);
}

struct Found {
  MadeCandidate trial;
  bool promises;  // the tolerance, by the rows to compare on
  std::optional<HeldOutError> confirmation = {};
};

/// Where a search begins.
struct FirstSizes {
  std::size_t n_frequencies = 32, n_features = 16;
};

/// The smallest map within `wanted` on the rows to compare on; the most exact one if there is none. A Nyström map takes several times the
/// arithmetic of a Fourier map of as many features: it has to get along with half of them. That also bounds what Fourier maps need to try.
Found smallest(CandidateMaker& maker, FourierSearch& search, const ChooseOptions& options, double wanted, const FirstSizes& first) {
  std::optional<MadeCandidate> fourier, nystrom;
  std::size_t max_frequencies = options.max_frequencies;
  if (options.estimator != Estimator::fourier)
    nystrom = min_size(first.n_features, cheap_features, std::min(2 * options.max_frequencies, max_nystrom_features), wanted,
                       [&](std::size_t n) { return maker.nystrom(n); });
  const bool nystrom_promises = nystrom && promises(*nystrom, wanted);
  if (nystrom_promises) max_frequencies = std::min(max_frequencies, nystrom->record.n_features);
  if (options.estimator != Estimator::nystrom)
    fourier = min_size(first.n_frequencies, cheap_frequencies, max_frequencies, wanted, [&](std::size_t n) { return search.best_of(n); });
  const bool fourier_promises = fourier && promises(*fourier, wanted);
  const MadeCandidate* best = fourier_promises ? &*fourier : nystrom_promises ? &*nystrom : nearly_better(fourier, nystrom);
  if (!best) refuse(maker);
  return {*best, fourier_promises || nystrom_promises};
}

/// Pruned as far as the rows to confirm on agree; not where these are all rows, which know the map before.
Found confirmed(const CandidateMaker& maker, Found found, const ChooseOptions& options, double wanted, double limit) {
  const SpectralAtoms* atoms = found.trial.atoms();
  if (options.prune && !maker.cross_fits() && found.promises && atoms && !atoms->structure()) {
    MadeCandidate fewer = pruned(maker, found.trial, wanted);
    if (fewer.atoms()->size() < atoms->size()) {
      const HeldOutError error = maker.confirm(fewer);
      if (reaches(error, limit)) return {std::move(fewer), true, error};
    }
  }
  found.confirmation = maker.confirm(found.trial);
  return found;
}

/// The search is repeated with a stricter tolerance, and larger maps, while the rows to confirm on are harder than those compared on.
Found smallest_confirmed(CandidateMaker& maker, const ChooseOptions& options) {
  constexpr int max_rounds = 6;
  double wanted = comparison_margin * *options.tolerance;
  const double limit = confirmation_margin * *options.tolerance;
  FourierSearch search(maker);
  FirstSizes first;
  for (int round = 1;; ++round) {
    Found found = confirmed(maker, smallest(maker, search, options, wanted, first), options, wanted, limit);
    if (reaches(*found.confirmation, limit) || !found.promises || round == max_rounds || maker.out_of_time()) return found;
    wanted *= 0.8;
    // Smaller maps of this kind have failed; of the other kind nothing is known.
    if (found.trial.atoms())
      first.n_frequencies = found.trial.record.n_frequencies;
    else
      first.n_features = found.trial.record.n_features;
  }
}

/// The largest maps that were made, in words.
std::string sizes_tried(const std::vector<Candidate>& tried) {
  std::size_t n_frequencies = 0, n_features = 0;
  for (const Candidate& candidate : tried) {
    if (!candidate.refused.empty()) continue;
    n_frequencies = std::max(n_frequencies, candidate.n_frequencies);
    if (candidate.n_frequencies == 0) n_features = std::max(n_features, candidate.n_features);
  }
  const std::string fourier = fmt::format("{} Fourier features", 2 * n_frequencies),
                    nystrom = fmt::format("{} Nyström features", n_features);
  return n_frequencies == 0 ? nystrom : n_features == 0 ? fourier : fourier + " and " + nystrom;
}

std::string reason_for(const Found& found, const Certificate& certificate, const CandidateMaker& maker, const ChooseOptions& options,
                       bool limited_by_rows) {
  const double tolerance = *options.tolerance;
  const std::string error = fmt::format("the error is {:.3g}, up to {:.3g}", certificate.error.error, certificate.error.upper);
  if (certificate.reached) return fmt::format("the smallest map found that reaches {:.3g}: {}", tolerance, error);
  if (found.promises && !maker.out_of_time())
    return fmt::format("{:.3g} is reached on the rows compared on, but the {} rows of the certificate cannot confirm it: {}; more rows may",
                       tolerance, certificate.error.n_rows, error);
  const std::string why = maker.out_of_time() ? "there was no time for more"
                                              : fmt::format("larger ones promised too little or exceed {} frequencies, the {}",
                                                            options.max_frequencies, limited_by_rows ? "most for this many rows" : "limit");
  return fmt::format("{:.3g} was not reached with up to {}, {}: {}", tolerance, sizes_tried(maker.tried()), why, error);
}

}  // namespace

Choice choose_features(std::shared_ptr<const Kernel> kernel, const RowsView<double>& data, const ChooseOptions& options) {
  if (!kernel) throw InvalidArgument("choose_features", "no kernel");
  check(data, options);
  ChooseOptions within = options;
  if (options.estimator == Estimator::fourier) require_shift_invariant(*kernel, "choose_features");
  if (!kernel->shift_invariant()) within.estimator = Estimator::nystrom;
  within.max_frequencies = std::min(options.max_frequencies, frequencies_for(data.rows()));
  CandidateMaker maker(std::move(kernel), data, within);
  std::string reason;
  Found found = options.tolerance ? smallest_confirmed(maker, within) : Found{most_exact(maker, within, reason), true};
  MadeCandidate& best = found.trial;
  // Rows that were held out for good are looked at here for the first time.
  Certificate certificate{.error = maker.cross_fits() && found.confirmation ? *found.confirmation : maker.certify(best)};
  if (!std::isfinite(certificate.error.error))
    throw InvalidArgument(
        "choose_features",
        fmt::format("{} is zero, or next to it, between the rows held out: a relative error has no meaning", maker.kernel().name()));
  certificate.reached = !options.tolerance || reaches(certificate.error, *options.tolerance);
  if (options.tolerance) reason = reason_for(found, certificate, maker, within, within.max_frequencies < options.max_frequencies);
  certificate.refitted = !maker.out_of_time();
  if (certificate.refitted) best = maker.refitted(best);
  certificate.n_frequencies = best.map.n_frequencies();
  certificate.n_features = best.map.n_features();
  if (const SpectralAtoms* atoms = best.atoms()) {
    Provenance provenance = atoms->provenance();
    provenance.reason = reason;
    best.source = atoms->with_provenance(std::move(provenance));
  }
  return {std::move(best.source), std::move(best.map), certificate, maker.tried(), std::move(reason)};
}

}  // namespace askrff
