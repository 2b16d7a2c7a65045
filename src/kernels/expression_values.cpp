// Values of formulas for pairs of rows: a product over coordinates, or one function of distances, projections and single coordinates.
#include "kernels/expression_values.hpp"

#include <algorithm>
#include <cmath>

#include "core/aligned.hpp"
#include "core/vectors.hpp"

namespace askrff::kernels {
namespace {

using backend::Elementwise;
using expressions::block_size;
using expressions::Program;

/// The product over coordinates, one row of X and up to block_size rows of Y at a time.
class ProductRows {
 public:
  ProductRows(const BoundExpression& expression, const backend::Primitives& primitives)
      : expression_(expression), primitives_(primitives), registers_(expression.n_registers * block_size), buffers_(4 * block_size) {}

  /// Column c of the n rows of Y is at columns + c·stride. Exponents are added up, the other factors multiplied; where those leave the
  /// range in which their order does not matter, every coordinate's value is made and multiplied.
  void fill(std::span<const double> x, const double* columns, std::size_t stride, std::size_t n, double* product) {
    bool exponents = false, factors = false;
    std::fill_n(sums(), n, 0.0);
    std::fill_n(product, n, 1.0);
    for (std::size_t c = 0; c < x.size(); ++c) {
      const Program& factor = expression_.formulas[expression_.of_coordinate[c]].factor;
      const double* const inputs[] = {subtracted(x[c], columns + c * stride, n), sums(), product};
      double* const both[] = {sums(), product};
      factor.run(primitives_, inputs, n, registers_.data(), std::span(both).subspan(factor.exponents() ? 0 : 1));
      exponents = exponents || factor.exponents();
      factors = factors || factor.factors();
    }
    if (!exponents) return;
    const bool is_safe = !factors || all_within(product, n);
    if (!is_safe) std::copy_n(product, n, kept());
    const backend::Operand exponent{sums(), false}, sides[] = {{values(), false}, {product, false}};
    primitives_.elementwise(Elementwise::exponential, &exponent, values(), n);
    primitives_.elementwise(Elementwise::multiply, sides, product, n);
    if (!is_safe) make_anew(x, columns, stride, n, product);
  }

 private:
  double* difference() { return buffers_.data(); }
  double* sums() { return buffers_.data() + block_size; }
  double* values() { return buffers_.data() + 2 * block_size; }
  double* kept() { return buffers_.data() + 3 * block_size; }

  const double* subtracted(const double& x, const double* y, std::size_t n) {
    const backend::Operand sides[] = {{&x, true}, {y, false}};
    primitives_.elementwise(Elementwise::subtract, sides, difference(), n);
    return difference();
  }
  static bool is_within(double exponent, double factor) { return exponent <= 600 && std::fabs(factor) <= 1e150; }
  bool all_within(const double* factors, std::size_t n) {
    bool all = true;
    for (std::size_t j = 0; j < n; ++j) all = all & is_within(sums()[j], factors[j]);
    return all;
  }
  void make_anew(std::span<const double> x, const double* columns, std::size_t stride, std::size_t n, double* product) {
    std::vector<double> all(n, 1.0);
    for (std::size_t c = 0; c < x.size(); ++c) {
      const double* const inputs[] = {subtracted(x[c], columns + c * stride, n)};
      expression_.formulas[expression_.of_coordinate[c]].plain.run(primitives_, inputs, n, registers_.data(), values());
      for (std::size_t j = 0; j < n; ++j) all[j] *= values()[j];
    }
    for (std::size_t j = 0; j < n; ++j)
      if (!is_within(sums()[j], kept()[j])) product[j] = all[j];
  }

  const BoundExpression& expression_;
  const backend::Primitives& primitives_;
  AlignedBuffer<double> registers_, buffers_;
};

}  // namespace

void fill_product(const BoundExpression& expression, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                  const backend::Primitives& primitives) {
  constexpr std::size_t cached = std::size_t{1} << 12, least = 16;  // numbers of Y that stay in a cache
  const std::size_t dim = X.cols(), width = std::min({block_size, std::max(least, cached / dim), Y.rows()});
  AlignedBuffer<double> columns(dim * width);
  ProductRows rows(expression, primitives);
  for (std::size_t first = 0; first < Y.rows(); first += width) {
    const std::size_t n = std::min(width, Y.rows() - first);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t c = 0; c < dim; ++c) columns[c * width + j] = Y(first + j, c);
    for (std::size_t i = 0; i < X.rows(); ++i) rows.fill(X.row(i), columns.data(), width, n, out.row(i).data() + first);
  }
}

// Squared distances are formed where the values come; the last instruction overwrites them.
void fill_joint(const BoundExpression& expression, const ExpressionForm& form, const PairRows& rows, MatrixView<double> out,
                Backend backend) {
  const backend::Primitives& primitives = backend::select(backend);
  if (form.uses_radius) fill_with_form(PairForm::squared, rows, out, backend);
  Matrix<double> along_x, along_y;
  if (form.uses_projection) {
    along_x = projections(rows.X(), expression.direction);
    along_y = projections(rows.Y(), expression.direction);
  }
  const double along_shift = form.uses_projection && !rows.shift().empty() ? dot(expression.direction, rows.shift()) : 0.0;
  const std::size_t n_coordinates = form.coordinates.size(), n_rows = out.cols(), width = std::min(block_size, n_rows);
  AlignedBuffer<double> columns(n_coordinates * width), registers(expression.n_registers * block_size),
      buffers((n_coordinates + 1) * block_size);
  std::vector<const double*> inputs;
  for (std::size_t first = 0; first < n_rows; first += width) {
    const std::size_t n = std::min(width, n_rows - first);
    for (std::size_t c = 0; c < n_coordinates; ++c)
      for (std::size_t j = 0; j < n; ++j) columns[c * width + j] = rows.Y().dense()(first + j, form.coordinates[c]);
    for (std::size_t i = 0; i < out.rows(); ++i) {
      double* const values = out.row(i).data() + first;
      inputs.clear();
      if (form.uses_radius) inputs.push_back(values);
      if (form.uses_projection) {
        for (std::size_t j = 0; j < n; ++j) buffers[j] = projected_difference(along_x.row(i), along_y.row(first + j)) + along_shift;
        inputs.push_back(buffers.data());
      }
      for (std::size_t c = 0; c < n_coordinates; ++c) {
        double* const difference = buffers.data() + (c + 1) * block_size;
        const backend::Operand sides[] = {{&rows.X().dense()(i, form.coordinates[c]), true}, {columns.data() + c * width, false}};
        primitives.elementwise(Elementwise::subtract, sides, difference, n);
        inputs.push_back(difference);
      }
      expression.formulas[0].plain.run(primitives, inputs, n, registers.data(), values);
    }
  }
}

namespace {

/// Of two numbers, so that what differs in either hardly ever gives the same.
std::uint64_t mixed(std::uint64_t before, std::uint64_t next) {
  std::uint64_t z = (before ^ next) + 0x9E3779B97F4A7C15;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
  return z ^ (z >> 31);
}

/// x[i] becomes the formula of one coordinate there.
void run_in_place(const Program& program, const backend::Primitives& primitives, std::span<double> x) {
  AlignedBuffer<double> registers(program.n_registers() * block_size);
  for (std::size_t first = 0; first < x.size(); first += block_size) {
    const double* const inputs[] = {x.data() + first};
    program.run(primitives, inputs, std::min(block_size, x.size() - first), registers.data(), x.data() + first);
  }
}

}  // namespace

void fill_pieces(const BoundExpression& expression, const ExpressionForm& form, const PairRows& rows, std::span<double> pieces) {
  const MatrixView<const double> X = rows.X().dense(), Y = rows.Y().dense();
  std::vector<std::uint64_t> mix(Y.rows(), 0);
  std::vector<double> arguments(Y.rows());
  const auto mix_in = [&](const expressions::Table& table) {
    for (std::size_t i = 0; i < mix.size(); ++i) mix[i] = mixed(mix[i], table.piece_of(arguments[i]));
  };
  for (const auto& [table, argument] : expression.table_arguments) {
    if (!form.is_product) {
      fill_joint(argument, form, rows, MatrixView<double>(arguments.data(), 1, arguments.size()), Backend::automatic);
      mix_in(*table);
      continue;
    }
    for (std::size_t c = 0; c < X.cols(); ++c) {
      for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i] = X(0, c) - Y(i, c);
      run_in_place(argument.formulas[argument.of_coordinate[c]].plain, backend::select(Backend::automatic), arguments);
      mix_in(*table);
    }
  }
  std::ranges::transform(mix, pieces.begin(), [](std::uint64_t value) { return static_cast<double>(value >> 11); });
}

}  // namespace askrff::kernels
