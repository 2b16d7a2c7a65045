// Ends of smooth pieces: where they are found, and what they save.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "found_measures/line_breaks.hpp"

namespace askrff::test {
namespace {

using found_measures::Line;
using found_measures::LineFunction;
using found_measures::LineProfile;
using found_measures::Panel;
using found_measures::Search;

template <class Function>
LineFunction everywhere(Function f) {
  return [f](std::span<const double> x, std::span<double> values) {
    for (std::size_t i = 0; i < x.size(); ++i) values[i] = f(x[i]);
  };
}

TEST(LineBreaks, AreWherePiecesChange) {
  const std::vector<Panel> panels{{.from = -2, .to = -1}, {.from = 0, .to = 1}, {.from = 1, .to = 4}};
  const auto thirds = everywhere([](double x) { return std::floor(3 * x); });
  const auto breaks = found_measures::find_breaks(thirds, 2.0, panels);  // x = 2·6^-1·n in units, and not between the panels
  std::vector<double> inside;                                            // at the ends of panels they are of no use
  for (const double at : breaks)
    if (std::fabs(at - std::round(at)) > 1e-6) inside.push_back(at);
  std::vector<double> expected;
  for (int n = -12; n < 24; ++n)
    if (n % 6 != 0 && (n < -6 || n > 0)) expected.push_back(n / 6.0);
  ASSERT_EQ(inside.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(inside[i], expected[i], 0x1p-35);
  EXPECT_TRUE(found_measures::find_breaks(everywhere([](double) { return 1.0; }), 1.0, panels).empty());
  EXPECT_TRUE(found_measures::find_breaks(everywhere([](double) { return NAN; }), 1.0, panels).empty()) << "too many to be followed";
}

/// 1 - 3|x - 1/5| where that is positive: kinks at places that no halving meets.
double hat(double x) { return std::fmax(0.0, 1 - 3 * std::fabs(x - 0.2)); }
double piece_of_hat(double x) { return x < 0.2 - 1.0 / 3 ? 0 : x < 0.2 ? 1 : x < 0.2 + 1.0 / 3 ? 2 : 3; }

TEST(LineBreaks, PanelsEndThere) {
  const Search search("hat");
  const LineProfile halved({everywhere(&hat)}, 1e-6, search), cut({everywhere(&hat), everywhere(&piece_of_hat)}, 1e-6, search);
  EXPECT_LT(cut.n_panels() + 20, halved.n_panels()) << "most of them are near 0, octave by octave";
  for (const LineProfile* profile : {&halved, &cut})
    for (const double omega : {0.0, 0.7, 5.0, 60.0, 900.0}) {
      const double x = omega * profile->x_unit(), sinc = omega == 0 ? 1 : std::sin(omega / 6) / (omega / 6);
      const auto found = profile->fourier(x);
      const double size = sinc * sinc / (6 * std::numbers::pi), scale = profile->f_unit() * profile->x_unit();
      EXPECT_NEAR(found.real() * scale, size * std::cos(0.2 * omega), 1e-9) << omega;
      EXPECT_NEAR(found.imag() * scale, -size * std::sin(0.2 * omega), 1e-9) << omega;
    }
}

}  // namespace
}  // namespace askrff::test
