// What a formula becomes for rows of one dimension, and its values of all pairs of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "expressions/program.hpp"
#include "kernels/expression_form.hpp"
#include "kernels/pairs.hpp"

namespace askrff::kernels {

/// A formula with its numbers: as it is, and as a factor of a product over coordinates.
struct BoundFormula {
  expressions::Program plain, factor;
};

/// The formula for rows of one dimension.
struct BoundExpression {
  std::size_t dim = 0;
  std::vector<double> direction = {};             ///< of t
  std::vector<BoundFormula> formulas = {};        ///< one, or of a product one for each different set of parameters
  std::vector<std::uint32_t> of_coordinate = {};  ///< the formula of each coordinate of a product
  std::size_t n_registers = 0;
};

/// The product over coordinates. Rows are dense, shapes fit.
void fill_product(const BoundExpression& expression, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                  const backend::Primitives& primitives);

/// A function of r, t and single coordinates. Rows may be sparse where there are no single coordinates.
void fill_joint(const BoundExpression& expression, const ExpressionForm& form, const PairRows& rows, MatrixView<double> out,
                Backend backend);

}  // namespace askrff::kernels
