// askrff demo: what it shows is there and true.
#include <sstream>

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

TEST(Demo, TheErrorOfThePaperIsCertifiedWithManyTimesFewerFeatures) {
  const nlohmann::json demo = run_json({"demo", "--points", "100"});
  std::size_t n_curves = 0;
  for (const auto& kernel : demo.at("kernels")) {
    SCOPED_TRACE(kernel.at("kernel").get<std::string>());
    const auto& saving = kernel.at("saving");
    EXPECT_EQ(saving.at("tolerance"), kernel.at("rows").back().at("error_mean"));
    EXPECT_EQ(saving.at("paper_features"), kernel.at("rows").back().at("n_features"));
    EXPECT_TRUE(saving.at("certificate").at("reached").get<bool>());
    EXPECT_LE(saving.at("certificate").at("upper").get<double>(), saving.at("tolerance").get<double>());
    EXPECT_GT(saving.at("factor").get<double>(), 10);
    EXPECT_DOUBLE_EQ(saving.at("factor").get<double>() * saving.at("certificate").at("n_features").get<double>(),
                     saving.at("paper_features").get<double>());
    if (!saving.contains("curves")) continue;
    ++n_curves;
    EXPECT_EQ(saving.at("curves").at("paper").size(), 4u);
    EXPECT_EQ(saving.at("curves").at("chosen").size(), 6u);
  }
  EXPECT_EQ(n_curves, 1u);
}

TEST(Demo, ThePictureFitsATerminal) {
  const Outcome demo = run({"demo", "--points", "50"});
  const std::size_t start = demo.out.find("  error, sinh-gaussian\n"), end = demo.out.find("What to try next");
  ASSERT_NE(start, std::string::npos) << demo.out;
  std::istringstream picture(demo.out.substr(start, end - start));
  std::size_t n_lines = 0;
  for (std::string line; std::getline(picture, line); ++n_lines) {
    const auto starts_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    EXPECT_LE(std::count_if(line.begin(), line.end(), starts_character), 79) << line;
  }
  EXPECT_LE(n_lines, 24u);
  for (const char* part : {"○", "●", "┤", "features", "1 %"}) EXPECT_NE(demo.out.find(part, start), std::string::npos) << part;
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
