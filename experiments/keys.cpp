// Text of keys.
#include "experiments/keys.hpp"

#include <fmt/format.h>

#include "askrff/version.hpp"

namespace askrff::experiments {

std::string trial_key(const Plan& plan, std::string_view what, std::size_t trial) {
  const std::string rows = plan.sizes.most_rows == 0 ? "all rows" : fmt::format("at most {} rows", plan.sizes.most_rows);
  return fmt::format("askrff " ASKRFF_VERSION ", {}, seed {}, trial {}, {}", what, plan.seed, trial, rows);
}

std::string data_key(const PaperData& data) { return fmt::format("{} ({})", data.record.name, data.record.content_sha256.substr(0, 16)); }

}  // namespace askrff::experiments
