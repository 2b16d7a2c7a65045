// fig1_ls_masses.json: one run of the paper's figure 1 (10 trials for each M), compared with the law of the library's own runs.
// The fitted masses of sinh- and cosh-gaussian are skewed with heavy tails and ten of them are few, so no normal law is assumed: the mean
// and the standard deviation of ten trials of the file are ranked among those of many groups of ten, resampled from the library's own
// trials.
#include "golden/golden.hpp"

#include "askrff/approximate.hpp"

namespace askrff::test {
namespace {

constexpr std::size_t n_golden_trials = 10, n_points = 10, n_groups = 50000;
// Trials of the library: 1000 where the law is widest (small M), 250 where a trial is expensive.
constexpr std::size_t n_library_trials(std::size_t n_frequencies) { return std::clamp<std::size_t>(64000 / n_frequencies, 250, 1000); }
// 5 fitted numbers (R- and I+ of shift and cosh, I+ of sinh; R+ follows from R-) × 10 M × 2 statistics = 100 two-sided comparisons, each
// with a nominal false-alarm rate of 1e-4: about 1e-2 in all.
constexpr double false_alarm_each = 1e-4;

struct Trials {
  std::vector<double> real_negative, imaginary_positive;
};

Trials run_trials(const Kernel& kernel, std::size_t n_frequencies, std::uint64_t seed) {
  Trials trials;
  for (std::size_t trial = 0; trial < n_library_trials(n_frequencies); ++trial) {
    Matrix<double> points(n_points, 1);
    const std::uint64_t trial_seed = derive_seed(seed, trial);
    for (std::size_t i = 0; i < n_points; ++i) points(i, 0) = RandomStream(trial_seed, Purpose::builtin_data, i).normal();
    const auto atoms = approximate(kernel, 1, {.n_frequencies = n_frequencies, .seed = trial_seed});
    const MassFit fit = fit_masses(kernel, atoms, points);
    EXPECT_NEAR(fit.real_positive - fit.real_negative, kernel.at_zero(1), 1e-12 * (1 + fit.real_positive));
    trials.real_negative.push_back(fit.real_negative);
    trials.imaginary_positive.push_back(fit.imaginary_positive);
  }
  return trials;
}

/// Two-sided Monte Carlo p-values of the mean and the standard deviation of ten trials.
void expect_plausible(double golden_mean, double golden_deviation, const std::vector<double>& trials, const std::string& what) {
  RandomStream random(31, Purpose::evaluation_rows, 0);
  std::array<std::size_t, 2> below{}, above{};
  double library_mean = 0;
  for (const double value : trials) library_mean += value / static_cast<double>(trials.size());
  for (std::size_t group = 0; group < n_groups; ++group) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < n_golden_trials; ++i) {
      const double value = trials[random.below(trials.size())] - library_mean;
      sum += value;
      squares += value * value;
    }
    const double mean = sum / n_golden_trials, deviation = std::sqrt(std::max(0.0, squares / n_golden_trials - mean * mean));
    const std::array differences{library_mean + mean - golden_mean, deviation - golden_deviation};
    for (std::size_t s = 0; s < 2; ++s) {
      below[s] += differences[s] <= 0;
      above[s] += differences[s] >= 0;
    }
  }
  for (std::size_t s = 0; s < 2; ++s) {
    const double p = 2.0 * static_cast<double>(1 + std::min(below[s], above[s])) / static_cast<double>(n_groups + 1);
    EXPECT_GT(p, false_alarm_each) << what << (s == 0 ? ": mean of ten " : ": standard deviation of ten ")
                                   << (s == 0 ? golden_mean : golden_deviation) << ", library's mean " << library_mean;
  }
}

class GoldenFigure1 : public testing::TestWithParam<const char*> {};

TEST_P(GoldenFigure1, MeansAndDeviationsAreOfOneLaw) {
  ASKRFF_NEED_SHARED("golden/fig1_ls_masses.json");
  const json file = golden("fig1_ls_masses.json");
  EXPECT_EQ(file.size(), 30u);
  const std::string name = GetParam();
  const auto kernel = make_kernel(name + "-gaussian");
  const double k0 = kernel->at_zero(1);
  for (std::size_t log2_M = 1; log2_M <= 10; ++log2_M) {
    const std::string key = name + "_" + std::to_string(log2_M);
    SCOPED_TRACE(key);
    const std::vector<double> means = vector_of(file.at(key).at(0)), deviations = vector_of(file.at(key).at(1));
    EXPECT_NEAR(means[0] - means[1], k0, 1e-13 * means[0]);  // of the file: ξ₁ - ξ₂ = k(0) in every trial
    EXPECT_NEAR(deviations[0], deviations[1], 1e-13 * means[0]);
    const Trials trials = run_trials(*kernel, std::size_t{1} << log2_M, 1000 + log2_M);
    if (name == "sinh") {
      EXPECT_EQ(means[1], 0.0);
      EXPECT_EQ(deviations[1], 0.0);
      for (const double mass : trials.real_negative) EXPECT_EQ(mass, 0.0);
    } else {
      expect_plausible(means[1], deviations[1], trials.real_negative, "real_negative");
    }
    expect_plausible(means[2], deviations[2], trials.imaginary_positive, "imaginary_positive");
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenFigure1, testing::Values("shift", "sinh", "cosh"),
                         [](const auto& kernel) { return std::string(kernel.param); });

}  // namespace
}  // namespace askrff::test
