// component_kernels.json and mc_variance_fixed.json: the kernels of the single parts and the exact variances made of them.
#include "golden/golden.hpp"

#include "askrff/measure.hpp"
#include "askrff/operators.hpp"

namespace askrff::test {
namespace {

/// What a part adds to k: Re(coefficient · T), T its transform; 0 for the zero measure.
double contribution(const ComplexMeasure& measure, Part part, std::span<const double> delta) {
  const auto parts = measure.parts();
  if (std::ranges::find(parts, part) == parts.end()) return 0.0;
  return (traits(part).coefficient * measure.exact_transform(part, delta).value()).real();
}

TEST(GoldenComponentKernels, EveryEntry) {
  ASKRFF_NEED_SHARED("golden/component_kernels.json");
  const json entries = golden("component_kernels.json");
  EXPECT_EQ(entries.size(), 18u);
  for (const json& entry : entries) {
    SCOPED_TRACE(label_of(entry));
    const auto kernel = kernel_of(entry);
    const std::vector<double> delta = vector_of(entry.at("D"));
    const auto measure = kernel->measure(delta.size());
    const double plus = contribution(*measure, Part::real_positive, delta), minus = contribution(*measure, Part::real_negative, delta),
                 imaginary = contribution(*measure, Part::imaginary_positive, delta);
    EXPECT_NEAR(plus, number(entry.at("kRp")), 1e-14);
    EXPECT_NEAR(-minus, number(entry.at("kRm")), 1e-14);
    EXPECT_NEAR(-imaginary, number(entry.at("kI")), 1e-14);
    EXPECT_NEAR(plus + minus + imaginary, number(entry.at("k")), 1e-14);
    EXPECT_NEAR((*kernel)(delta), number(entry.at("k")), 1e-14);
  }
}

/// The file holds doubles; variances are differences of numbers of size m², so 1e-14 of those is what can be asked beside 1e-13 relative.
TEST(GoldenVariance, EveryEntry) {
  ASKRFF_NEED_SHARED("golden/mc_variance_fixed.json");
  const json entries = golden("mc_variance_fixed.json");
  EXPECT_EQ(entries.size(), 6u);
  for (const json& entry : entries) {
    SCOPED_TRACE(label_of(entry));
    const auto kernel = kernel_of(entry);
    std::vector<double> delta = vector_of(entry.at("x"));
    for (std::size_t i = 0; i < delta.size(); ++i) delta[i] -= number(entry.at("y").at(i));
    const auto variance = estimator_variance(*kernel->measure(delta.size()), delta);
    expect_close((*kernel)(delta), number(entry.at("k")), "k");
    expect_close(variance.real_positive, number(entry.at("M_var_Rp")), 1e-13, 2e-15, "M_var_Rp");
    expect_close(variance.real_negative, number(entry.at("M_var_Rm")), 1e-13, 2e-15, "M_var_Rm");
    expect_close(variance.imaginary_positive, number(entry.at("M_var_I")), 1e-13, 2e-15, "M_var_I");
    expect_close(variance.polar, number(entry.at("N_var_polar")), 1e-13, 2e-15, "N_var_polar");
  }
}

}  // namespace
}  // namespace askrff::test
