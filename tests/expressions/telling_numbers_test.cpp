// Where formulas may do something narrow: their constants, what two of them make, and where pieces end.
#include "expressions/telling_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

namespace askrff::test {
namespace {

using expressions::Meaning;

/// Of x = input 0 - input 1, r = √input 0, s = 0.7; other names are further inputs.
std::vector<double> numbers_of(const std::string& formula) {
  const expressions::Syntax syntax = expressions::parse(formula);
  expressions::Meanings meanings;
  for (const auto& name : syntax.names)
    meanings.push_back(name.text == "s"   ? Meaning{.constant = 0.7}
                       : name.text == "r" ? Meaning{.kind = Meaning::Kind::root_of_input}
                                          : Meaning{.kind = Meaning::Kind::difference_of_inputs});
  return expressions::telling_numbers(syntax, meanings);
}

bool has(const std::vector<double>& numbers, double wanted) {
  return std::ranges::any_of(numbers, [&](double number) { return std::fabs(number - wanted) <= 1e-12 * wanted; });
}

TEST(TellingNumbers, ConstantsAndWhatTwoOfThemMake) {
  const auto numbers = numbers_of("exp(-x*x/s) + (x > 0.3)*sin(5 + sqrt(0.16)*x)");
  for (const double wanted : {0.7, 0.3, 5.0, 0.16, 0.4, 1.0, 5.3, 4.7, 0.21, 0.3 / 0.7, 0.7 / 0.3})
    EXPECT_TRUE(has(numbers, wanted)) << wanted;
  EXPECT_TRUE(std::ranges::all_of(numbers, [](double number) { return number > 0; }));
  EXPECT_EQ(std::set<double>(numbers.begin(), numbers.end()).size(), numbers.size());
}

TEST(TellingNumbers, WherePiecesEnd) {
  struct Case {
    const char* formula;
    double wanted;
  };
  const Case cases[] = {{"abs(exp(x) - 1.35)", std::log(1.35)}, {"x*x*x < 3", std::cbrt(3)},
                        {"max(x, cos(x))", 0.7390851332151607}, {"min(exp(-x), 0.2)", std::log(5)},
                        {"step(x^2 - 2)", std::sqrt(2)},        {"sign(log(r) + s)", std::exp(-0.7)},
                        {"(x^3 - 2)^2 < 1e-9", std::cbrt(2)},   {"(x^3 - 2)^2 < -1e-9 ? 1 : 0", std::cbrt(2)}};
  for (const Case& each : cases) {
    const auto numbers = numbers_of(each.formula);
    EXPECT_TRUE(std::ranges::any_of(numbers, [&](double number) { return std::fabs(number / each.wanted - 1) < 1e-4; })) << each.formula;
  }
}

TEST(TellingNumbers, FewHoweverLongTheFormula) {
  std::string formula = "x";
  for (int i = 1; i < 200; ++i) formula += "+abs(sin(" + std::to_string(i) + ".5*x))";
  EXPECT_LT(numbers_of(formula).size(), 1000u);
  EXPECT_EQ(numbers_of("exp(-x*x)").size(), 0u);
  // Of several variables: numbers alone.
  EXPECT_EQ(numbers_of("abs(exp(x) - 2*y)"), (std::vector<double>{2}));
}

}  // namespace
}  // namespace askrff::test
