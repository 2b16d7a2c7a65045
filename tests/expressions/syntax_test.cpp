// The language: precedence, names, errors with their columns, limits.
#include "expressions/syntax.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>

#include "askrff/errors.hpp"
#include "expressions/exact_expression.hpp"

namespace askrff::test {
namespace {

using expressions::parse;

/// The value of a formula where x = 3 and y = 0.25.
double value(const std::string& formula) {
  const auto syntax = parse(formula);
  const std::map<std::string, double> known = {{"x", 3}, {"y", 0.25}, {"long_Name2", 7}};
  std::vector<double> values;
  for (const auto& name : syntax.names) values.push_back(known.at(name.text));
  return static_cast<double>(exact_value(syntax, values).value);
}

/// where() and message() of the refusal, "" if there is none.
std::string refusal(const std::string& formula) {
  try {
    parse(formula);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Syntax, OperatorsBindAsInMathematics) {
  const std::map<std::string, double> expected = {
      {"1 + 2*3", 7},
      {"2*3 + 1", 7},
      {"1 - 2 - 3", -4},
      {"8/4/2", 1},
      {"8/4*2", 4},
      {"-x^2", -9},
      {"(-x)^2", 9},
      {"2^-1", 0.5},
      {"2^3^2", 512},
      {"2**3**2", 512},
      {"(2^3)^2", 64},
      {"-2^-2", -0.25},
      {"2*-x", -6},
      {"--x", 3},
      {"-+-x", 3},
      {"!x", 0},
      {"!0 + 1", 2},
      {"1 + x < 5", 1},
      {"x > 2 && y > 2 || 1", 1},
      {"1 || 0 && 0", 1},
      {"x >= 3", 1},
      {"x <= 2", 0},
      {"x == 3", 1},
      {"x != 3", 0},
      {"x < 1 ? 10 : 20", 20},
      {"x < 1 ? 10 : x < 4 ? 30 : 40", 30},
      {"x > 1 ? y > 1 ? 1 : 2 : 3", 2},
      {"if(x > 1, 5, 6) + 1", 6},
      {"1 + (x > 1 ? 5 : 6)", 6},
      {"min(x, y)", 0.25},
      {"max(1, x, 2, y)", 3},
      {"pow(x, 2)", 9},
      {"log2(8)", 3},
      {"log10(1000)", 3},
      {"long_Name2 + .5", 7.5},
      {"1e2 + 1.5E-1 + 2.", 102.15},
      {"\t( x )\n*\r2 ", 6},
      {"atan2(0, 1)", 0},
  };
  for (const auto& [formula, result] : expected) EXPECT_NEAR(value(formula), result, 1e-14) << formula;
}

TEST(Syntax, EveryFunctionIsKnownWithItsArguments) {
  for (const auto& function : expressions::functions()) {
    std::string arguments = "y";
    for (std::size_t i = 1; i < function.min_arguments; ++i) arguments += ", x";
    const std::string call = std::string(function.name) + "(" + arguments + ")";
    EXPECT_TRUE(std::isfinite(value(call))) << call;
    EXPECT_NE(refusal(std::string(function.name) + "()"), "") << call;
    EXPECT_NE(refusal(std::string(function.name)), "") << call;
  }
}

TEST(Syntax, NamesAndTablesAreTold) {
  const auto syntax = parse("f(x) + s*f(2*x) + s");
  ASSERT_EQ(syntax.names.size(), 3u);
  EXPECT_EQ(syntax.names[0].text, "x");
  EXPECT_EQ(syntax.names[1].text, "f");
  EXPECT_TRUE(syntax.names[1].is_table);
  EXPECT_EQ(syntax.names[2].text, "s");
  EXPECT_EQ(syntax.names[2].column, 8u);
}

TEST(Syntax, ErrorsSayTheColumnAndWhatWasExpected) {
  const std::map<std::string, std::string> expected = {
      {"", "expression, column 1: the expression ends, expected a number, a name, a function or \"(\""},
      {"   ", "expression, column 4: the expression ends, expected a number, a name, a function or \"(\""},
      {"1 +", "expression, column 4: the expression ends, expected a number"},
      {"exp(-*x)", "expression, column 6: got \"*\", expected a number"},
      {"(x", "expression, column 3: the expression ends, expected an operator or \")\""},
      {"x)", "expression, column 2: got \")\", expected an operator or the end"},
      {"2x", "expression, column 2: got \"x\", expected an operator or the end; products are written with *"},
      {"exp x", "expression, column 1: exp is a function, expected \"(\""},
      {"exp()", "expression, column 1: exp has 0 arguments, expected 1"},
      {"x + exp(x, 2)", "expression, column 5: exp has 2 arguments, expected 1"},
      {"min(x)", "expression, column 1: min has 1 argument, expected 2 to 16"},
      {"f(x, 2)", "expression, column 1: f has 2 arguments, expected 1"},
      {"f(x) + f", "expression, column 8: f stands for a number and for a table"},
      {"x < 1 < 2", "expression, column 7: got \"<\" behind another comparison"},
      {"x ? 1", "expression, column 6: the expression ends, expected an operator or \":\""},
      {"x : 1", "expression, column 3: got \":\""},
      {"1e999", "expression, column 1: got 1e999, expected a number that a double can hold"},
      {"x + 1e-999", "expression, column 5: got 1e-999, expected a number that a double can hold"},
      {"σ*x", "expression, column 1: got \"σ\", expected numbers, names of letters a to z"},
      {"x·σ", "expression, column 2: got \"·\""},
      {"x + $", "expression, column 5: got \"$\""},
      {"x = 2", "expression, column 3: got \"=\""},
      {"x & 1", "expression, column 3: got \"&\""},
      {"max(x 1)", "expression, column 7: got \"1\", expected an operator, \",\" or \")\""},
      {"x\x01", "expression, column 2: got \"\\x01\""},
      {"x\xff", "expression, column 2: got \"\\xff\""},
      {std::string("x\0y", 3), "expression, column 2: got \"\\x00\""},
  };
  for (const auto& [formula, text] : expected) EXPECT_EQ(refusal(formula).substr(0, text.size()), text) << formula;
}

TEST(Syntax, LimitsAreKept) {
  const auto repeated = [](const std::string& text, std::size_t n) {
    std::string all;
    for (std::size_t i = 0; i < n; ++i) all += text;
    return all;
  };
  EXPECT_EQ(refusal(repeated("(", 99) + "x" + repeated(")", 99)), "");
  EXPECT_NE(refusal(repeated("(", 2000) + "x" + repeated(")", 2000)).find("nested deeper than 100"), std::string::npos);
  EXPECT_NE(refusal(repeated("exp(", 500)).find("nested deeper than 100"), std::string::npos);
  EXPECT_NE(refusal("x" + repeated("^x", 500)).find("nested deeper than 100"), std::string::npos);
  EXPECT_NE(refusal(repeated("x?", 500) + "x").find("nested deeper than 100"), std::string::npos);
  EXPECT_NE(refusal("x" + repeated("?x:x", 500)).find("nested deeper than 100"), std::string::npos);
  EXPECT_EQ(refusal("x" + repeated("+x", 1000)), "");
  EXPECT_NE(refusal("x" + repeated("+x", 1001)).find("more than 1000 operations"), std::string::npos);
  EXPECT_NE(refusal(repeated("-", 4000) + "x").find("more than 1000 operations"), std::string::npos);
  EXPECT_EQ(refusal(repeated(" ", 4095) + "x"), "");
  EXPECT_EQ(refusal(repeated(" ", 4096) + "x"), "expression: 4097 characters, expected at most 4096");
}

}  // namespace
}  // namespace askrff::test
