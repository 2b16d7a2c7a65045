// --kernel with a sum or product of kernels, and --scales.
#include "cli/command.hpp"

#include <cmath>

namespace askrff::test {
namespace {

using nlohmann::json;

TEST(KernelText, MassesOfASum) {
  const json masses = run_json({"masses", "--kernel", "2*gaussian + 0.5*laplacian(sigma=1)", "--dim", "3"});
  EXPECT_EQ(masses.at("kernel"), "2*gaussian + 0.5*laplacian(sigma=1)");
  EXPECT_NEAR(masses.at("real_positive").get<double>(), 2.5, 1e-15);
  EXPECT_EQ(masses.at("parameters"), json::object());
  const Outcome table = run({"masses", "--kernel", "gaussian + laplacian", "--dim", "2"});
  EXPECT_NE(table.out.find("gaussian + laplacian in 2 dimensions"), std::string::npos) << table.out;
}

TEST(KernelText, ScalesChangeTheLengths) {
  const Arguments call{"masses", "--kernel", "shift-gaussian", "--dim", "2", "--shift", "1,1"};
  const json plain = run_json(call), scaled = run_json(call + Arguments{"--scales", "1,2"});
  EXPECT_EQ(plain.at("real_positive"), scaled.at("real_positive"));  // masses do not depend on units
  EXPECT_EQ(scaled.at("parameters").at("scales"), json::array({1.0, 2.0}));
  EXPECT_FALSE(plain.at("parameters").contains("scales"));
  // The kernel of rows in other units is the kernel in other lengths.
  const Arguments approx{"approx",    "--data", "builtin:uniform:2:2000", "--estimator", "polar",  "--weights", "exact",
                         "--sampler", "exact",  "--frequencies",          "64",          "--seed", "3"};
  const json one = run_json(approx + Arguments{"--kernel", "gaussian", "--sigma", "0.5"});
  const json same = run_json(approx + Arguments{"--kernel", "gaussian", "--sigma", "1", "--scales", "0.5,0.5"});
  EXPECT_NEAR(one.at("rows").at(0).at("error_mean").get<double>(), same.at("rows").at(0).at("error_mean").get<double>(), 1e-12);
}

TEST(KernelText, Refusals) {
  expect_refused({"masses", "--kernel", "gaussian + ", "--dim", "2"}, {"at character 12", "the end"});
  expect_refused({"masses", "--kernel", "gaussian + gausian", "--dim", "2"}, {"at character 12", "'gausian'"});
  expect_refused({"masses", "--kernel", "gaussian + laplacian", "--dim", "2", "--sigma", "1"}, {"--sigma", "--scales"});
  expect_refused({"masses", "--kernel", "gaussian*causal-gamma", "--dim", "2"}, {"does not know the mass"});
  expect_refused({"masses", "--kernel", "gaussian*causal-gamma", "--dim", "2", "--method", "quadrature"}, {"not known pointwise"});
  expect_refused({"masses", "--kernel", "gaussian", "--dim", "2", "--scales", "1,0"}, {"scales", "0"});
  expect_refused({"masses", "--kernel", "gaussian", "--dim", "2", "--scales", "1,2,3"}, {"--scales", "3", "2"});
  expect_refused({"masses", "--kernel", "causal-gamma", "--dim", "2", "--shape", "1"}, {"shape is 1", "no finite mass"});
}

}  // namespace
}  // namespace askrff::test
