// Grids for a tolerance, and for a number of frequencies: their bounds hold, by direct sums over the atoms.
#include <gtest/gtest.h>

#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/grid.hpp"
#include "askrff/random.hpp"
#include "askrff/sampling.hpp"

namespace askrff {
namespace {

/// The largest |k̂ - k| on differences of the extent, its corners among them.
double largest_difference(const Kernel& kernel, const SpectralAtoms& atoms, std::span<const double> extent) {
  double largest = 0;
  std::vector<double> delta(extent.size());
  for (std::size_t i = 0; i < 60; ++i) {
    RandomStream random(3, Purpose::landmark_pivots, i);
    for (std::size_t k = 0; k < delta.size(); ++k)
      delta[k] = i < 8 ? ((i >> k & 1) ? extent[k] : -extent[k]) : extent[k] * (2 * random.uniform() - 1);
    largest = std::max(largest, std::fabs(atoms(delta) - kernel(delta)));
  }
  return largest;
}

TEST(GridChoice, BoundsHold) {
  for (const char* name : {"gaussian", "matern-5/2", "cauchy", "difference-of-gaussians", "shift-gaussian", "sinh-gaussian",
                           "cosh-gaussian", "shifted:matern-5/2"})
    for (std::size_t dim = 1; dim <= 2; ++dim)
      for (const double tolerance : {1e-1, 1e-3, 1e-4}) {
        const auto kernel = make_kernel(name, {{"sigma", 0.5}});
        const std::vector<double> extent = dim == 1 ? std::vector<double>{1.0} : std::vector<double>{1.0, 0.3};
        ChosenGrid chosen;
        try {
          chosen = choose_grid(*kernel, extent, {.tolerance = tolerance, .max_bytes = std::size_t{8} << 20});
        } catch (const InvalidArgument& refused) {
          EXPECT_NE(std::string(refused.what()).find("GB"), std::string::npos) << refused.what();
          continue;
        }
        EXPECT_LE(chosen.truncation + chosen.aliasing, 0.6 * tolerance * (1 + 1e-9));
        const SpectralAtoms atoms = grid_atoms(*kernel->measure(dim), chosen.grid);
        EXPECT_LE(largest_difference(*kernel, atoms, extent), (chosen.truncation + chosen.aliasing) * chosen.largest + 1e-12)
            << name << " in " << dim << " dimensions, tolerance " << tolerance;
      }
}

/// Whether a grid was made, which then keeps the tolerance; else the reason says what it would take.
bool is_made_and_holds(const Kernel& kernel, std::size_t dim, double tolerance) {
  SCOPED_TRACE(kernel.name() + " in " + std::to_string(dim) + " dimensions, tolerance " + std::to_string(tolerance));
  const std::vector<double> extent(dim, 1.0);
  ChosenGrid chosen;
  try {
    chosen = choose_grid(kernel, extent, {.tolerance = tolerance, .max_bytes = std::size_t{16} << 20});
  } catch (const InvalidArgument& refused) {
    const std::string reason = refused.what();
    EXPECT_TRUE(reason.find("GB") != std::string::npos || reason.find("does not fall") != std::string::npos) << reason;
    return false;
  }
  const SpectralAtoms atoms = grid_atoms(*kernel.measure(dim), chosen.grid);
  EXPECT_LE(largest_difference(kernel, atoms, extent), tolerance * chosen.largest);
  return true;
}

// Whose copies go on for long, or whose sum is infinite: the tolerance holds, or is refused.
TEST(GridChoice, KernelsThatFallSlowlyKeepTheToleranceOrAreRefused) {
  for (const char* name : {"expr: (1+r^2)^-0.3", "expr: 1/(1+r^2)", "expr: (1+x^2)^-0.3", "gaussian + 1e-3*gaussian(sigma=1e4)",
                           "gaussian + 1e-5*gaussian(sigma=1e6)", "rational-quadratic(alpha=0.4)", "rational-quadratic(alpha=0.7)",
                           "generalised-cauchy(decay=1)"}) {
    const auto kernel = make_kernel(name);
    for (const std::size_t dim : {1u, 2u})
      for (const double tolerance : {0.3, 0.1, 0.01}) is_made_and_holds(*kernel, dim, tolerance);
  }
  is_made_and_holds(*make_kernel("expr: 1/(1+r^2)"), 3, 0.1);
}

TEST(GridChoice, FoundMeasuresOfKernelsThatFallFastAreTaken) {
  for (const char* name : {"expr: exp(-r^2)", "expr: exp(-(x+0.3)^2)", "expr: (1+2*r)*exp(-2*r)", "expr: 1/(1+r^2)^3"}) {
    const auto kernel = make_kernel(name);
    for (const double tolerance : {0.1, 1e-3, 1e-5}) EXPECT_TRUE(is_made_and_holds(*kernel, 1, tolerance));
    for (const double tolerance : {0.1, 1e-3}) EXPECT_TRUE(is_made_and_holds(*kernel, 2, tolerance));
  }
}

TEST(GridChoice, ExtentsAreThoseOfAllRowsHoweverTheyLie) {
  const auto of_column = [](std::size_t k) { return 2.0 + static_cast<double>(k); };
  for (const std::size_t cols : {1, 2, 3, 4})
    for (const std::size_t stride : {cols, cols + 1})
      for (const std::size_t rows : {1, 2, 5, 6, 7, 12, 13, 20})
        for (std::size_t farthest = 0; farthest < rows; ++farthest) {
          std::vector<double> values(rows * stride, 100.0);  // between rows, which is not looked at
          for (std::size_t i = 0; i < rows; ++i)
            for (std::size_t k = 0; k < cols; ++k) values[i * stride + k] = i == farthest ? of_column(k) : 0.5;
          const MatrixView<const double> X(values.data(), rows, cols, stride);
          const Matrix<double> origin(1, cols);
          const std::vector<double> extent = extent_of(X, origin.view()), back = extent_of(origin.view(), X);
          for (std::size_t k = 0; k < cols; ++k) {
            EXPECT_EQ(extent[k], of_column(k)) << rows << " rows of " << cols;
            EXPECT_EQ(back[k], of_column(k)) << rows << " rows of " << cols;
          }
        }
}

TEST(GridChoice, TheLargestValueIsFoundWhereANarrowKernelIsZeroInItsMiddle) {
  for (const double sigma : {0.1, 0.01, 0.001})
    for (const double moved : {0.0, 0.3}) {
      const auto kernel =
          make_kernel("shifted:difference-of-gaussians", {{"sigma", sigma}, {"sigma2", 2 * sigma}, {"weight", 1.0}, {"shift", moved}});
      for (const std::vector<double>& extent : {std::vector<double>{1.0}, std::vector<double>{1.0, 0.7}})
        EXPECT_NEAR(choose_grid(*kernel, extent, {.tolerance = 1e-3}).largest, 0.4725, 0.05) << sigma << ", moved by " << moved;
    }
}

TEST(GridChoice, ALineTakesMoreMemoryThanItsCells) {
  const auto kernel = laplacian({.sigma = 0.5});
  const std::vector<double> extent{1.0};
  const double cells = 4 * static_cast<double>(choose_grid(*kernel, extent, {.tolerance = 1e-3}).grid.half[0]);
  const auto with_bytes = [&](double bytes) {
    return choose_grid(*kernel, extent, {.tolerance = 1e-3, .max_bytes = static_cast<std::size_t>(bytes * cells)});
  };
  EXPECT_NO_THROW(with_bytes(64));
  EXPECT_THROW(with_bytes(56), InvalidArgument);
}

TEST(GridChoice, TheSamplerTakesAsManyFrequenciesAsItMay) {
  const auto kernel = shift_gaussian({.sigma = 0.3, .shift = 0.1});
  double before = INFINITY;
  for (const std::size_t n : {60, 200, 800, 3000}) {
    const std::vector<double> extent{1.0, 1.0};
    const SpectralAtoms atoms = draw_polar_atoms(*kernel->measure(2), n, {.sampler = Sampler::grid, .extent = extent});
    EXPECT_LE(atoms.size(), n);
    ASSERT_TRUE(atoms.grid());
    const double error = largest_difference(*kernel, atoms, extent);
    EXPECT_LE(error, atoms.grid()->tolerance);
    EXPECT_LT(error, std::max(before, 1e-13));  // rounding
    before = error;
  }
  EXPECT_THROW(draw_polar_atoms(*kernel->measure(2), 3, {.sampler = Sampler::grid}), InvalidArgument);
  EXPECT_THROW(draw_polar_atoms(*kernel->measure(4), 1000, {.sampler = Sampler::grid}), InvalidArgument);
}

TEST(GridChoice, FrequenciesAreOneOfEveryPairAndBeginWithZero) {
  const FrequencyGrid grid{{0.5, 2.0}, {1, 2}, {1.0, 1.0}};
  EXPECT_EQ(grid.size(), 8u);
  const Matrix<double> omega = grid.frequencies();
  EXPECT_EQ(omega(0, 0), 0.0);
  EXPECT_EQ(omega(0, 1), 0.0);
  EXPECT_EQ(omega(1, 1), 2.0);
  EXPECT_EQ(omega(3, 0), 0.5);
  EXPECT_EQ(omega(3, 1), -4.0);
  for (const FrequencyGrid& wrong :
       {FrequencyGrid{}, FrequencyGrid{{0.0}, {1}, {1.0}}, FrequencyGrid{{1.0}, {1}, {7.0}}, FrequencyGrid{{1.0}, {1, 2}, {1.0}},
        FrequencyGrid{{1.0, 1.0}, {1u << 20, 1u << 20}, {1.0, 1.0}}, FrequencyGrid{{1.0}, {1}, {1.0}, 2.0}})
    EXPECT_THROW(wrong.check(), InvalidArgument);
}

}  // namespace
}  // namespace askrff
