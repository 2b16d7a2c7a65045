// features.json: φ, ψ, s(x,y), exact Gram blocks, polar atoms and densities on given frequencies and points. Everything to 1e-14.
#include "golden/golden.hpp"

#include <complex>

#include "askrff/atoms.hpp"
#include "askrff/features.hpp"
#include "askrff/operators.hpp"

namespace askrff::test {
namespace {

constexpr double tolerance = 1e-14;

void expect_matrix(MatrixView<const double> value, const json& reference, const char* what) {
  const Matrix<double> expected = matrix_of(reference);
  ASSERT_EQ(value.rows(), expected.rows());
  ASSERT_EQ(value.cols(), expected.cols());
  for (std::size_t i = 0; i < value.rows(); ++i)
    for (std::size_t j = 0; j < value.cols(); ++j)
      EXPECT_NEAR(value(i, j), expected(i, j), tolerance) << what << " (" << i << "," << j << ")";
}

/// One frequency set, every atom with the same weight.
FeatureMap map_with(const json& frequencies, std::complex<double> weight) {
  Matrix<double> omega = matrix_of(frequencies);
  std::vector<std::complex<double>> weights(omega.rows(), weight);
  return FeatureMap(SpectralAtoms(std::move(omega), std::move(weights)));
}

class GoldenFeatures : public testing::Test {
 protected:
  void SetUp() override {
    ASKRFF_NEED_SHARED("golden/features.json");
    file = golden("features.json");
    X = matrix_of(file.at("X"));
    Y = matrix_of(file.at("Y"));
    M = file.at("M").get<double>();
  }
  json file;
  Matrix<double> X, Y;
  double M = 0;
};

/// φ is right() with weight 1/M; ψ is φ a quarter turn ahead, left() with weight i/M.
TEST_F(GoldenFeatures, PhiAndPsi) {
  expect_matrix(map_with(file.at("omega"), 1 / M).right(X), file.at("phi_omega_X"), "phi_omega_X");
  expect_matrix(map_with(file.at("omega"), 1 / M).left(X), file.at("phi_omega_X"), "phi_omega_X by left");
  expect_matrix(map_with(file.at("zeta"), 1 / M).right(X), file.at("phi_zeta_X"), "phi_zeta_X");
  expect_matrix(map_with(file.at("nu"), 1 / M).right(X), file.at("phi_nu_X"), "phi_nu_X");
  expect_matrix(map_with(file.at("nu"), {0, 1 / M}).left(Y), file.at("psi_nu_Y"), "psi_nu_Y");
}

TEST_F(GoldenFeatures, ApproximateKernelFromAllParts) {
  std::vector<double> omega;
  std::vector<std::complex<double>> weights;
  std::vector<PartRecord> records;
  const std::array fields{"omega", "zeta", "nu"};
  for (const Part part : all_parts) {
    const auto p = static_cast<std::size_t>(part);
    const Matrix<double> frequencies = matrix_of(file.at(fields[p]));
    const double mass = file.at("masses").at(p);
    records.push_back({.part = part, .mass = mass, .log_mass = std::log(mass), .first = weights.size(), .count = frequencies.rows()});
    omega.insert(omega.end(), frequencies.data(), frequencies.data() + frequencies.rows() * frequencies.cols());
    weights.insert(weights.end(), frequencies.rows(), traits(part).coefficient * (mass / M));
  }
  const SpectralAtoms atoms(Matrix<double>(weights.size(), X.cols(), std::move(omega)), weights, records);
  expect_matrix(approximate_gram(FeatureMap(atoms), X, Y), file.at("s_XY"), "s_XY");
  Matrix<double> direct(X.rows(), Y.rows());
  for (std::size_t i = 0; i < X.rows(); ++i)
    for (std::size_t j = 0; j < Y.rows(); ++j) {
      std::vector<double> delta;
      for (std::size_t c = 0; c < X.cols(); ++c) delta.push_back(X(i, c) - Y(j, c));
      direct(i, j) = atoms(delta);
    }
  expect_matrix(direct, file.at("s_XY"), "s_XY by direct summation");
}

TEST_F(GoldenFeatures, ExactGramOfEveryKernel) {
  EXPECT_EQ(file.at("kernels").size(), 6u);
  for (const json& entry : file.at("kernels")) {
    SCOPED_TRACE(label_of(entry));
    expect_matrix(exact_gram(*kernel_of(entry), X, Y), entry.at("K_XY"), "K_XY");
  }
}

/// Polar atoms on the frequencies omega: c_j = T e^{iθ_j}/M, θ = arg μ, T = ∫|μ|; θ and T come from the library's measure.
TEST_F(GoldenFeatures, PolarAtomsOfEveryKernel) {
  EXPECT_EQ(file.at("polar").size(), 6u);
  for (const json& entry : file.at("polar")) {
    SCOPED_TRACE(label_of(entry));
    const auto measure = kernel_of(entry)->measure(X.cols());
    const double total = measure->exact_total_variation().value();
    expect_close(total, number(entry.at("tv")), 1e-14, 0, "tv");
    Matrix<double> omega = matrix_of(file.at("omega"));
    std::vector<std::complex<double>> weights;
    for (std::size_t j = 0; j < omega.rows(); ++j) {
      const auto mu = measure->density(omega.row(j));
      const auto turn = mu / std::abs(mu);
      EXPECT_NEAR(turn.real(), number(entry.at("theta_mod_2pi_cos").at(j)), tolerance) << j;
      EXPECT_NEAR(turn.imag(), number(entry.at("theta_mod_2pi_sin").at(j)), tolerance) << j;
      weights.push_back(total * turn / M);
    }
    expect_matrix(approximate_gram(FeatureMap(SpectralAtoms(std::move(omega), std::move(weights))), X, Y), entry.at("s_XY"), "s_XY");
  }
}

TEST_F(GoldenFeatures, DensityOfEveryKernel) {
  EXPECT_EQ(file.at("mu").size(), 6u);
  for (const json& entry : file.at("mu")) {
    SCOPED_TRACE(label_of(entry));
    const auto measure = kernel_of(entry)->measure(X.cols());
    const Matrix<double> omega = matrix_of(entry.at("w"));
    for (std::size_t j = 0; j < omega.rows(); ++j) {
      const std::complex<double> reference(number(entry.at("mu_re_im").at(j).at(0)), number(entry.at("mu_re_im").at(j).at(1)));
      EXPECT_LE(std::abs(measure->density(omega.row(j)) - reference), tolerance * std::abs(reference)) << j;
    }
  }
}

}  // namespace
}  // namespace askrff::test
