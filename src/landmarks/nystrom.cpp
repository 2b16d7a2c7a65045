// nystrom(): pool, landmarks, factors.
#include "askrff/nystrom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_set>

#include "askrff/random.hpp"
#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "core/transpose.hpp"
#include "landmarks/choose.hpp"
#include "landmarks/core.hpp"
#include "landmarks/ridge.hpp"

namespace askrff {
namespace {

constexpr std::size_t max_pool_rows = 8192;

void check(const std::shared_ptr<const Kernel>& kernel, const RowsView<double>& data, const NystromOptions& options) {
  if (!kernel) throw InvalidArgument("nystrom", "no kernel");
  if (data.rows() == 0) throw InvalidArgument("nystrom", "the data has no rows, expected at least 1");
  if (data.cols() == 0) throw InvalidArgument("nystrom", "the data has no columns, expected at least 1");
  if (options.n_features == 0) throw InvalidArgument("nystrom", "n_features is 0, expected at least 1");
  if (options.n_features > max_landmarks || options.n_landmarks > max_landmarks)
    throw InvalidArgument("nystrom",
                          fmt::format("{} features from {} landmarks, expected at most {} of each: memory and time grow with the "
                                      "square and cube of the landmarks",
                                      options.n_features, options.n_landmarks, max_landmarks));
  if (options.n_landmarks != 0 && options.n_landmarks < options.n_features)
    throw InvalidArgument("nystrom", fmt::format("{} landmarks for {} features, expected at least as many landmarks as features",
                                                 options.n_landmarks, options.n_features));
  if (!(options.cutoff >= 0 && options.cutoff < 1))
    throw InvalidArgument("nystrom", fmt::format("a cutoff of {}, expected at least 0 and below 1", options.cutoff));
  require_finite_rows(data, "nystrom", "the data", options.execution.stop);
}

/// The same rows, those that repeat an earlier one last: landmarks, and the columns they are judged by, are taken from the beginning, and
/// repetitions among them would stand for nothing.
std::vector<std::size_t> distinct_first(const RowsView<double>& data, std::vector<std::size_t> rows) {
  const auto bytes_of = [](const auto& numbers) {
    return std::string_view(reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes());
  };
  const auto values = [&](std::size_t row) { return bytes_of(data.is_sparse() ? data.sparse().values_of(row) : data.dense().row(row)); };
  const auto columns = [&](std::size_t row) { return data.is_sparse() ? bytes_of(data.sparse().columns_of(row)) : std::string_view(); };
  const std::hash<std::string_view> hash_of;
  const auto hash = [&](std::size_t row) { return hash_of(values(row)) ^ (31 * hash_of(columns(row))); };
  const auto same = [&](std::size_t a, std::size_t b) { return values(a) == values(b) && columns(a) == columns(b); };
  std::unordered_set<std::size_t, decltype(hash), decltype(same)> seen(2 * rows.size(), hash, same);
  std::stable_partition(rows.begin(), rows.end(), [&](std::size_t row) { return seen.insert(row).second; });
  return rows;
}

/// Rows drawn uniformly are the first of the pool, but in the order that pivoting gives them, and without those that add nothing.
std::vector<std::size_t> choose(const Kernel& kernel, const RowsView<double>& pool, std::size_t count, const NystromOptions& options) {
  const bool uniform = options.landmarks == Landmarks::uniform;
  return landmarks::choose_pivots(kernel, uniform ? pool.middle_rows(0, count) : pool, count,
                                  uniform ? Landmarks::greedy : options.landmarks, options.cutoff, options.seed, options.execution);
}

/// Of a kernel that is not positive definite, if that is left to us, no more than half of the rows, or as many as features up to three
/// fourths: the others tell how far to trust landmarks.
std::size_t n_wanted(const Kernel& kernel, std::size_t pool_rows, const NystromOptions& options) {
  if (options.n_landmarks != 0) return std::min(options.n_landmarks, pool_rows);
  const std::size_t usual = std::min(default_landmarks(options.n_features), pool_rows);
  if (kernel.symmetric() && kernel.positive_definite()) return usual;
  const std::size_t half = std::max<std::size_t>(1, pool_rows / 2);
  const std::size_t n_judging = std::max(pool_rows / 4, std::min(landmarks::fewest_judging_rows, half));
  return std::min(usual, std::max(half, std::min(options.n_features, pool_rows - n_judging)));
}

/// Rows of the pool among which landmarks are looked for: all, or 3 for every landmark where these are many. With so few for small maps
/// errors are up to a fifth larger; choosing is a tenth of their time.
std::size_t n_candidates(std::size_t n_landmarks, std::size_t pool_rows) {
  constexpr std::size_t many_landmarks = 1024;
  return n_landmarks <= many_landmarks ? pool_rows : std::min(pool_rows, 3 * n_landmarks);
}

/// Rows of the pool that the features are to suit, beside the landmarks: others, at even distances, so that repetitions, which are at the
/// end of the pool, count as often as they occur. With all of 8192 rows errors are up to a tenth smaller, for three times as long.
std::vector<std::size_t> sample_rows(const std::vector<std::size_t>& chosen, std::size_t pool_rows) {
  constexpr std::size_t enough = 4096;
  std::vector<bool> is_chosen(pool_rows);
  for (const std::size_t p : chosen) is_chosen[p] = true;
  std::vector<std::size_t> others;
  for (std::size_t p = 0; p < pool_rows; ++p)
    if (!is_chosen[p]) others.push_back(p);
  const std::size_t count = std::min(others.size(), std::max(enough, 5 * chosen.size() / 2));
  std::vector<std::size_t> sample(count);
  for (std::size_t i = 0; i < count; ++i) sample[i] = others[i * others.size() / count];
  return sample;
}

}  // namespace

NystromFactors nystrom(std::shared_ptr<const Kernel> kernel, const RowsView<double>& data, const NystromOptions& options) {
  check(kernel, data, options);
  const std::size_t pool_rows = std::min(data.rows(), max_pool_rows), count = n_wanted(*kernel, pool_rows, options);
  const auto row_of = distinct_first(data, choose_rows(data.rows(), pool_rows, options.seed, Purpose::landmark_rows));
  const RowsMatrix<double> owned_pool = RowsMatrix<double>::taken_from(data, row_of);
  const RowsView<double> pool = owned_pool;
  const auto chosen = choose(*kernel, pool.middle_rows(0, n_candidates(count, pool_rows)), count, options);
  if (chosen.empty())
    throw InvalidArgument("nystrom", fmt::format("kernel {} is zero between all {} rows looked at", kernel->name(), pool_rows));

  NystromFactors result;
  result.kernel = std::move(kernel);
  result.landmarks = RowsMatrix<double>::taken_from(pool, chosen);
  for (const std::size_t p : chosen) result.landmark_rows.push_back(row_of[p]);
  landmarks::Factors factors =
      landmarks::best_on_sample(*result.kernel, result.landmarks, RowsMatrix<double>::taken_from(pool, sample_rows(chosen, pool_rows)),
                                options.n_features, options.cutoff, options.seed, options.execution);
  if (factors.values.empty())
    throw InvalidArgument("nystrom", fmt::format("kernel {} is zero between all {} rows looked at", result.kernel->name(), pool_rows));
  result.left_factor = transposed<double>(factors.left);
  result.right_factor = transposed<double>(factors.right);
  result.singular_values = std::move(factors.values);
  return result;
}

}  // namespace askrff
