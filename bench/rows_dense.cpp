// For information: dense linear algebra against BLAS and LAPACK, exact Gram matrices against bare inner products.
#include <fmt/format.h>

#include <algorithm>

#include "askrff/dense.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "benchmark.hpp"
#include "data.hpp"

namespace askrff::bench {
namespace {

/// A·Aᵀ/n + 1, well away from singular.
Matrix<double> positive_definite(std::size_t n) {
  const auto A = normal_rows<double>(n, n, 1);
  Matrix<double> result(n, n);
  product_of_rows(A, A, result, {1});
  for (std::size_t i = 0; i < n; ++i) {
    for (double& value : result.row(i)) value /= static_cast<double>(n);
    result(i, i) += 1;
  }
  return result;
}

Figures cholesky_against_lapack(Context& context) {
  const Blas& blas = context.blas();
  if (!blas.has_cholesky()) throw Skipped("the BLAS found has no dpotrf");
  const std::size_t n = context.sizes().dense;
  const Matrix<double> A = positive_definite(n);
  Matrix<double> work = A;
  const auto restore = [&] { std::copy_n(A.data(), n * n, work.data()); };
  const Sample ours = timed([&] { cholesky(work.view(), {1}); }, restore);
  const Sample theirs = timed([&] { blas.cholesky(n, work.data()); }, restore);
  return speed_ratios(alternate(ours, theirs, context.effort()));
}

Figures product_against_sgemm(Context& context) {
  const Blas& blas = context.blas();
  const std::size_t n = context.sizes().dense;
  const auto A = normal_rows<float>(n, n, 1), B = normal_rows<float>(n, n, 2);
  auto out = touched<float>(n, n);
  const Sample ours = timed([&] { product_of_rows(A, B, out, {1}); });
  const Sample theirs = timed([&] { blas.product_of_rows(n, n, n, A.data(), B.data(), out.data()); });
  return speed_ratios(alternate(ours, theirs, context.effort()));
}

constexpr std::size_t gram_dim = 22;

Figures exact_gram_against_products(Context& context) {
  const std::size_t n = context.sizes().gram_rows;
  const auto kernel = gaussian();
  const auto X = normal_rows<double>(n, gram_dim, 1), Y = normal_rows<double>(n, gram_dim, 2);
  auto out = touched<double>(n, n);
  const Sample ours = timed([&] { exact_gram(*kernel, X, Y, out, {1}); });
  const Sample theirs = timed([&] { product_of_rows(X, Y, out, {1}); });
  Figures figures = speed_ratios(alternate(ours, theirs, context.effort()));
  figures.note = fmt::format("{:.0f} million entries/s", 1e-3 * static_cast<double>(n * n) / figures.ours_ms);
  return figures;
}

}  // namespace

std::vector<Benchmark> dense_rows(const Sizes& sizes) {
  return {
      {"cholesky",
       fmt::format("Cholesky, double, 1 thread, n = {}", sizes.dense),
       "dpotrf of the same BLAS",
       {},
       times_its_speed,
       cholesky_against_lapack},
      {"product", fmt::format("A·Bᵀ, float, 1 thread, {0} × {0} × {0}", sizes.dense), "sgemm", {}, times_its_speed, product_against_sgemm},
      {"exact-gram",
       fmt::format("exact Gram of the gaussian kernel, double, 1 thread, {0} × {0}, d = {1}", sizes.gram_rows, gram_dim),
       "our inner products of the same rows",
       {},
       times_its_speed,
       exact_gram_against_products}};
}

}  // namespace askrff::bench
