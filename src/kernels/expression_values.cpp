// Values of formulas for pairs of rows: a product over coordinates, or one function of distances, projections and single coordinates.
#include "kernels/expression_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>

#include "core/aligned.hpp"
#include "core/ceil_div.hpp"
#include "core/vectors.hpp"

namespace askrff::kernels {
namespace {

using backend::Elementwise;
using expressions::block_size;
using expressions::Program;

/// To what backends take at once: what is left over costs them as much.
std::size_t filled_up(std::size_t n) {
  constexpr std::size_t step = 64;
  static_assert(block_size % step == 0);
  return ceil_div(n, step) * step;
}

/// At most `most`, so that all blocks of n are about the same: a short one costs as much as a long one.
std::size_t width_of_blocks(std::size_t n, std::size_t most) {
  return n <= most ? n : std::min(most, filled_up(ceil_div(n, ceil_div(n, most))));
}

/// The product over coordinates, one row of X and up to block_size rows of Y at a time.
class ProductRows {
 public:
  ProductRows(const BoundExpression& expression, const backend::Primitives& primitives)
      : expression_(expression), primitives_(primitives), registers_(expression.n_registers * block_size), buffers_(3 * block_size) {}

  /// Column c of the n rows of Y is at columns + c·stride and goes on to filled_up(n) numbers. Exponents are added up, the other factors
  /// multiplied; where those leave the range in which their order does not matter, every coordinate's value is made and multiplied.
  void fill(std::span<const double> x, const double* columns, std::size_t stride, std::size_t n, double* out) {
    bool exponents = false, factors = false;
    const std::size_t n_filled = filled_up(n);
    double* const product = products();
    std::fill_n(sums(), n_filled, 0.0);
    std::fill_n(product, n_filled, 1.0);
    for (std::size_t c = 0; c < x.size(); ++c) {
      const Program& factor = *expression_.formulas[expression_.of_coordinate[c]].factor;
      const backend::Operand inputs[] = {{&x[c], true}, {columns + c * stride, false}, {sums(), false}, {product, false}};
      double* const both[] = {sums(), product};
      factor.run(primitives_, inputs, n_filled, registers_.data(), std::span(both).subspan(factor.exponents() ? 0 : 1));
      exponents = exponents || factor.exponents();
      factors = factors || factor.factors();
    }
    if (!exponents) {
      std::copy_n(product, n, out);
      return;
    }
    const backend::Step steps[] = {{Elementwise::exponential, 0, {{sums(), false}}}, {Elementwise::multiply, 1, {{}, {product, false}}}};
    primitives_.elementwise(steps, std::size(steps), values(), n_filled);
    std::copy_n(values(), n, out);
    if (factors && !all_within(product, n)) make_anew(x, columns, stride, n, out);
  }

 private:
  double* sums() { return buffers_.data(); }
  double* values() { return buffers_.data() + block_size; }
  double* products() { return buffers_.data() + 2 * block_size; }

  static constexpr double largest_exponent = 600, largest_factor = 1e150;
  static bool is_within(double exponent, double factor) { return exponent <= largest_exponent && std::fabs(factor) <= largest_factor; }
  /// By subtracting the bits of doubles, which grow with their magnitude up to NaN: compilers make no vectors of comparisons that may trap.
  bool all_within(const double* factors, std::size_t n) {
    constexpr auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    constexpr std::uint64_t sign = std::uint64_t{1} << 63, infinite = bits(std::numeric_limits<double>::infinity());
    const double* const exponents = sums();
    std::uint64_t beyond = 0;  // its sign bit, that of a difference below 0
    for (std::size_t j = 0; j < n; ++j) {
      const std::uint64_t exponent = bits(exponents[j]), factor = bits(factors[j]) & ~sign;
      beyond |= (bits(largest_factor) - factor) | (infinite - (exponent & ~sign)) | ((bits(largest_exponent) - exponent) & ~exponent);
    }
    return (beyond & sign) == 0;
  }
  void make_anew(std::span<const double> x, const double* columns, std::size_t stride, std::size_t n, double* out) {
    std::vector<double> all(n, 1.0);
    for (std::size_t c = 0; c < x.size(); ++c) {
      const backend::Operand inputs[] = {{&x[c], true}, {columns + c * stride, false}};
      expression_.formulas[expression_.of_coordinate[c]].plain.run(primitives_, inputs, n, registers_.data(), values());
      for (std::size_t j = 0; j < n; ++j) all[j] *= values()[j];
    }
    for (std::size_t j = 0; j < n; ++j)
      if (!is_within(sums()[j], products()[j])) out[j] = all[j];
  }

  const BoundExpression& expression_;
  const backend::Primitives& primitives_;
  AlignedBuffer<double> registers_, buffers_;
};

}  // namespace

void fill_product(const BoundExpression& expression, MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                  const backend::Primitives& primitives) {
  constexpr std::size_t cached = std::size_t{1} << 14, least = 64;  // numbers of Y that stay in the second cache
  const std::size_t dim = X.cols(), width = width_of_blocks(Y.rows(), std::clamp(cached / dim, least, block_size));
  const std::size_t stride = filled_up(width);
  AlignedBuffer<double> columns(dim * stride);
  ProductRows rows(expression, primitives);
  for (std::size_t first = 0; first < Y.rows(); first += width) {
    const std::size_t n = std::min(width, Y.rows() - first);
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t c = 0; c < dim; ++c) columns[c * stride + j] = Y(first + j, c);
    for (std::size_t c = 0; c < dim; ++c) std::fill(&columns[c * stride + n], &columns[c * stride] + filled_up(n), Y(first + n - 1, c));
    for (std::size_t i = 0; i < X.rows(); ++i) rows.fill(X.row(i), columns.data(), stride, n, out.row(i).data() + first);
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
  const std::size_t n_coordinates = form.coordinates.size(), n_rows = out.cols(), width = width_of_blocks(n_rows, block_size);
  AlignedBuffer<double> columns(n_coordinates * width), registers(expression.n_registers * block_size), along(block_size);
  std::vector<backend::Operand> inputs;
  for (std::size_t first = 0; first < n_rows; first += width) {
    const std::size_t n = std::min(width, n_rows - first);
    for (std::size_t c = 0; c < n_coordinates; ++c)
      for (std::size_t j = 0; j < n; ++j) columns[c * width + j] = rows.Y().dense()(first + j, form.coordinates[c]);
    for (std::size_t i = 0; i < out.rows(); ++i) {
      double* const values = out.row(i).data() + first;
      inputs.clear();
      if (form.uses_radius) inputs.push_back({values, false});
      if (form.uses_projection) {
        for (std::size_t j = 0; j < n; ++j) along[j] = projected_difference(along_x.row(i), along_y.row(first + j)) + along_shift;
        inputs.push_back({along.data(), false});
      }
      for (std::size_t c = 0; c < n_coordinates; ++c) {
        inputs.push_back({&rows.X().dense()(i, form.coordinates[c]), true});
        inputs.push_back({columns.data() + c * width, false});
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

/// y[i] becomes the formula of one coordinate at x - y[i].
void run_in_place(const Program& program, const backend::Primitives& primitives, double x, std::span<double> y) {
  AlignedBuffer<double> registers(program.n_registers() * block_size);
  for (std::size_t first = 0; first < y.size(); first += block_size) {
    const backend::Operand inputs[] = {{&x, true}, {y.data() + first, false}};
    program.run(primitives, inputs, std::min(block_size, y.size() - first), registers.data(), y.data() + first);
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
      for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i] = Y(i, c);
      run_in_place(argument.formulas[argument.of_coordinate[c]].plain, backend::select(Backend::automatic), X(0, c), arguments);
      mix_in(*table);
    }
  }
  std::ranges::transform(mix, pieces.begin(), [](std::uint64_t value) { return static_cast<double>(value >> 11); });
}

}  // namespace askrff::kernels
