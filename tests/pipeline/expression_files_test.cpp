// Maps and models of kernels by expression: fitted, trained, kept in files and read back to the bit; spoilt files are refused.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "askrff/choose.hpp"
#include "askrff/errors.hpp"
#include "askrff/map.hpp"
#include "askrff/model.hpp"
#include "pipeline/expect_same_model.hpp"
#include "pipeline/record_editor.hpp"
#include "support/random_inputs.hpp"
#include "support/same_bits.hpp"

namespace askrff::test {
namespace {

std::vector<KernelChoice> choices() {
  return {
      {"expr: exp(-abs(x + 0.3)/s) * (1 + 0.5*tanh(x))", {{"s", 0.8}}},
      {"expr: exp(-(x/s)^2)", {{"s", CoordinateParameter{0.5, 1, 2}}}},
      {"expr: exp(-(x - b)^2)", {{"b", CoordinateParameter::over_dim(0.6)}}},
      {"expr: f(r) * exp(0.2*t)", {{"a", CoordinateParameter{1, 0, -1}}, {"f", CoordinateParameter::list({0, 1, 0.5, 0.8, 1, 0.3, 3, 0})}}},
      {"expr: exp(-x1^2 - abs(x2) - x3^2/2)"},
      {"expr(route=radial): exp(-(r/s)^2)", {{"s", 0.8}}},
      {"expr(route=calibrated): exp(-(r/s)^2)", {{"s", 0.8}}}};
}

TEST(ExpressionFiles, MapsComeBackToTheBit) {
  const Matrix<double> X = uniform_matrix(400, 3, 1);
  for (const KernelChoice& choice : choices())
    for (const Estimator estimator : {Estimator::nystrom, Estimator::fourier}) {
      SCOPED_TRACE(choice.name);
      const Map map = make_map(choice, X, {.estimator = estimator, .n_frequencies = 32, .seed = 2});
      const Map back = Map::from_bytes(map.to_bytes());
      EXPECT_EQ(back.content().kernel.name, choice.name);
      EXPECT_EQ(back.content().kernel.kernel->measure_reason(3), map.content().kernel.kernel->measure_reason(3));
      expect_same_map(map, back);
      EXPECT_EQ(back.to_bytes(), map.to_bytes());
      ASSERT_TRUE(map.content().certificate);
      EXPECT_LT(map.content().certificate->error.error, 0.2);
      Matrix<double> a(5, 5), b(5, 5);
      map.content().kernel.kernel->evaluate_pairs(X.view().middle_rows(0, 5), X.view().middle_rows(7, 5), a);
      back.content().kernel.kernel->evaluate_pairs(X.view().middle_rows(0, 5), X.view().middle_rows(7, 5), b);
      expect_same(a, b);
    }
}

TEST(ExpressionFiles, SpoiltKernelsAreRefused) {
  const Matrix<double> X = uniform_matrix(200, 3, 1);
  const std::string good = make_map(choices()[3], X, {.estimator = Estimator::fourier, .n_frequencies = 16}).to_bytes();
  const auto refusal = [&](const auto& spoil) {
    RecordEditor file(good);
    spoil(file);
    try {
      Map::from_bytes(file.file());
    } catch (const DataError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(refusal([](RecordEditor&) {}), "");
  EXPECT_NE(refusal([](RecordEditor& file) { file.set_text("kernel/name", "expr: f(r) *"); }).find("column 7"), std::string::npos);
  EXPECT_NE(refusal([](RecordEditor& file) { file.set_text("kernel/name", "expr: " + std::string(5000, '(')); }).find("5000"),
            std::string::npos);
  EXPECT_NE(refusal([](RecordEditor& file) { file.set_text("kernel/name", "expr: f(r)"); }).find("no parameter 'a'"), std::string::npos);
  // The values are those of the table, its size before them, and those of a.
  for (const double size : {0.0, -1.0, 2.5, 7.0, 9.0, 12.0, 1e9, 1e300, std::nan("")})
    EXPECT_NE(refusal([&](RecordEditor& file) { file.set_number("kernel/values", 0, size); }), "") << size;
  EXPECT_NE(refusal([&](RecordEditor& file) { file.set_number("kernel/values", 3, -1); }).find("increasing"), std::string::npos);
  EXPECT_NE(refusal([&](RecordEditor& file) { file.set_count("kernel/forms", 0, 4); }).find("expected 0 to 3"), std::string::npos);
}

}  // namespace
}  // namespace askrff::test
