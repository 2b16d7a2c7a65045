// What a formula becomes for rows of one dimension, and its values of all pairs of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "expressions/program.hpp"
#include "kernels/expression_form.hpp"
#include "kernels/pairs.hpp"

namespace askrff::kernels {

/// A formula with its numbers: as it is, and as a factor of a product over coordinates.
struct BoundFormula {
  expressions::Meanings meanings;
  expressions::Program plain;
  std::optional<expressions::Program> factor = {};  ///< of a product over coordinates
};

struct TableArgument;

/// The formula for rows of one dimension.
struct BoundExpression {
  std::size_t dim = 0;
  std::vector<double> direction = {};             ///< of t
  std::vector<BoundFormula> formulas = {};        ///< one, or of a product one for each different set of parameters
  std::vector<std::uint32_t> of_coordinate = {};  ///< the formula of each coordinate of a product
  std::size_t n_registers = 0;
  std::vector<TableArgument> table_arguments;  ///< for each use of a table
};

/// What a table is applied to, as a formula of its own.
struct TableArgument {
  std::shared_ptr<const expressions::Table> table;
  BoundExpression argument;
};

/// The product over coordinates. Rows are dense, shapes fit.
void fill_product(const BoundExpression& expression, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                  const backend::Primitives& primitives);

/// A function of r, t and single coordinates. Rows may be sparse where there are no single coordinates.
void fill_joint(const BoundExpression& expression, const ExpressionForm& form, const PairRows& rows, MatrixView<double> out,
                Backend backend);

/// For the differences between the only row of X and each of Y a number that stays the same while no table goes from one of its cubics to
/// another. Rows are dense.
void fill_pieces(const BoundExpression& expression, const ExpressionForm& form, const PairRows& rows, std::span<double> pieces);

}  // namespace askrff::kernels
