// Nyström factors against exact kernel matrices: exact where the rank allows it, the right way round, on awkward data, with refusals.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "askrff/features.hpp"
#include "askrff/function_kernel.hpp"
#include "askrff/kernels.hpp"
#include "askrff/nystrom.hpp"
#include "askrff/operators.hpp"
#include "askrff/pair_kernel.hpp"
#include "support/nystrom_kernels.hpp"
#include "support/plain_kernels.hpp"
#include "support/random_inputs.hpp"

namespace askrff::test {
namespace {

using SharedKernel = std::shared_ptr<const Kernel>;

constexpr Landmarks every_choice[] = {Landmarks::uniform, Landmarks::pivoted, Landmarks::greedy};

/// Rows uniform in [0,1]^dim.
Matrix<double> unit_rows(std::size_t rows, std::size_t dim, std::uint64_t seed) {
  Matrix<double> matrix(rows, dim);
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    for (double& value : matrix.row(i)) value = random.uniform();
  }
  return matrix;
}

double error_of(const SharedKernel& kernel, const NystromFactors& factors, const Matrix<double>& X, const Matrix<double>& Y) {
  return approximation_error(*kernel, FeatureMap(factors), X, Y).frobenius;
}

std::string refusal(const SharedKernel& kernel, const Matrix<double>& data, const NystromOptions& options = {}) {
  try {
    nystrom(kernel, data, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "not refused";
}

TEST(Nystrom, IsExactOnTheLandmarksWhenTheRankIsFull) {
  const auto data = random_matrix(60, 4, 1, 2.0);
  const SharedKernel kernels[] = {shift_gaussian(),
                                  sinh_gaussian(),
                                  difference_of_gaussians(),
                                  laplacian(),
                                  std::make_shared<SkewedGaussian>(0.7),
                                  std::make_shared<SkewKernel>()};
  for (const SharedKernel& kernel : kernels)
    for (const Landmarks how : every_choice) {
      const auto factors = nystrom(kernel, data, {.n_features = 60, .n_landmarks = 60, .landmarks = how});
      EXPECT_LE(error_of(kernel, factors, data, data), 1e-10) << kernel->name() << " " << static_cast<int>(how);
    }
}

TEST(Nystrom, LeftAndRightAreTheRightWayRound) {
  const auto data = unit_rows(800, 3, 2), X = unit_rows(70, 3, 3), Y = unit_rows(50, 3, 4);
  const SharedKernel kernel = shift_gaussian({.sigma = 1.0, .shift = 0.8});
  const auto factors = nystrom(kernel, data, {.n_features = 100});
  EXPECT_LE(error_of(kernel, factors, X, Y), 1e-8);
  EXPECT_LE(error_of(kernel, factors, Y, X), 1e-8);
  // Against the kernel read backwards it must fail, or the test sees nothing.
  const SharedKernel backwards = shift_gaussian({.sigma = 1.0, .shift = -0.8});
  EXPECT_GE(error_of(backwards, factors, X, Y), 0.1);
  const FeatureMap map(factors);
  EXPECT_EQ(map.n_frequencies(), 0u);
  EXPECT_EQ(map.n_features(), 100u);
  EXPECT_EQ(map.dim(), 3u);
}

TEST(Nystrom, ReachesSmallErrorsOnUnseenRows) {
  const auto data = unit_rows(3000, 2, 5), unseen = unit_rows(400, 2, 6);
  for (const SharedKernel& kernel : {SharedKernel(gaussian()), SharedKernel(sinh_gaussian()), SharedKernel(cosh_gaussian())})
    for (const Landmarks how : every_choice)
      EXPECT_LE(error_of(kernel, nystrom(kernel, data, {.n_features = 80, .landmarks = how}), unseen, unseen), 1e-10) << kernel->name();
}

TEST(Nystrom, ErrorFallsWithFeatures) {
  const auto data = unit_rows(4000, 6, 7), unseen = unit_rows(300, 6, 8);
  for (const SharedKernel& kernel : {SharedKernel(shift_gaussian()), SharedKernel(std::make_shared<SkewKernel>())})
    for (const Landmarks how : every_choice) {
      double before = 1;
      for (const std::size_t n : {8, 32, 128}) {
        const double error = error_of(kernel, nystrom(kernel, data, {.n_features = n, .landmarks = how}), unseen, unseen);
        EXPECT_LE(error, before / 4) << kernel->name() << " " << n;
        before = error;
      }
    }
}

TEST(Nystrom, IndefiniteKernelsNeedNoLuck) {
  // With as many landmarks as features the core of a skew kernel is nearly singular; with the default number no seed may be bad.
  const auto data = unit_rows(2000, 5, 9), unseen = unit_rows(200, 5, 10);
  for (const SharedKernel& kernel : {SharedKernel(std::make_shared<SkewKernel>()), SharedKernel(difference_of_gaussians())})
    for (std::uint64_t seed = 0; seed < 8; ++seed)
      EXPECT_LE(error_of(kernel, nystrom(kernel, data, {.n_features = 64, .seed = seed}), unseen, unseen), 0.01) << kernel->name();
}

// Its functions are almost dependent where rows are, and rows farther out than those of the fit show what the sample does not.
TEST(Nystrom, RowsBeyondTheSampleDoNoHarm) {
  const SharedKernel kernel = make_kernel("expr: exp(-abs(x + 0.3)/0.8) * (1 + 0.5*tanh(x))");
  for (const std::size_t dim : {1, 2})
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const auto data = unit_rows(600, dim, 70 + seed), unseen = unit_rows(800, dim, 80 + seed);
      EXPECT_LE(error_of(kernel, nystrom(kernel, data, {.n_features = 128, .seed = seed}), unseen, unseen), 0.01) << dim << " " << seed;
    }
}

TEST(Nystrom, FactorsAreBalanced) {
  const auto data = unit_rows(1000, 4, 11);
  const FeatureMap map(nystrom(cosh_gaussian({.sigma = 1.0, .beta = 2.0}), data, {.n_features = 20}));
  const auto left = map.left(data), right = map.right(data);
  for (std::size_t f = 0; f < 20; ++f) {
    double left_squares = 0, right_squares = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      left_squares += left(i, f) * left(i, f);
      right_squares += right(i, f) * right(i, f);
    }
    EXPECT_NEAR(left_squares / right_squares, 1, 1e-6) << f;
  }
}

// Rows far from all others become landmarks, whose functions are next to nothing on the other rows: their coefficients must not be fitted
// to what is left there.
TEST(Nystrom, RowsFarFromAllOthers) {
  const auto heavy_rows = [](std::size_t rows, std::uint64_t seed) {
    Matrix<double> matrix = random_matrix(rows, 10, seed);
    for (std::size_t i = 0; i < rows; ++i) {  // Student's law with 3 degrees of freedom, nearly
      RandomStream random(seed + 1, Purpose::builtin_data, i);
      double squares = 0;
      for (int k = 0; k < 3; ++k) squares += std::pow(random.normal(), 2);
      for (double& value : matrix.row(i)) value /= std::sqrt(squares / 3);
    }
    return matrix;
  };
  const auto data = heavy_rows(5000, 31), fresh = heavy_rows(1000, 41);
  const SharedKernel kernel = shift_gaussian({.sigma = 6.0, .shift = 0.2});
  const auto few = nystrom(kernel, data, {.n_features = 64}), many = nystrom(kernel, data, {.n_features = 256});
  EXPECT_LT(error_of(kernel, many, fresh, fresh), 0.8 * error_of(kernel, few, fresh, fresh));
}

/// e^{-Σδ} where all δ > 0, else 0: a jump, and k(z,z) = 0.
SharedKernel one_sided_jump() {
  return function_kernel([](MatrixView<const double> differences, std::span<double> out) {
    for (std::size_t i = 0; i < differences.rows(); ++i) {
      const auto delta = differences.row(i);
      const bool inside = std::ranges::all_of(delta, [](double x) { return x > 0; });
      out[i] = inside ? std::exp(-std::accumulate(delta.begin(), delta.end(), 0.0)) : 0;
    }
  });
}

// Functions of landmarks in a corner of the data are next to nothing on all rows of the sample, but not on every row of the same
// distribution. Errors of the truncated SVD with 64 and 128 features: 0.031 and 0.015 in 4 dimensions, 0.048 and 0.018 in 6, of normal rows
// in 4 0.12 and 0.068. Seeds are fixed, so nothing is left to chance; bounds are a quarter above what others gave.
TEST(Nystrom, OneSidedKernelsOnUnseenRows) {
  struct Case {
    Matrix<double> data, unseen;
    double with_64, with_128;
  };
  const Case cases[] = {{unit_rows(6000, 4, 51), unit_rows(1000, 4, 52), 0.09, 0.055},
                        {unit_rows(6000, 6, 53), unit_rows(1000, 6, 54), 0.25, 0.15},
                        {random_matrix(6000, 4, 55), random_matrix(1000, 4, 56), 0.31, 0.21}};
  const SharedKernel kernel = causal_gamma();
  for (const Case& c : cases)
    for (std::uint64_t seed = 0; seed < 2; ++seed) {
      const auto error = [&](std::size_t n) {
        return error_of(kernel, nystrom(kernel, c.data, {.n_features = n, .seed = seed}), c.unseen, c.unseen);
      };
      EXPECT_LE(error(64), c.with_64) << c.data.cols();
      EXPECT_LE(error(128), c.with_128) << c.data.cols();
    }
}

TEST(Nystrom, OneSidedKernelsWithJumpsAreBetterThanNothing) {
  const SharedKernel kernel = one_sided_jump();
  for (const auto& [dim, bound] : {std::pair{std::size_t{4}, 0.8}, std::pair{std::size_t{6}, 0.97}}) {
    const auto data = unit_rows(6000, dim, 57), unseen = unit_rows(1000, dim, 58);
    double before = bound;
    for (const std::size_t n : {64, 128})
      for (const Landmarks how : {Landmarks::pivoted, Landmarks::uniform}) {
        const double error = error_of(kernel, nystrom(kernel, data, {.n_features = n, .landmarks = how}), unseen, unseen);
        EXPECT_LE(error, how == Landmarks::pivoted ? before : 1) << dim << " " << n;
        if (how == Landmarks::pivoted) before = error;
      }
  }
}

// As many features as rows: nothing is held out, and no ridge must spoil what is exact.
TEST(Nystrom, OneSidedKernelsOfFewRows) {
  const SharedKernel kernel = one_sided_jump();
  for (const std::size_t rows : {2, 10, 40, 200}) {
    const auto data = unit_rows(rows, 1, 59);
    for (const Landmarks how : every_choice) {
      const auto factors = nystrom(kernel, data, {.n_features = rows, .n_landmarks = rows, .landmarks = how});
      EXPECT_LE(error_of(kernel, factors, data, data), 1e-9) << rows;
    }
  }
}

// Rows are kept out to judge also where features are to be nearly as many as rows: without them nothing limits what rows beyond would get.
TEST(Nystrom, MoreFeaturesThanRowsCanJudgeAreNotWorse) {
  const SharedKernel kernel = make_kernel("expr: exp(-abs(x + 0.3)/0.8)*(1 + 0.5*tanh(x))");
  for (const std::size_t rows : {120, 600})
    for (std::uint64_t seed = 62; seed < 65; ++seed) {
      const auto data = unit_rows(rows, 2, seed), unseen = unit_rows(500, 2, seed + 100);
      const auto error = [&](std::size_t n) { return error_of(kernel, nystrom(kernel, data, {.n_features = n}), unseen, unseen); };
      const double with_fewer = error(2 * rows / 5);
      for (const std::size_t n : {rows / 2, 3 * rows / 4, 4 * rows / 5, rows})
        EXPECT_LE(error(n), 1.1 * with_fewer) << n << " features of " << rows << " rows";
      EXPECT_LE(nystrom(kernel, data, {.n_features = rows}).n_landmarks(), 3 * rows / 4);
    }
}

// (x/y)-like: functions of some landmarks are far smaller than others on all rows, but the kernel is smooth, and a ridge would only cost.
TEST(Nystrom, SmoothKernelsOfManySizesStayExact) {
  const SharedKernel kernel = pair_kernel([](MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> values) {
    for (std::size_t i = 0; i < X.rows(); ++i)
      for (std::size_t j = 0; j < Y.rows(); ++j) {
        const double delta = X(i, 0) - Y(j, 0);
        values(i, j) = std::pow(X(i, 0), 6) * std::exp(-delta * delta / 2);
      }
  });
  const auto data = unit_rows(3000, 1, 60), unseen = unit_rows(500, 1, 61);
  EXPECT_LE(error_of(kernel, nystrom(kernel, data, {.n_features = 20}), unseen, unseen), 1e-11);
}

TEST(Nystrom, DuplicatesAndConstantColumnsCostNothing) {
  Matrix<double> data = unit_rows(600, 4, 12);
  for (std::size_t i = 0; i < 600; ++i) {
    data(i, 2) = 0.25;
    if (i >= 50) std::ranges::copy(data.row(i % 50), data.row(i).begin());  // 50 different rows
  }
  const SharedKernel kernel = matern_1_2();
  for (const Landmarks how : every_choice) {
    const auto factors = nystrom(kernel, data, {.n_features = 64, .landmarks = how});
    EXPECT_LE(factors.n_features(), 50u);
    EXPECT_LE(error_of(kernel, factors, data, data), 1e-10);
    if (how == Landmarks::uniform) continue;
    std::set<std::vector<double>> different;
    for (std::size_t l = 0; l < factors.n_landmarks(); ++l)
      different.insert({factors.landmarks.dense().row(l).begin(), factors.landmarks.dense().row(l).end()});
    EXPECT_EQ(different.size(), factors.n_landmarks());
  }
}

// Nine different rows, one of them 9 times in 10: the first of a random order are few different ones.
TEST(Nystrom, RowsThatRepeatDoNotHideTheOthers) {
  Matrix<double> data(1000, 2);
  for (std::size_t i = 0; i < 1000; ++i)
    if (i % 10 == 0) {
      data(i, 0) = static_cast<double>(i / 10 % 3);
      data(i, 1) = static_cast<double>(i / 30 % 3);
    }
  const SharedKernel kernel = matern_1_2();
  for (const Landmarks how : every_choice)
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      EXPECT_EQ(nystrom(kernel, data, {.n_features = 3, .landmarks = how, .seed = seed}).n_features(), 3u);
      const auto all = nystrom(kernel, data, {.n_features = 9, .landmarks = how, .seed = seed});
      EXPECT_EQ(all.n_features(), 9u);
      EXPECT_LE(error_of(kernel, all, data, data), 1e-10);
    }
}

TEST(Nystrom, FewRows) {
  const SharedKernel kernel = shift_gaussian();
  for (const Landmarks how : every_choice) {
    const Matrix<double> one(1, 2, {0.3, 0.4});
    const auto single = nystrom(kernel, one, {.n_features = 10, .landmarks = how});
    EXPECT_EQ(single.n_landmarks(), 1u);
    EXPECT_EQ(single.n_features(), 1u);
    EXPECT_LE(error_of(kernel, single, one, one), 1e-14);

    const Matrix<double> equal(40, 2);
    const auto flat = nystrom(kernel, equal, {.n_features = 10, .landmarks = how});
    EXPECT_EQ(flat.n_features(), 1u);
    EXPECT_LE(error_of(kernel, flat, equal, equal), 1e-13);

    const auto few = random_matrix(12, 2, 13, 2.0);
    const auto all = nystrom(kernel, few, {.n_features = 100, .n_landmarks = 300, .landmarks = how});
    EXPECT_LE(all.n_landmarks(), 12u);
    EXPECT_LE(error_of(kernel, all, few, few), 1e-10);
  }
}

TEST(Nystrom, ValuesOfAnySize) {
  const auto data = unit_rows(300, 2, 14);
  for (const double size : {1e-250, 1e250}) {
    const auto factors = nystrom(std::make_shared<ConstantKernel>(size), data, {.n_features = 4});
    EXPECT_EQ(factors.n_features(), 1u);
    EXPECT_NEAR(approximate_gram(FeatureMap(factors), data, data)(3, 5) / size, 1, 1e-12);
  }
}

TEST(Nystrom, RefusesWhatItCannotUse) {
  const auto data = unit_rows(50, 2, 15);
  const SharedKernel kernel = gaussian();
  EXPECT_EQ(refusal(nullptr, data), "nystrom: no kernel");
  EXPECT_EQ(refusal(kernel, Matrix<double>(0, 2)), "nystrom: the data has no rows, expected at least 1");
  EXPECT_EQ(refusal(kernel, data, {.n_features = 0}), "nystrom: n_features is 0, expected at least 1");
  EXPECT_NE(refusal(kernel, data, {.n_features = 5000}).find("at most 4096"), std::string::npos);
  EXPECT_NE(refusal(kernel, data, {.n_features = 8, .n_landmarks = 7}).find("7 landmarks for 8 features"), std::string::npos);
  EXPECT_NE(refusal(kernel, data, {.cutoff = 1.0}).find("a cutoff of 1"), std::string::npos);
  Matrix<double> broken = data;
  broken(3, 1) = std::nan("");
  EXPECT_NE(refusal(kernel, broken).find("row 3, column 1"), std::string::npos);
  for (const Landmarks how : every_choice) {
    const NystromOptions options{.n_features = 8, .landmarks = how};
    EXPECT_NE(refusal(std::make_shared<ConstantKernel>(0.0), data, options).find("kernel constant is zero"), std::string::npos);
    EXPECT_NE(refusal(std::make_shared<ConstantKernel>(std::nan("")), data, options).find("kernel constant returned nan"),
              std::string::npos);
    EXPECT_NE(refusal(std::make_shared<ConstantKernel>(INFINITY), data, options).find("kernel constant returned inf"), std::string::npos);
  }
  EXPECT_THROW(FeatureMap(NystromFactors{}), std::invalid_argument);
}

TEST(Nystrom, NewRowsAreCheckedToo) {
  const auto data = unit_rows(50, 2, 16);
  const FeatureMap map(nystrom(std::make_shared<FragileKernel>(5), data, {.n_features = 8}));
  Matrix<double> far(1, 2, {100, 0}), narrow(1, 1);
  const auto message = [&](const Matrix<double>& X) -> std::string {
    try {
      map.right(X);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "not refused";
  };
  EXPECT_NE(message(far).find("FeatureMap::right: kernel fragile returned nan"), std::string::npos);
  EXPECT_EQ(message(narrow), "FeatureMap::right: X has 1 columns, the landmarks have 2");
  far(0, 0) = INFINITY;
  EXPECT_NE(message(far).find("expected finite numbers"), std::string::npos);
}

TEST(Nystrom, SameBitsForAnyThreadsAndAnotherSeedIsAnotherChoice) {
  const auto data = unit_rows(2500, 5, 17);
  const SharedKernel kernel = sinh_gaussian();
  for (const Landmarks how : every_choice) {
    // 400 landmarks: the projected SVD, not the small one.
    const NystromOptions one{.n_features = 100, .n_landmarks = 400, .landmarks = how, .seed = 3, .execution = {.n_threads = 1}};
    NystromOptions three = one, other = one;
    three.execution.n_threads = 3;
    other.seed = 4;
    const auto a = nystrom(kernel, data, one), b = nystrom(kernel, data, three);
    EXPECT_EQ(a.landmark_rows, b.landmark_rows);
    EXPECT_TRUE(std::equal(a.left_factor.data(), a.left_factor.data() + 400 * 100, b.left_factor.data()));
    EXPECT_TRUE(std::equal(a.right_factor.data(), a.right_factor.data() + 400 * 100, b.right_factor.data()));
    EXPECT_NE(nystrom(kernel, data, other).landmark_rows, a.landmark_rows);
    for (std::size_t l = 0; l < a.n_landmarks(); ++l)
      EXPECT_TRUE(std::ranges::equal(a.landmarks.dense().row(l), data.view().row(a.landmark_rows[l])));
  }
}

}  // namespace
}  // namespace askrff::test
