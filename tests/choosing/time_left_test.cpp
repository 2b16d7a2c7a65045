// The time a search is expected to take, by errors and seconds of what was tried.
#include "choosing/time_left.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

Candidate nystrom_of(std::size_t n_features, double error, double seconds) {
  Candidate candidate;
  candidate.n_features = n_features;
  candidate.error.error = error;
  candidate.seconds = seconds;
  return candidate;
}

Candidate fourier_of(std::size_t n_frequencies, double error, double seconds) {
  Candidate candidate = nystrom_of(2 * n_frequencies, error, seconds);
  candidate.n_frequencies = n_frequencies;
  return candidate;
}

TEST(TimeLeft, UntilAToleranceByTheRateAtWhichErrorsFall) {
  const ChooseOptions options{.tolerance = 0.01};
  EXPECT_FALSE(choosing::seconds_left({}, options, 0.01));
  std::vector<Candidate> tried{nystrom_of(16, 0.16, 1)};
  EXPECT_FALSE(choosing::seconds_left(tried, options, 0.01));
  tried.push_back(nystrom_of(32, 0.08, 2));  // halved when the size is doubled: 256 features
  EXPECT_NEAR(*choosing::seconds_left(tried, options, 0.01), 2.0 * (4 + 16 + 64) + 2.0 * 64, 1e-9);
  tried.push_back(nystrom_of(64, 0.009, 5));  // reached: one in between, one of all rows
  EXPECT_NEAR(*choosing::seconds_left(tried, options, 0.01), 10, 1e-12);
  tried.push_back(fourier_of(32, 0.1, 1));  // another kind
  EXPECT_FALSE(choosing::seconds_left(tried, options, 0.01));
  tried.push_back(fourier_of(64, 0.1, 1));  // it does not fall
  EXPECT_FALSE(choosing::seconds_left(tried, options, 0.01));
}

TEST(TimeLeft, NoMoreThanTheLargestSizeTakes) {
  const ChooseOptions options{.tolerance = 1e-9, .max_frequencies = 64};
  const std::vector<Candidate> tried{fourier_of(16, 0.2, 1), fourier_of(32, 0.1, 1)};
  EXPECT_NEAR(*choosing::seconds_left(tried, options, 1e-9), 4 + 4, 1e-9);
}

TEST(TimeLeft, OfAGivenSizeAfterAPilot) {
  const std::vector<Candidate> tried{fourier_of(256, 0.1, 1), fourier_of(256, 0.1, 3)};  // 2 s each
  EXPECT_NEAR(*choosing::seconds_left(tried, {.n_frequencies = 1024}, 0), 3 * 2.0 * 16, 1e-9);
}

TEST(TimeLeft, IsWithinTheTimeLimit) {
  Matrix<double> data = random_matrix(600, 3, 1);
  double most = 0;
  std::size_t n_told = 0;
  const auto look = [&](const Candidate& candidate) {
    if (!candidate.seconds_left) return;
    most = std::max(most, *candidate.seconds_left);
    ++n_told;
  };
  choose_features(shift_gaussian(), data, {.tolerance = 0.05, .time_limit = 1000, .on_candidate = look});
  EXPECT_GT(n_told, 0u);
  EXPECT_LE(most, 1000);
}

}  // namespace
}  // namespace askrff::test
