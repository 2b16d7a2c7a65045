// askrff kernels, masses and bound: fields, types, methods, refusals.
#include "cli/command.hpp"

#include <cmath>

#include "askrff/kernels.hpp"

namespace askrff::test {
namespace {

using nlohmann::json;

TEST(Kernels, JsonIsTheRegistry) {
  const json kernels = run_json({"kernels"}).at("kernels");
  ASSERT_EQ(kernels.size(), kernel_registry().size());
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const KernelInfo& info = kernel_registry()[i];
    EXPECT_EQ(kernels[i].at("name"), info.name);
    EXPECT_EQ(kernels[i].at("formula"), info.formula);
    EXPECT_EQ(kernels[i].at("symmetric"), info.symmetric);
    EXPECT_EQ(kernels[i].at("positive_definite"), info.positive_definite);
    ASSERT_EQ(kernels[i].at("parameters").size(), info.parameters.size());
    for (std::size_t j = 0; j < info.parameters.size(); ++j) {
      const json& parameter = kernels[i].at("parameters")[j];
      EXPECT_EQ(parameter.at("name"), info.parameters[j].name);
      EXPECT_TRUE(parameter.at("meaning").is_string());
      EXPECT_TRUE(parameter.at("default").is_number() || parameter.at("default").is_string());
      EXPECT_EQ(parameter.at("per_coordinate"), info.parameters[j].per_coordinate);
    }
  }
}

TEST(Kernels, TableHasALinePerKernel) {
  const Outcome table = run({"kernels"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.err, "");
  for (const KernelInfo& kernel : kernel_registry()) EXPECT_NE(table.out.find("\n" + kernel.name + " "), std::string::npos) << kernel.name;
}

void expect_mass_fields(const json& masses) {
  for (const char* field : {"kernel", "method"}) EXPECT_TRUE(masses.at(field).is_string()) << field;
  EXPECT_TRUE(masses.at("dim").is_number_unsigned());
  for (const char* field : {"real_positive", "real_negative", "imaginary_positive", "total", "k0"})
    EXPECT_TRUE(masses.at(field).is_number()) << field;
  EXPECT_TRUE(masses.at("total_variation").is_number() || masses.at("total_variation").is_null());
  EXPECT_TRUE(masses.at("parameters").is_object());
  const double sum = masses.at("real_positive").get<double>() + masses.at("real_negative").get<double>() +
                     2 * masses.at("imaginary_positive").get<double>();
  EXPECT_NEAR(masses.at("total").get<double>(), sum, 1e-14 * sum);
}

TEST(Masses, ExactFields) {
  const json masses = run_json({"masses", "--kernel", "shift-gaussian", "--dim", "8", "--sigma", "2", "--shift", "0.25"});
  expect_mass_fields(masses);
  EXPECT_EQ(masses.at("kernel"), "shift-gaussian");
  EXPECT_EQ(masses.at("dim"), 8);
  EXPECT_EQ(masses.at("method"), "exact");
  EXPECT_EQ(masses.at("parameters"), json({{"sigma", 2.0}, {"shift", 0.25}}));
  EXPECT_NEAR(masses.at("real_negative").get<double>(), 6.4512722071851964e-7, 1e-19);
  EXPECT_NEAR(masses.at("log_real_negative").get<double>(), std::log(6.4512722071851964e-7), 1e-12);
  EXPECT_NEAR(masses.at("total_variation").get<double>(), 1.0, 1e-15);
}

TEST(Masses, FormsOfAVectorParameterAgree) {
  const Arguments call{"masses", "--kernel", "shift-gaussian", "--dim", "2"};
  const json by_default = run_json(call);
  for (const char* shift : {"1", "2/d", "1,1", "+1", "1e0,1.0"}) {
    const json masses = run_json(call + Arguments{"--shift", shift});
    EXPECT_EQ(masses.at("real_positive"), by_default.at("real_positive")) << shift;
  }
  const json negative = run_json(call + Arguments{"--shift", "-1,-1"});
  EXPECT_EQ(negative.at("real_positive"), by_default.at("real_positive"));
  EXPECT_EQ(negative.at("parameters").at("shift"), json::array({-1.0, -1.0}));
}

TEST(Masses, AnEmptyPartHasNoLogarithm) {
  const json masses = run_json({"masses", "--kernel", "sinh-gaussian", "--dim", "3"});
  EXPECT_EQ(masses.at("real_negative"), 0.0);
  EXPECT_TRUE(masses.at("log_real_negative").is_null());
  const json gaussian = run_json({"masses", "--kernel", "gaussian", "--dim", "3"});
  EXPECT_EQ(gaussian.at("real_positive"), 1.0);
  EXPECT_EQ(gaussian.at("total"), 1.0);
}

TEST(Masses, EveryKernelOfTheRegistryHasMasses) {
  for (const KernelInfo& kernel : kernel_registry()) {
    const std::string name = kernel.wraps_another ? kernel.name.substr(0, kernel.name.find(':')) + ":gaussian" : kernel.name;
    SCOPED_TRACE(name);
    const json masses = run_json({"masses", "--kernel", name, "--dim", name == "skew-normal" ? "1" : "2"});
    expect_mass_fields(masses);
    EXPECT_NEAR(masses.at("real_positive").get<double>() - masses.at("real_negative").get<double>(), masses.at("k0").get<double>(), 1e-13);
  }
}

TEST(Masses, QuadratureAgreesWithExact) {
  for (const char* kernel : {"shift-gaussian", "sinh-gaussian", "cosh-gaussian"}) {
    const Arguments call{"masses", "--kernel", kernel, "--dim", "2"};
    const json exact = run_json(call), quadrature = run_json(call + Arguments{"--method", "quadrature"});
    expect_mass_fields(quadrature);
    EXPECT_EQ(quadrature.at("method"), "quadrature");
    for (const char* field : {"real_positive", "real_negative", "imaginary_positive", "total"})
      EXPECT_NEAR(quadrature.at(field).get<double>(), exact.at(field).get<double>(), 1e-7 * exact.at("total").get<double>()) << field;
  }
  expect_refused({"masses", "--kernel", "shift-gaussian", "--dim", "4", "--method", "quadrature"}, {"3"});
}

TEST(Masses, SubsetFitComesNear) {
  const Arguments call{"masses",   "--kernel", "shift-gaussian", "--method", "subset", "--data", "builtin:gauss1d",
                       "--subset", "10",       "--frequencies",  "1024",     "--seed", "3"};
  const json masses = run_json(call);
  expect_mass_fields(masses);
  EXPECT_EQ(masses.at("method"), "subset");
  EXPECT_EQ(masses.at("dim"), 1);
  EXPECT_TRUE(masses.at("total_variation").is_null());
  // One run of figure 1 spreads by 0.003 and 0.002: ten deviations.
  EXPECT_NEAR(masses.at("real_positive").get<double>(), 0.6503, 0.03);
  EXPECT_NEAR(masses.at("imaginary_positive").get<double>(), 0.2896, 0.03);
  EXPECT_NEAR(masses.at("real_positive").get<double>() - masses.at("real_negative").get<double>(), masses.at("k0").get<double>(), 1e-14);
  EXPECT_EQ(masses, run_json(call + Arguments{"--dim", "1"}));
  EXPECT_NE(masses.at("real_positive"), run_json(call + Arguments{"--sampler", "rejection"}).at("real_positive"));
}

TEST(Masses, OptionsOfAnotherMethodAreRefused) {
  const Arguments exact{"masses", "--kernel", "shift-gaussian", "--dim", "1"};
  const std::vector<Arguments> of_subset{{"--data", "builtin:gauss1d"}, {"--subset", "10"},    {"--frequencies", "64"},    {"--seed", "1"},
                                         {"--sampler", "exact"},        {"--scale", "minmax"}, {"--min-acceptance", "0.1"}};
  for (const Arguments& option : of_subset) {
    expect_refused(exact + option, {option.front(), "--method subset"});
    expect_refused(exact + option + Arguments{"--method", "quadrature"}, {option.front(), "--method subset"});
  }
  expect_refused(exact + Arguments{"--method", "subset"}, {"--data"});
  expect_refused(exact + Arguments{"--method", "guess"}, {"--method", "exact, quadrature or subset"});
  expect_refused({"masses", "--kernel", "shift-gaussian", "--dim", "2", "--method", "subset", "--data", "builtin:gauss1d"},
                 {"--dim", "2", "1 column"});
  const Arguments subset{"masses", "--kernel", "shift-gaussian", "--method", "subset", "--data", "builtin:gauss1d"};
  expect_refused(subset + Arguments{"--subset", "0"}, {"--subset"});
  expect_refused(subset + Arguments{"--frequencies", "0"}, {"--frequencies"});
  expect_refused(subset + Arguments{"--frequencies", "16,32"}, {"--frequencies"});
  expect_refused(subset + Arguments{"--seed", "-1"}, {"--seed"});
  expect_refused(subset + Arguments{"--seed", "18446744073709551616"}, {"--seed"});
  expect_refused(subset + Arguments{"--min-acceptance", "0.1"}, {"--min-acceptance", "--sampler rejection"});
}

TEST(Masses, TableNamesTheKernelAndItsParts) {
  const Outcome table = run({"masses", "--kernel", "cosh-gaussian", "--dim", "8"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_EQ(table.err, "");
  for (const char* part : {"cosh-gaussian", "8 dimensions", "real_positive", "real_negative", "imaginary_positive", "total", "k(0)"})
    EXPECT_NE(table.out.find(part), std::string::npos) << part;
}

TEST(Bound, Fields) {
  const json bound = run_json(
      {"bound", "--kernel", "shift-gaussian", "--dim", "57", "--epsilon", "0.1", "--delta", "0.05", "--diameter", "7.5498344352707497"});
  EXPECT_EQ(bound.at("n_frequencies"), 564814);
  EXPECT_TRUE(bound.at("n_frequencies").is_number_unsigned());
  EXPECT_TRUE(bound.at("n_frequencies_sharp").is_number_unsigned());
  for (const char* field : {"beta_d", "sigma_mu2", "alpha_mu2", "total", "epsilon", "delta", "diameter"})
    EXPECT_TRUE(bound.at(field).is_number()) << field;
  EXPECT_EQ(bound.at("kernel"), "shift-gaussian");
  EXPECT_EQ(bound.at("dim"), 57);
}

TEST(Bound, TableEndsInASentence) {
  const Outcome table = run({"bound", "--kernel", "shift-gaussian", "--dim", "1", "--diameter", "1"});
  EXPECT_EQ(table.exit_code, 0);
  EXPECT_NE(table.out.find("13794"), std::string::npos) << table.out;
  EXPECT_NE(table.out.find("with probability 0.95"), std::string::npos) << table.out;
}

TEST(Bound, ValuesOutOfRangeAreRefused) {
  const Arguments call{"bound", "--kernel", "shift-gaussian", "--dim", "8"};
  for (const char* bad : {"0", "-1", "nan", "inf", "x"}) {
    expect_refused(call + Arguments{"--diameter", bad});
    expect_refused(call + Arguments{"--diameter", "1", "--epsilon", bad});
    expect_refused(call + Arguments{"--diameter", "1", "--delta", bad});
  }
  expect_refused(call + Arguments{"--diameter", "1", "--delta", "1.5"}, {"delta"});
  // Its second moment is infinite.
  expect_refused({"bound", "--kernel", "laplacian", "--dim", "8", "--diameter", "1"}, {"second moment"});
}

TEST(Masses, SamplersWithoutPartsAreRefused) {
  expect_refused({"masses", "--kernel", "shift-gaussian", "--method", "subset", "--data", "builtin:uniform:3:100", "--sampler", "ridge"},
                 {"--sampler", "ridge", "orthogonal"});
}

}  // namespace
}  // namespace askrff::test
