// Seeds and kernels of a plan.
#include "experiments/plan.hpp"

#include "askrff/random.hpp"

namespace askrff::experiments {

std::uint64_t Plan::seed_of(std::size_t trial) const { return derive_seed(seed, trial); }

const std::vector<std::string>& paper_kernels() {
  static const std::vector<std::string> names{"shift-gaussian", "sinh-gaussian", "cosh-gaussian"};
  return names;
}

}  // namespace askrff::experiments
