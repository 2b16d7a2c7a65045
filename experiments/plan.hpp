// What is to be run: artefacts, data, kernels, trials, the sizes of everything; and the keys of trials in the journal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/execution.hpp"
#include "experiments/datasets/paper_data.hpp"

namespace askrff::experiments {

/// Sizes of the paper's experiments, and of ours beside them.
struct Sizes {
  std::size_t evaluation_rows = 1000;    ///< figure 2: rows whose kernel matrix is compared
  std::size_t subset_rows = 50;          ///< Algorithm 2: N_s
  std::size_t figure1_subset_rows = 10;  ///< N_s in figure 1
  std::size_t figure1_points = 2000;     ///< normal numbers the subset is drawn from
  std::size_t bias_trials = 2000;        ///< figure 1: trials that tell bias from luck
  std::size_t largest_power = 10;        ///< figures 1 and 2: M = d·2^1 … d·2^largest_power
  std::size_t max_calibrated = 1024;     ///< figure 2: frequencies up to which weights are fitted, which takes their cube
  std::size_t max_nystrom = 256;         ///< figure 2: features up to which Nyström is run, beside the smallest size
  std::size_t nystrom_rows = 2048;       ///< figure 2: training rows landmarks are chosen from
  std::size_t table_multiple = 2;        ///< table 1: M = so many times d
  int smallest_exponent = -2;            ///< figure 3: M = d·2^smallest … d·2^largest
  int largest_exponent = 3;
  std::size_t max_rows = 0;  ///< of training and test rows each; 0: all
  static Sizes quick() { return {150, 50, 10, 2000, 100, 4, 128, 64, 400, 1, -2, 0, 400}; }
};

struct Plan {
  std::vector<PaperData> datasets;
  std::vector<std::string> kernels;  ///< of paper_kernels()
  std::size_t n_trials = 10;
  std::uint64_t seed = 0;
  bool quick = false;
  Sizes sizes;
  Execution execution;

  std::uint64_t seed_of(std::size_t trial) const;
};

/// Raised whenever the same trial gives other numbers ("numbers change: yes" in CHANGELOG.md): it is in every key, so that trials of
/// another revision are not found in a journal and are run anew. tests/experiments/reproduce_test.cpp notices most such changes.
inline constexpr unsigned numbers_revision = 2;

/// "numbers 1, WHAT, seed 0, trial 3, all rows". Whatever else changes a trial's value must be in `what`.
std::string trial_key(const Plan& plan, std::string_view what, std::size_t trial);

/// "letter (0123456789abcdef)": the name and the beginning of the content's checksum.
std::string data_key(const PaperData& data);

/// "shift-gaussian", "sinh-gaussian", "cosh-gaussian", with the library's defaults, which are the paper's parameters.
const std::vector<std::string>& paper_kernels();

}  // namespace askrff::experiments
