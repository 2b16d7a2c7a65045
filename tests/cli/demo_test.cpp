// askrff demo: what it shows is there and true.
#include "cli/command.hpp"

namespace askrff::test {
namespace {

TEST(Demo, JsonShowsMassesErrorsAndAsymmetry) {
  const nlohmann::json demo = run_json({"demo", "--points", "100"});
  ASSERT_EQ(demo.at("kernels").size(), 3u);
  for (const auto& kernel : demo.at("kernels")) {
    SCOPED_TRACE(kernel.at("kernel").get<std::string>());
    EXPECT_GT(kernel.at("imaginary_positive").get<double>(), 0);
    const auto& rows = kernel.at("rows");
    ASSERT_EQ(rows.size(), 4u);
    EXPECT_LT(rows[3].at("error_mean").get<double>(), rows[0].at("error_mean").get<double>() / 3);
    ASSERT_EQ(kernel.at("pairs").size(), 3u);
    for (const auto& pair : kernel.at("pairs")) {
      EXPECT_NE(pair.at("k_xy"), pair.at("k_yx"));
      EXPECT_NEAR(pair.at("approx_xy").get<double>(), pair.at("k_xy").get<double>(), 0.3);
      EXPECT_NEAR(pair.at("approx_yx").get<double>(), pair.at("k_yx").get<double>(), 0.3);
    }
  }
}

TEST(Demo, TextEndsInWhatToTryNext) {
  const Outcome demo = run({"demo", "--points", "50"});
  EXPECT_EQ(demo.exit_code, 0);
  EXPECT_EQ(demo.err, "");
  for (const char* part : {"shift-gaussian", "sinh-gaussian", "cosh-gaussian", "k̂(y,x)", "What to try next"})
    EXPECT_NE(demo.out.find(part), std::string::npos) << part;
}

TEST(Demo, TooFewPointsAreRefused) {
  for (const char* points : {"0", "7", "x"}) expect_refused({"demo", "--points", points}, {"--points"});
}

}  // namespace
}  // namespace askrff::test
