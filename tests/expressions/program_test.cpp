// What formulas compute: random ones against long double on every backend, what is folded, registers, tables inside.
#include "expressions/program.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "askrff/errors.hpp"
#include "backend/every_backend.hpp"
#include "expressions/exact_expression.hpp"

namespace askrff::test {
namespace {

using expressions::Meaning;
using expressions::parse;
using expressions::Program;

class EveryProgram : public EveryBackend {};
INSTANTIATE_TEST_SUITE_P(Backends, EveryProgram, testing::ValuesIn(backend_names()), backend_test_name);

/// Names u and v are inputs 0 and 1, s is 0.7.
expressions::Meanings meanings_of(const expressions::Syntax& syntax) {
  expressions::Meanings meanings;
  for (const auto& name : syntax.names)
    meanings.push_back(name.text == "s" ? Meaning{.constant = 0.7}
                                        : Meaning{.kind = Meaning::Kind::input, .input = name.text == "v" ? 1u : 0u});
  return meanings;
}

std::vector<double> run(const Program& program, const backend::Primitives& primitives, const std::vector<double>& u,
                        const std::vector<double>& v) {
  std::vector<double> registers(program.n_registers() * expressions::block_size), out(u.size());
  const backend::Operand inputs[] = {{u.data(), false}, {v.data(), false}};
  program.run(primitives, inputs, u.size(), registers.data(), out.data());
  return out;
}

/// A random formula of about `size` operations.
class Writer {
 public:
  explicit Writer(unsigned seed) : random_(seed) {}
  std::string formula(int size) {
    if (size <= 0) return leaf();
    switch (random_() % 8) {
      case 0:
        return "(" + formula(size / 2) + " + " + formula(size / 2) + ")";
      case 1:
        return "(" + formula(size / 2) + " - " + formula(size / 2) + ")";
      case 2:
        return formula(size / 2) + " * " + "(" + formula(size / 2) + ")";
      case 3:
        return "(" + formula(size / 2) + ")/(" + formula(size / 2) + ")";
      case 4:
        return "(" + formula(size - 1) + ")^" + power();
      case 5:
        return "if(" + formula(size / 3) + " < " + formula(size / 3) + ", " + formula(size / 3) + ", " + formula(size / 3) + ")";
      default:
        return call(size);
    }
  }

 private:
  std::string leaf() {
    const char* const leaves[] = {"u", "v", "s", "1", "2.5", "-u", "0.125", "3"};
    return leaves[random_() % 8];
  }
  std::string power() {
    const char* const powers[] = {"2", "3", "-1", "0.5", "-2", "1.5", "5", "(s)"};
    return powers[random_() % 8];
  }
  std::string call(int size) {
    const char* const names[] = {"exp", "log",  "sqrt",  "abs",   "sin",  "cos",  "tanh", "atan",
                                 "erf", "erfc", "log1p", "expm1", "sinh", "cosh", "sign"};
    return std::string(names[random_() % 15]) + "(" + formula(size - 1) + ")";
  }
  std::mt19937 random_;
};

TEST_P(EveryProgram, RandomFormulasAgreeWithLongDouble) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> u(40), v(40);
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = normal(random);
    v[i] = 2 * normal(random);
  }
  std::size_t n_compared = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    const std::string formula = Writer(seed).formula(static_cast<int>(2 + seed % 12));
    const auto syntax = parse(formula);
    std::vector<double> got;
    try {
      got = run(Program(syntax, meanings_of(syntax)), primitives(), u, v);
    } catch (const InvalidArgument&) {
      continue;  // a constant part is not finite
    }
    for (std::size_t i = 0; i < u.size(); ++i) {
      std::vector<double> values;
      for (const auto& name : syntax.names) values.push_back(name.text == "s" ? 0.7 : name.text == "v" ? v[i] : u[i]);
      const Exact exact = exact_value(syntax, values);
      if (!(std::fabs(exact.value) < 1e200L) || !(exact.error < 1e-3L * (1 + std::fabs(exact.value)))) continue;
      ++n_compared;
      ASSERT_LE(std::fabs(got[i] - exact.value), 2 * exact.error + 1e-300L) << formula << " at " << u[i] << ", " << v[i];
    }
  }
  EXPECT_GT(n_compared, 20'000u);
}

TEST_P(EveryProgram, GivesTheSameBitsForAnyBlock) {
  const auto syntax = parse("exp(-abs(u + 0.3)/s) * (1 + 0.5*tanh(v)) + erf(u)^3 - (u > v ? sin(u) : pow(abs(v), s))");
  const Program program(syntax, meanings_of(syntax));
  std::vector<double> u(expressions::block_size), v(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = std::sin(static_cast<double>(7 * i));
    v[i] = 3 * std::cos(static_cast<double>(11 * i));
  }
  const auto whole = run(program, primitives(), u, v);
  for (std::size_t i = 0; i < u.size(); i += 13) EXPECT_EQ(run(program, primitives(), {u[i]}, {v[i]})[0], whole[i]);
}

// Differences are made wherever they are wanted, or once: the same bits as of differences that are given.
TEST_P(EveryProgram, DifferencesOfInputsAreLikeInputs) {
  const std::size_t n = 150;
  const double x = 0.375;
  std::vector<double> y(n), u(n), v(n);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = std::sin(static_cast<double>(7 * i));
    u[i] = x - y[i];
    v[i] = 3 * std::cos(static_cast<double>(11 * i));
  }
  for (unsigned seed = 0; seed < 1000; ++seed) {
    const auto syntax = parse(Writer(seed).formula(static_cast<int>(2 + seed % 20)));
    expressions::Meanings given = meanings_of(syntax), differences;
    for (const Meaning& each : given)
      differences.push_back(each.kind != Meaning::Kind::input ? each
                            : each.input == 0                 ? Meaning{.kind = Meaning::Kind::difference_of_inputs}
                                                              : Meaning{.kind = Meaning::Kind::input, .input = 2});
    try {
      const auto expected = run(Program(syntax, given), primitives(), u, v);
      const Program program(syntax, differences);
      std::vector<double> registers(program.n_registers() * expressions::block_size), got(n);
      const backend::Operand inputs[] = {{&x, true}, {y.data(), false}, {v.data(), false}};
      program.run(primitives(), inputs, n, registers.data(), got.data());
      for (std::size_t i = 0; i < n; ++i)
        ASSERT_TRUE(got[i] == expected[i] || (std::isnan(got[i]) && std::isnan(expected[i]))) << seed << " at " << i;
    } catch (const InvalidArgument&) {
      continue;  // a constant part is not finite
    }
  }
}

Program compiled(const std::string& formula) {
  const auto syntax = parse(formula);
  return Program(syntax, meanings_of(syntax));
}

TEST(Program, FoldsConstantsAndTakesEqualPartsOnce) {
  EXPECT_EQ(compiled("u*u/(2*s^2)").n_instructions(), 2u);
  EXPECT_EQ(compiled("exp(-(u*u)/(2*s^2))").n_instructions(), 3u);
  EXPECT_EQ(compiled("u^2 + u*u").n_instructions(), 2u);
  EXPECT_EQ(compiled("exp(u*v) * exp(v*u)").n_instructions(), 3u);
  EXPECT_EQ(compiled("u").n_instructions(), 0u);
  EXPECT_EQ(compiled("if(s < 1, u, exp(v))").n_instructions(), 0u);
  EXPECT_EQ(compiled("u^1 + 0*1 + (v - v*0 - 0)").n_instructions(), 2u);
  EXPECT_EQ(compiled("1 - 2*u + v*u").n_instructions(), 2u);
  EXPECT_EQ(compiled("1*u").n_instructions(), 0u);
  EXPECT_LE(compiled("((((u+1)*v+2)*u+3)*v+4)*u").n_registers(), 1u);
}

TEST(Program, TheRootOfASquareIsNotTakenWhereItIsSquaredAgain) {
  const auto syntax = parse("r^2 + r^4");
  const Program program(syntax, {{.kind = Meaning::Kind::root_of_input}});
  EXPECT_EQ(program.n_instructions(), 1u);
  EXPECT_EQ(run(program, backend::reference_primitives(), {9}, {0})[0], 90);
}

// exp(u)·f in two parts, added to and multiplied with what is there; the value again is that of the formula.
TEST_P(EveryProgram, FactorsAreSplitIntoExponentAndRest) {
  const std::vector<std::string> formulas = {"exp(-abs(u)/s)",
                                             "exp(-u^2)*(1 + 0.5*tanh(u))",
                                             "-2*exp(u)/exp(3*u)*cos(u)",
                                             "u*u - 3",
                                             "exp(u) + exp(-u)",
                                             "exp(u)*exp(u)*u",
                                             "(exp(-u^2)*(1 + u))^4",
                                             "exp(2)*u",
                                             "u/(1 + exp(u))"};
  const std::vector<double> u = {-2, -0.5, 0, 0.25, 1, 1.75};
  for (const std::string& formula : formulas) {
    const auto syntax = parse(formula);
    const Program plain(syntax, meanings_of(syntax)), factor = Program::factor(syntax, meanings_of(syntax));
    std::vector<double> registers(factor.n_registers() * expressions::block_size), sums(u.size(), 0.5), products(u.size(), 3.0);
    const backend::Operand inputs[] = {{u.data(), false}, {sums.data(), false}, {products.data(), false}};
    double* const outputs[] = {sums.data(), products.data()};
    factor.run(primitives(), inputs, u.size(), registers.data(), std::span(outputs).subspan(factor.exponents() ? 0 : 1));
    const auto expected = run(plain, primitives(), u, u);
    for (std::size_t i = 0; i < u.size(); ++i)
      EXPECT_NEAR(std::exp(sums[i] - 0.5) * products[i] / 3, expected[i], 1e-14 * (1 + std::fabs(expected[i])))
          << formula << " at " << u[i];
    EXPECT_EQ(factor.exponents(),
              formula.find("exp(") != std::string::npos && formula.find("+ exp") == std::string::npos && formula != "exp(2)*u" &&
                  formula.find(")^4") == std::string::npos)  // powers stay together
        << formula;
    EXPECT_EQ(factor.factors(), formula != "exp(-abs(u)/s)") << formula;
  }
}

TEST(Program, ConstantPartsHaveToBeFinite) {
  const auto refusal = [](const std::string& formula) {
    try {
      compiled(formula);
    } catch (const InvalidArgument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal("u + 1/0"), "expression, column 6: the constant is inf, expected a finite number");
  EXPECT_EQ(refusal("u * log(-s)"), "expression, column 5: the constant is nan, expected a finite number");
  EXPECT_NE(refusal("u + 1e300*1e300"), "");
  EXPECT_EQ(refusal("if(s > 0, u, 1/0)"), "");
}

TEST_P(EveryProgram, TablesAreFunctions) {
  const auto syntax = parse("2*f(u)^2 + f(u + 1) - f(0.5)");
  const std::vector<double> pairs = {0, 0, 1, 1, 2, 4, 3, 9};
  const auto table = std::make_shared<const expressions::Table>(pairs, "f");
  expressions::Meanings meanings;
  for (const auto& name : syntax.names)
    meanings.push_back(name.is_table ? Meaning{.kind = Meaning::Kind::table, .table = table} : Meaning{.kind = Meaning::Kind::input});
  const Program program(syntax, meanings);
  const std::vector<double> u = {-2, -0.5, 0, 0.25, 1, 1.75, 2.5, 3, 4};
  const auto got = run(program, primitives(), u, u);
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double f = table->value(u[i]);
    EXPECT_NEAR(got[i], 2 * f * f + table->value(u[i] + 1) - table->value(0.5), 1e-12) << u[i];
  }
}

}  // namespace
}  // namespace askrff::test
