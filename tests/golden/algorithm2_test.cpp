// alg2_ls.json: the masses Algorithm 2 finds on given points and frequencies, and what its printed sign would have given.
#include "golden/golden.hpp"

#include "askrff/approximate.hpp"
#include "askrff/operators.hpp"

namespace askrff::test {
namespace {

/// Atoms on the frequencies of features.json, part by part; fit_masses does not look at the weights.
SpectralAtoms given_draws() {
  const json file = golden("features.json");
  std::vector<double> omega;
  std::vector<PartRecord> records;
  const std::array fields{"omega", "zeta", "nu"};
  std::size_t n = 0, dim = 0;
  for (const Part part : all_parts) {
    const Matrix<double> frequencies = matrix_of(file.at(fields[static_cast<std::size_t>(part)]));
    records.push_back({.part = part, .first = n, .count = frequencies.rows()});
    omega.insert(omega.end(), frequencies.data(), frequencies.data() + frequencies.rows() * frequencies.cols());
    n += frequencies.rows();
    dim = frequencies.cols();
  }
  return {Matrix<double>(n, dim, std::move(omega)), std::vector<std::complex<double>>(n), std::move(records)};
}

TEST(GoldenAlgorithm2, EveryEntry) {
  ASKRFF_NEED_SHARED("golden/alg2_ls.json");
  ASKRFF_NEED_SHARED("golden/features.json");
  const json file = golden("alg2_ls.json");
  const Matrix<double> points = matrix_of(file.at("X_s"));
  const SpectralAtoms draws = given_draws();
  EXPECT_EQ(file.at("results").size(), 6u);
  for (const json& entry : file.at("results")) {
    SCOPED_TRACE(label_of(entry));
    const auto kernel = kernel_of(entry);
    const MassFit fit = fit_masses(*kernel, draws, points);
    expect_close(kernel->at_zero(points.cols()), number(entry.at("k0")), "k0");
    expect_close(fit.unconstrained_real_negative, number(entry.at("xi2_unconstrained")), "xi2_unconstrained");
    expect_close(fit.unconstrained_imaginary_positive, number(entry.at("xi3_unconstrained")), "xi3_unconstrained");
    expect_close(fit.real_positive, number(entry.at("xi").at(0)), "xi1");
    expect_close(fit.real_negative, number(entry.at("xi").at(1)), "xi2");
    expect_close(fit.imaginary_positive, number(entry.at("xi").at(2)), "xi3");
    expect_close(fit.residual, number(entry.at("residual_F")), "residual_F");
    expect_close(approximation_error(*kernel, FeatureMap(draws), points, points).kernel_norm, number(entry.at("normK_F")), "normK_F");
    // Erratum 1: with -2ξ₃ inside the norm the unconstrained solution changes its sign and nothing else.
    expect_close(std::max(0.0, -fit.unconstrained_imaginary_positive), number(entry.at("xi3_with_printed_sign")), "xi3_with_printed_sign");
  }
}

}  // namespace
}  // namespace askrff::test
