// Seeds, keys and kernels of a plan.
#include "experiments/plan.hpp"

#include <fmt/format.h>

#include "askrff/random.hpp"

namespace askrff::experiments {

std::uint64_t Plan::seed_of(std::size_t trial) const { return derive_seed(seed, trial); }

std::string trial_key(const Plan& plan, std::string_view what, std::size_t trial) {
  const std::string rows = plan.sizes.max_rows == 0 ? "all rows" : fmt::format("at most {} rows", plan.sizes.max_rows);
  return fmt::format("numbers {}, {}, seed {}, trial {}, {}", numbers_revision, what, plan.seed, trial, rows);
}

std::string data_key(const PaperData& data) { return fmt::format("{} ({})", data.record.name, data.record.content_sha256.substr(0, 16)); }

const std::vector<std::string>& paper_kernels() {
  static const std::vector<std::string> names{"shift-gaussian", "sinh-gaussian", "cosh-gaussian"};
  return names;
}

}  // namespace askrff::experiments
