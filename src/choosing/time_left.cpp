// Time grows with the square of the size: that of the fits lies between size and its cube.
#include "choosing/time_left.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace askrff::choosing {
namespace {

/// All maps of one size.
struct Size {
  double size = 0, error = 0, seconds = 0;  // the least error, the sum of seconds
  std::size_t n_maps = 0;
};

bool is_nystrom(const Candidate& candidate) { return candidate.n_frequencies == 0; }
double size_of(const Candidate& candidate) {
  return static_cast<double>(is_nystrom(candidate) ? candidate.n_features : candidate.n_frequencies);
}

/// Sizes of the kind tried last, the smallest first. Variants of one size may differ by some frequencies.
std::vector<Size> sizes_of_last_kind(std::span<const Candidate> tried) {
  std::vector<const Candidate*> made;
  for (const Candidate& candidate : tried)
    if (candidate.refused.empty() && is_nystrom(candidate) == is_nystrom(tried.back())) made.push_back(&candidate);
  std::ranges::stable_sort(made, {}, [](const Candidate* candidate) { return size_of(*candidate); });
  constexpr double same = 1.05;
  std::vector<Size> sizes;
  for (const Candidate* candidate : made) {
    if (sizes.empty() || size_of(*candidate) > same * sizes.back().size) sizes.push_back({size_of(*candidate), HUGE_VAL});
    Size& last = sizes.back();
    last.error = std::min(last.error, candidate->error.error);
    last.seconds += candidate->seconds;
    ++last.n_maps;
  }
  return sizes;
}

double seconds_of(const Size& known, double size) { return known.seconds * std::pow(size / known.size, 2); }

/// The winner is made once more, of all rows.
double refit_seconds(const Size& known, double size) { return seconds_of(known, size) / static_cast<double>(known.n_maps); }

std::optional<double> until_tolerance(const std::vector<Size>& sizes, double most, double wanted) {
  if (sizes.size() < 2) return std::nullopt;
  const auto found = std::ranges::find_if(sizes, [&](const Size& size) { return size.error <= wanted; });
  if (found != sizes.end()) return seconds_of(*found, found->size) + refit_seconds(*found, found->size);  // one more, in between
  const Size &before = sizes[sizes.size() - 2], &last = sizes.back();
  const double rate = std::log(before.error / last.error) / std::log(last.size / before.size);
  constexpr double min_rate = 0.05;
  if (!(rate > min_rate)) return std::nullopt;
  const double target = std::min(most, last.size * std::pow(last.error / wanted, 1 / rate));
  double size = last.size, seconds = 0;
  while (size < target) {
    size = std::min(2 * size, most);
    seconds += seconds_of(last, size);
  }
  return seconds + refit_seconds(last, target);
}

}  // namespace

std::optional<double> seconds_left(std::span<const Candidate> tried, const ChooseOptions& options, double wanted) {
  if (tried.empty()) return std::nullopt;
  const std::vector<Size> sizes = sizes_of_last_kind(tried);
  if (sizes.empty()) return std::nullopt;
  const double most =
      static_cast<double>(is_nystrom(tried.back()) ? std::min(2 * options.max_frequencies, max_nystrom_features) : options.max_frequencies);
  if (options.tolerance) return until_tolerance(sizes, most, wanted);
  if (is_nystrom(tried.back())) return refit_seconds(sizes.back(), sizes.back().size);
  constexpr double n_after_pilot = 2;
  const double asked = static_cast<double>(options.n_frequencies), each = refit_seconds(sizes.back(), asked);
  return sizes.back().size < 0.5 * asked ? (n_after_pilot + 1) * each : 2 * each;
}

}  // namespace askrff::choosing
