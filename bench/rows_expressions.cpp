// Kernels by expression against the built-in gaussian: the same matrix of values, one thread.
#include <fmt/format.h>

#include <string>
#include <utility>

#include "askrff/kernels.hpp"
#include "benchmark.hpp"
#include "data.hpp"

namespace askrff::bench {
namespace {

constexpr std::size_t dim = 8;

Figures against_gaussian(Context& context, const std::string& expression, const ParameterValues& values) {
  const std::size_t n = context.sizes().gram_rows / 2;
  const auto ours_kernel = make_kernel("expr: " + expression, values), theirs_kernel = gaussian();
  const auto X = normal_rows<double>(n, dim, 1), Y = normal_rows<double>(n, dim, 2);
  auto out = touched<double>(n, n);
  const Sample ours = timed([&] { ours_kernel->evaluate_pairs(X, Y, out); });
  const Sample theirs = timed([&] { theirs_kernel->evaluate_pairs(X, Y, out); });
  Figures figures = speed_ratios(alternate(ours, theirs, context.effort()));
  figures.note = fmt::format("{:.0f} million values/s", 1e-3 * static_cast<double>(n * n) / figures.ours_ms);
  return figures;
}

Benchmark expression_row(const Sizes& sizes, const std::string& name, const std::string& expression, ParameterValues values) {
  return {"expression-" + name,
          fmt::format("values of the kernel \"expr: {0}\", double, 1 thread, {1} × {1}, d = {2}", expression, sizes.gram_rows / 2, dim),
          "those of the built-in gaussian",
          {Sense::at_least, 0.1},
          times_its_speed,
          [=, values = std::move(values)](Context& context) { return against_gaussian(context, expression, values); }};
}

}  // namespace

std::vector<Benchmark> expression_rows(const Sizes& sizes) {
  return {expression_row(sizes, "radial", "exp(-r^2/(2*s^2))", {{"s", 2.0}}),
          expression_row(sizes, "ridge", "exp(-r^2/(2*s^2)) * (1 + sinh(t))", {{"s", 2.0}, {"a", 0.2}}),
          expression_row(sizes, "product", "exp(-abs(x + 0.3)/s) * (1 + 0.5*tanh(x))", {{"s", 0.8}}),
          expression_row(sizes, "skew-normal", "exp(-x^2/(2*s^2)) * erfc(-2*x)", {{"s", 0.8}}),
          expression_row(sizes, "conditions", "r < 1 && t > -2 ? exp(-r) : (r < 3 ? exp(-1)*(3 - r)/2 : 0)", {{"a", 0.2}})};
}

}  // namespace askrff::bench
