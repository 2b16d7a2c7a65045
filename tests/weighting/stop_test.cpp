// Calibrations that are stopped in the middle, by either way of solving.
#include <gtest/gtest.h>

#include "askrff/approximate.hpp"
#include "askrff/kernels.hpp"
#include "support/random_inputs.hpp"
#include "support/stopping.hpp"

namespace askrff::test {
namespace {

TEST(Stop, CalibrationByNormalEquations) {
  const auto kernel = shift_gaussian({.sigma = 0.3});
  const Matrix<double> X = uniform_matrix(20000, 16, 1);
  const SpectralAtoms atoms = approximate(*kernel, 16, {.n_frequencies = 4000, .estimator = Estimator::polar});
  for (const int milliseconds : {300, 2500})
    expect_stops([&](const Execution& execution) { calibrate(*kernel, atoms, X, {.execution = execution}); },
                 std::chrono::milliseconds(milliseconds));
}

TEST(Stop, CalibrationByConjugateGradients) {
  const auto kernel = shift_gaussian({.sigma = 0.3});
  const Matrix<double> X = uniform_matrix(20000, 64, 1);
  const SpectralAtoms atoms = approximate(*kernel, 64, {.n_frequencies = 12000, .estimator = Estimator::polar});
  for (const int milliseconds : {300, 1500})
    expect_stops([&](const Execution& execution) { calibrate(*kernel, atoms, X, {.execution = execution}); },
                 std::chrono::milliseconds(milliseconds));
}

TEST(Stop, KernelsThatOneThreadMayCallAreCalledByOne) {
  class Own : public Kernel {
   public:
    std::string name() const override { return "own"; }
    bool thread_safe() const override { return false; }
    void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
      EXPECT_EQ(std::this_thread::get_id(), owner_);
      for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::exp(-differences(i, 0) * differences(i, 0));
    }

   private:
    std::thread::id owner_ = std::this_thread::get_id();
  };
  approximate(Own(), uniform_matrix(3000, 2, 1), {.n_frequencies = 64, .weights = Weights::calibrated, .execution = {.n_threads = 4}});
}

}  // namespace
}  // namespace askrff::test
