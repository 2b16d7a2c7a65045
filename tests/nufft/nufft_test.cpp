// Non-uniform transforms against direct sums in long double: every number of dimensions, precision and instruction set.
#include "nufft/nufft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "askrff/errors.hpp"
#include "askrff/random.hpp"
#include "backend/environment.hpp"
#include "backend/every_backend.hpp"
#include "nufft/fourier_line.hpp"

namespace askrff {
namespace {

using nufft::GridTransform;
using nufft::Nufft;
using nufft::SortedPoints;
using nufft::Torus;

template <class T>
Matrix<T> uniform_points(std::size_t n, std::size_t dim, double scale, std::uint64_t seed = 1) {
  Matrix<T> X(n, dim);
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream random(seed, Purpose::landmark_pivots, i);
    for (std::size_t k = 0; k < dim; ++k) X(i, k) = static_cast<T>(scale * random.uniform());
  }
  return X;
}

template <class T>
std::vector<T> normal_values(std::size_t n) {
  std::vector<double> values(n);
  RandomStream(7, Purpose::landmark_pivots, 0).normals(values);
  return {values.begin(), values.end()};
}

struct Problem {
  std::vector<std::size_t> half;
  Torus torus;
};

Problem problem_in(std::size_t dim) {
  if (dim == 1) return {{37}, {{-0.3}, {1.7}}};
  if (dim == 2) return {{9, 14}, {{0.1, -0.2}, {1.3, 2.1}}};
  return {{5, 4, 6}, {{0.1, -0.2, 0.0}, {1.3, 2.1, 1.0}}};
}

/// Calls visit(numbers of the mode in the half that is kept, phase of a point there).
template <class T, class Visit>
void for_each_mode(const Problem& problem, std::span<const T> x, const Visit& visit) {
  const std::size_t dim = problem.half.size();
  std::size_t sizes[3] = {1, 1, 1};
  for (std::size_t k = 0; k < dim; ++k) sizes[3 - dim + k] = k + 1 == dim ? problem.half[k] + 1 : 2 * problem.half[k] + 1;
  for (std::size_t a = 0; a < sizes[0]; ++a)
    for (std::size_t b = 0; b < sizes[1]; ++b)
      for (std::size_t c = 0; c < sizes[2]; ++c) {
        const std::size_t at[3] = {a, b, c};
        long double phase = 0;
        for (std::size_t k = 0; k < dim; ++k) {
          const auto number = static_cast<long double>(at[3 - dim + k]) - (k + 1 == dim ? 0.0L : static_cast<long double>(problem.half[k]));
          phase += 2 * std::numbers::pi_v<long double> * number *
                   (static_cast<long double>(x[k]) - static_cast<long double>(problem.torus.origin[k])) /
                   static_cast<long double>(problem.torus.period[k]);
        }
        visit(a, b, c, phase);
      }
}

/// Relative error of all modes, in the root mean square.
template <class T>
double error_to_modes(const Problem& problem, double tolerance, const Matrix<T>& X, const Execution& execution = {}) {
  const Nufft<T> nufft(problem.half, problem.torus, tolerance);
  const SortedPoints<T> points = nufft.sorted(X.view());
  const std::vector<T> values = normal_values<T>(X.rows());
  GridTransform<T> transform = nufft.transform(execution);
  nufft.to_modes(points, values.data(), 1, transform, execution);
  Matrix<long double> re(nufft.shape().n_modes(), 1), im(nufft.shape().n_modes(), 1);
  for (std::size_t i = 0; i < X.rows(); ++i) {
    std::size_t mode = 0;
    for_each_mode<T>(problem, X.row(i), [&](std::size_t, std::size_t, std::size_t, long double phase) {
      re(mode, 0) += static_cast<long double>(values[i]) * std::cos(phase);
      im(mode++, 0) -= static_cast<long double>(values[i]) * std::sin(phase);
    });
  }
  long double error = 0, size = 0;
  std::size_t mode = 0;
  for_each_mode<T>(problem, X.row(0), [&](std::size_t a, std::size_t b, std::size_t c, long double) {
    const long double correction = nufft.corrected(0, a) * nufft.corrected(1, b) * nufft.corrected(2, c);
    const long double dr = static_cast<long double>(transform.re(a, b)[c]) * correction - re(mode, 0);
    const long double di = static_cast<long double>(transform.im(a, b)[c]) * correction - im(mode, 0);
    error += dr * dr + di * di;
    size += re(mode, 0) * re(mode, 0) + im(mode, 0) * im(mode, 0);
    ++mode;
  });
  return static_cast<double>(std::sqrt(error / size));
}

/// The same of sums of random modes at points.
template <class T>
double error_to_points(const Problem& problem, double tolerance, const Matrix<T>& X, const Execution& execution = {}) {
  const Nufft<T> nufft(problem.half, problem.torus, tolerance);
  const SortedPoints<T> points = nufft.sorted(X.view());
  const std::size_t n = nufft.shape().n_modes();
  const std::vector<T> random = normal_values<T>(2 * n);
  GridTransform<T> transform = nufft.transform(execution);
  // Where the last axis has mode 0, modes with opposite numbers on the others must be conjugates: the later ones are set by the earlier.
  const auto value = [&](std::size_t a, std::size_t b, std::size_t c) -> std::complex<T> {
    const std::size_t ma = nufft.shape().modes(0) - 1 - a, mb = nufft.shape().modes(1) - 1 - b;
    const bool mirrored = c == 0 && std::pair(a, b) > std::pair(ma, mb), own = c == 0 && std::pair(a, b) == std::pair(ma, mb);
    const std::size_t at = mirrored ? (ma * nufft.shape().modes(1) + mb) * nufft.shape().modes(2)
                                    : (a * nufft.shape().modes(1) + b) * nufft.shape().modes(2) + c;
    return {random[2 * at], own ? T{0} : mirrored ? -random[2 * at + 1] : random[2 * at + 1]};
  };
  for_each_mode<T>(problem, X.row(0), [&](std::size_t a, std::size_t b, std::size_t c, long double) {
    const double correction = nufft.corrected(0, a) * nufft.corrected(1, b) * nufft.corrected(2, c);
    transform.re(a, b)[c] = static_cast<T>(static_cast<double>(value(a, b, c).real()) * correction);
    transform.im(a, b)[c] = static_cast<T>(static_cast<double>(value(a, b, c).imag()) * correction);
  });
  std::vector<T> out(X.rows());
  nufft.to_points(transform, points, out.data(), 1, execution);
  long double error = 0, size = 0;
  for (std::size_t i = 0; i < X.rows(); ++i) {
    long double sum = 0;
    for_each_mode<T>(problem, X.row(i), [&](std::size_t a, std::size_t b, std::size_t c, long double phase) {
      const auto f = value(a, b, c);
      sum +=
          (c == 0 ? 1 : 2) * (static_cast<long double>(f.real()) * std::cos(phase) - static_cast<long double>(f.imag()) * std::sin(phase));
    });
    error += (static_cast<long double>(out[i]) - sum) * (static_cast<long double>(out[i]) - sum);
    size += sum * sum;
  }
  return static_cast<double>(std::sqrt(error / size));
}

class EveryTransform : public testing::TestWithParam<std::string> {};

TEST_P(EveryTransform, KeepsItsToleranceInDouble) {
  const test::BackendEnvironment backend(GetParam().c_str());
  for (std::size_t dim = 1; dim <= 3; ++dim)
    for (const double tolerance : {1e-2, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13}) {
      const Matrix<double> X = uniform_points<double>(150, dim, 3.0);
      EXPECT_LE(error_to_modes(problem_in(dim), tolerance, X), 2 * tolerance) << dim << " dimensions, tolerance " << tolerance;
      EXPECT_LE(error_to_points(problem_in(dim), tolerance, X), 2 * tolerance) << dim << " dimensions, tolerance " << tolerance;
    }
}

TEST_P(EveryTransform, KeepsItsToleranceInFloat) {
  const test::BackendEnvironment backend(GetParam().c_str());
  for (std::size_t dim = 1; dim <= 3; ++dim)
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5}) {
      const Matrix<float> X = uniform_points<float>(150, dim, 1.0);
      EXPECT_LE(error_to_modes(problem_in(dim), tolerance, X), 2 * tolerance) << dim << " dimensions, tolerance " << tolerance;
      EXPECT_LE(error_to_points(problem_in(dim), tolerance, X), 2 * tolerance) << dim << " dimensions, tolerance " << tolerance;
    }
}

INSTANTIATE_TEST_SUITE_P(Backends, EveryTransform, testing::ValuesIn(test::backend_names()), test::backend_test_name);

TEST(Nufft, GivesTheSameBitsForAnyThreads) {
  const std::vector<std::vector<std::size_t>> halves{{3000}, {40, 150}, {12, 20, 17}};
  for (const std::vector<std::size_t>& half : halves) {
    const std::size_t dim = half.size();
    const Nufft<double> nufft(half, {std::vector<double>(dim, 0.4), std::vector<double>(dim, 1.0)}, 1e-6);
    const Matrix<double> X = uniform_points<double>(20'000, dim, 1.0);
    const SortedPoints<double> points = nufft.sorted(X.view());
    const std::vector<double> values = normal_values<double>(X.rows());
    std::vector<double> first;
    for (const std::size_t n_threads : {1, 2, 3, 7}) {
      const Execution execution{.n_threads = n_threads};
      GridTransform<double> transform = nufft.transform(execution);
      nufft.to_modes(points, values.data(), 1, transform, execution);
      std::vector<double> out(X.rows());
      nufft.to_points(transform, points, out.data(), 1, execution);
      if (first.empty()) first = out;
      EXPECT_EQ(out, first) << dim << " dimensions, " << n_threads << " threads";
    }
  }
}

TEST(Nufft, TakesRowsThatDoNotLieTogether) {
  for (std::size_t dim = 1; dim <= 3; ++dim) {
    const Problem problem = problem_in(dim);
    const Nufft<double> nufft(problem.half, problem.torus, 1e-6);
    const Matrix<double> X = uniform_points<double>(500, dim, 3.0);
    Matrix<double> wide(X.rows(), dim + 2);
    for (std::size_t i = 0; i < X.rows(); ++i) std::ranges::copy(X.row(i), wide.row(i).begin());
    const std::vector<double> values = normal_values<double>(X.rows());
    const auto modes_of = [&](MatrixView<const double> rows) {
      GridTransform<double> transform = nufft.transform({});
      nufft.to_modes(nufft.sorted(rows), values.data(), 1, transform, {});
      return std::vector<double>(transform.re(0, 0), transform.re(0, 0) + nufft.shape().modes(2));
    };
    EXPECT_EQ(modes_of(X.view()), modes_of({wide.data(), X.rows(), dim, dim + 2})) << dim << " dimensions";
  }
}

TEST(Nufft, TakesNoPointsAndPointsAllInOneCell) {
  const Nufft<double> nufft({12, 20}, {{0, 0}, {1, 1}}, 1e-6);
  GridTransform<double> transform = nufft.transform({});
  const SortedPoints<double> none = nufft.sorted(Matrix<double>(0, 2).view());
  nufft.to_modes(none, nullptr, 1, transform, {});
  EXPECT_EQ(transform.re(0, 3)[5], 0.0);
  Matrix<double> X(1000, 2);
  for (std::size_t i = 0; i < X.rows(); ++i) X(i, 0) = X(i, 1) = 0.999999;
  EXPECT_LE(error_to_modes<double>({{12, 20}, {{0, 0}, {1, 1}}}, 1e-6, X), 2e-6);
}

TEST(Nufft, RefusesGridsBeyondItsIndices) {
  EXPECT_THROW(Nufft<double>({2000, 2000, 2000}, {{0, 0, 0}, {1, 1, 1}}, 1e-6), InvalidArgument);
}

TEST(FourierLine, SizesAreSmoothAndEven) {
  EXPECT_EQ(nufft::smooth_size(0), 2u);
  EXPECT_EQ(nufft::smooth_size(7), 8u);
  EXPECT_EQ(nufft::smooth_size(13), 16u);
  EXPECT_EQ(nufft::smooth_size(17), 18u);
  EXPECT_EQ(nufft::smooth_size(101), 108u);
}

}  // namespace
}  // namespace askrff
