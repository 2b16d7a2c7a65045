// Numbers, axes and text of a report.
#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "experiments/report/axis.hpp"
#include "experiments/report/embedded.hpp"
#include "experiments/report/gnuplot.hpp"
#include "experiments/report/html.hpp"
#include "experiments/report/numbers.hpp"
#include "experiments/report/text.hpp"

namespace askrff::test {
namespace {

using namespace experiments;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(ReportNumbers, AsPeopleReadThem) {
  EXPECT_EQ(rounded(0.012345), "0.0123");
  EXPECT_EQ(rounded(4.926e-4), "4.93·10⁻⁴");
  EXPECT_EQ(rounded(9.999e-4), "0.00100");
  EXPECT_EQ(rounded(-12.34), "−12.3");
  EXPECT_EQ(rounded(1234567), "1.23·10⁶");
  EXPECT_EQ(rounded(0.0), "0");
  EXPECT_EQ(rounded(nan), "–");
  EXPECT_EQ(rounded(Spread{44.26, 5.08, 10}), "44.3 ± 5.1");
  EXPECT_EQ(rounded(Spread{4.926e-4, 3.14e-5, 10}), "(4.93 ± 0.31)·10⁻⁴");
  EXPECT_EQ(rounded(Spread{0.5, nan, 1}), "0.500");
  EXPECT_EQ(rounded(Spread{1, 0, 10}), "1.000 ± 0");
  EXPECT_EQ(fixed(Spread{92.6891, 0.2074, 10}, 3), "92.689 ± 0.207");
  EXPECT_EQ(signed_fixed(0.44, 1), "+0.4");
  EXPECT_EQ(signed_fixed(-2.31, 1), "−2.3");
  EXPECT_EQ(grouped(271617), "271\u202f617");
  EXPECT_EQ(grouped(1841), "1841");
  EXPECT_EQ(duration(3.4e-5), "34 µs");
  EXPECT_EQ(duration(3.42), "3.4 s");
  EXPECT_EQ(duration(320), "5 min 20 s");
  EXPECT_EQ(duration(7500), "2 h 5 min");
  EXPECT_EQ(duration(nan), "–");
}

TEST(ReportAxes, EncloseWhatTheyShow) {
  for (const auto& [low, high] :
       std::vector<std::pair<double, double>>{{0, 0}, {1, 1}, {-3, 40}, {71.2, 71.3}, {1e-9, 2e-9}, {0, 1e12}, {100, 100}}) {
    Extent extent;
    extent.include(low);
    extent.include(high);
    extent.include(nan);
    for (const Axis& axis : {linear_axis(extent), low > 0 ? logarithmic_axis(extent, false) : linear_axis(extent)}) {
      EXPECT_LT(axis.low, axis.high) << low << " " << high;
      EXPECT_LE(axis.low, low);
      EXPECT_GE(axis.high, high);
      EXPECT_GE(axis.marks.size(), 2u) << low << " " << high;
      EXPECT_LE(axis.marks.size(), 12u) << low << " " << high;
      std::set<std::string> labels;
      for (const Mark& mark : axis.marks) labels.insert(mark.label);
      EXPECT_EQ(labels.size(), axis.marks.size()) << "two marks read the same";
    }
  }
  EXPECT_LT(linear_axis({}).low, linear_axis({}).high);
  EXPECT_LT(logarithmic_axis({}, true).low, logarithmic_axis({}, true).high);
}

TEST(ReportText, IsEscapedOnEveryWayIn) {
  EXPECT_EQ(escaped("a<b>&\"'").markup, "a&lt;b&gt;&amp;&quot;&#39;");
  EXPECT_EQ(html("<p>{}</p>", "<i>").markup, "<p>&lt;i&gt;</p>");
  EXPECT_EQ(html("<p>{}</p>", html("<i>")).markup, "<p><i></p>");
  EXPECT_EQ(clean("a\xff\x01z\n"), "a\uFFFD z ");
  EXPECT_EQ(file_stem("cod-RNA"), "cod-rna");
  EXPECT_EQ(file_stem("../a b//"), "a-b");
  EXPECT_EQ(file_stem("/"), "x");
  EXPECT_EQ(gnuplot_string("it's `x`"), "'it’s ‘x‘'");
}

TEST(ReportErrata, HaveTheTitlesOfTheDocument) {
  ASSERT_GE(erratum_titles().size(), 16u);
  for (std::size_t i = 0; i < erratum_titles().size(); ++i) EXPECT_EQ(erratum_titles()[i].number, static_cast<int>(i) + 1);
  EXPECT_EQ(erratum_titles()[0].title, "The sign in Algorithm 2");
}

}  // namespace
}  // namespace askrff::test
