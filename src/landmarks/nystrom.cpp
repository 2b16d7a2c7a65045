// nystrom(): pool, landmarks, core, factors.
#include "askrff/nystrom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <unordered_set>

#include "askrff/random.hpp"
#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "core/transpose.hpp"
#include "landmarks/choose.hpp"
#include "landmarks/factors.hpp"
#include "landmarks/kernel_block.hpp"

namespace askrff {
namespace {

constexpr std::size_t max_pool_rows = 8192;

void check(const std::shared_ptr<const Kernel>& kernel, MatrixView<const double> data, const NystromOptions& options) {
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
  require_finite<double>(data, "nystrom", "the data", options.execution.stop);
}

/// The same rows, those that repeat an earlier one last: landmarks, and the columns they are judged by, are taken from the beginning, and
/// repetitions among them would stand for nothing.
std::vector<std::size_t> distinct_first(MatrixView<const double> data, std::vector<std::size_t> rows) {
  std::unordered_set<std::string_view> seen;  // by their bytes
  std::ranges::stable_partition(rows, [&](std::size_t row) {
    return seen.emplace(reinterpret_cast<const char*>(data.row(row).data()), data.cols() * sizeof(double)).second;
  });
  return rows;
}

std::vector<std::size_t> choose(const Kernel& kernel, const Matrix<double>& pool, std::size_t count, const NystromOptions& options) {
  if (options.landmarks != Landmarks::uniform)
    return landmarks::choose_pivots(kernel, pool, count, options.landmarks, options.seed, options.execution);
  std::vector<std::size_t> first(count);
  std::iota(first.begin(), first.end(), std::size_t{0});
  return first;
}

/// More singular vectors than features, for the sample to choose from; but not the last ones of the core, which in an indefinite kernel can
/// be small where K is not.
std::size_t core_rank(std::size_t n_features, std::size_t n_landmarks) {
  return std::min(n_landmarks, std::max(n_features, std::min(2 * n_features + 32, 2 * n_landmarks / 3)));
}

}  // namespace

NystromFactors nystrom(std::shared_ptr<const Kernel> kernel, MatrixView<const double> data, const NystromOptions& options) {
  check(kernel, data, options);
  const std::size_t wanted =
      options.n_landmarks ? options.n_landmarks : std::min(max_landmarks, landmarks_per_feature * options.n_features);
  const std::size_t pool_rows = std::min(data.rows(), max_pool_rows), count = std::min(wanted, pool_rows);
  const auto row_of = distinct_first(data, choose_rows(data.rows(), pool_rows, options.seed, Purpose::landmark_rows));
  const Matrix<double> pool = take_rows(data, row_of);
  const auto chosen = choose(*kernel, pool, count, options);
  if (chosen.empty())
    throw InvalidArgument("nystrom", fmt::format("kernel {} is zero between all {} rows looked at", kernel->name(), pool_rows));

  NystromFactors result;
  result.kernel = std::move(kernel);
  result.landmarks = take_rows(pool, chosen);
  for (const std::size_t p : chosen) result.landmark_rows.push_back(row_of[p]);
  const std::size_t n_landmarks = chosen.size();
  Matrix<double> core(n_landmarks, n_landmarks);
  landmarks::kernel_block(*result.kernel, result.landmarks, result.landmarks, core.view(), options.execution);
  const auto svd = landmarks::truncated_svd(core, core_rank(options.n_features, n_landmarks), options.seed, options.execution);
  const double rounding = static_cast<double>(n_landmarks) * std::numeric_limits<double>::epsilon();
  const bool positive_definite = result.kernel->symmetric() && result.kernel->positive_definite();
  landmarks::Factors factors = landmarks::balanced_inverse(svd, std::max(options.cutoff, rounding) * svd.values.front(), positive_definite);
  if (factors.values.empty())
    throw InvalidArgument("nystrom", fmt::format("kernel {} is zero between all {} landmarks", result.kernel->name(), n_landmarks));
  result.core_singular_values = factors.values;
  if (factors.values.size() > options.n_features)
    factors = landmarks::best_on_sample(*result.kernel, result.landmarks, factors, pool, options.n_features, options.execution);
  result.left_factor = transposed<double>(factors.left);
  result.right_factor = transposed<double>(factors.right);
  result.singular_values = std::move(factors.values);
  return result;
}

}  // namespace askrff
