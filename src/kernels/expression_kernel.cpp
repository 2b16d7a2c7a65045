// A kernel by expression: "expr: exp(-r/s)". The formula is compiled for the dimension of the rows and runs over blocks of pairs: squared
// distances by the backend's pair form, projections for t, differences of coordinates.
#include "kernels/expression_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <mutex>
#include <numbers>

#include "askrff/errors.hpp"
#include "askrff/function_kernel.hpp"
#include "core/checks.hpp"
#include "core/row_pairs.hpp"
#include "core/vectors.hpp"
#include "expressions/telling_numbers.hpp"
#include "kernels/expression_symmetry.hpp"
#include "kernels/expression_values.hpp"

namespace askrff {
namespace {

using expressions::block_size;
using expressions::Meaning;
using expressions::Program;
using expressions::Table;

const std::string expression_owner = "expression";
constexpr std::size_t max_instructions = std::size_t{1} << 19;  // of all formulas of a product

class ExpressionKernel final : public kernels::PairKernel {
 public:
  ExpressionKernel(std::string_view name, const ParameterValues& values)
      : name_(name), form_(kernels::expression_form(name)), values_(values) {
    for (const expressions::Name& each : form_.syntax.names) require_value(each);
    if (form_.uses_projection) require_value({"a", first_column("t"), false});
    for (const ParameterInfo& parameter : form_.parameters) check_value(parameter);
    if (const auto fixed = fixed_dim()) bound(*fixed);  // whatever is wrong is said now
    symmetric_ = looks_symmetric();
    measured_ = function_kernel([this](MatrixView<const double> differences, std::span<double> out) { fill_differences(differences, out); },
                                {.route = form_.route,
                                 .direction = direction_if_needed(),
                                 .symmetric = symmetric_,
                                 .name = expression_owner,
                                 .pieces = pieces_of_tables(),
                                 .lengths = [this](std::size_t dim, std::size_t i) { return lengths(dim, i); }});
  }

  std::string name() const override { return name_; }
  bool symmetric() const override { return symmetric_; }
  void find_measure(std::size_t dim, const Execution& execution) const override {
    bound(dim);  // throws if a parameter does not fit
    measured_->find_measure(dim, execution);
  }
  void check_route(std::size_t dim, const Execution& execution) const override {
    bound(dim);
    measured_->check_route(dim, execution);
  }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override {
    bound(dim);
    return measured_->measure(dim);
  }
  std::string measure_reason(std::size_t dim) const override { return measured_->measure_reason(dim); }

  /// k(δ) as k(0 - (-δ)): the bits that pairs of rows give.
  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    if (out.size() != differences.rows())
      throw InvalidArgument("Kernel::evaluate", fmt::format("{} differences but room for {} values", differences.rows(), out.size()));
    const Matrix<double> origin(1, differences.cols()), rows = negated(differences);
    fill_values(kernels::PairRows(origin.view(), rows.view()), MatrixView<double>(out.data(), 1, out.size()), Backend::automatic);
  }

 private:
  /// The same, whether or not it is finite.
  void fill_differences(MatrixView<const double> differences, std::span<double> out) const {
    const Matrix<double> origin(1, differences.cols()), rows = negated(differences);
    fill_unchecked(kernels::PairRows(origin.view(), rows.view()), MatrixView<double>(out.data(), 1, out.size()), Backend::automatic);
  }
  /// For the search of the measure; empty without tables.
  BlockFunction pieces_of_tables() const {
    if (tables_.empty()) return {};
    return [this](MatrixView<const double> differences, std::span<double> pieces) {
      const Matrix<double> origin(1, differences.cols()), rows = negated(differences);
      kernels::fill_pieces(*bound(differences.cols()), form_, kernels::PairRows(origin.view(), rows.view()), pieces);
    };
  }
  /// Of t, for the search of the measure: the gradient at 0 tells it, but that of a symmetric kernel is 0.
  std::vector<double> direction_if_needed() const {
    if (!symmetric_ || !form_.uses_projection) return {};
    const CoordinateParameter& a = values_.find("a")->second;
    if (!a.is_vector() || std::ranges::all_of(a.values(), [](double value) { return value == 0; })) return {};
    return {a.values().begin(), a.values().end()};
  }
  // Relative error of a value: that of the formula's roundings, of which r adds (dim + 4)/2·2^-52, coordinates half an ulp, a product dim/2
  // ulp and dim·2^-53 of the sum of all |exponents|, and t 2^-52·|t| + dim·2^-76·(Σ|a_k x_k| + Σ|a_k y_k|). Where a difference is beyond
  // 1e150, r is infinite.
  void fill_values(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const override {
    require_row_columns(rows.Y(), rows.dim(), "Kernel::evaluate_pairs", "Y", "X has");
    require_shape(out, rows.X().rows(), rows.Y().rows(), "Kernel::evaluate_pairs", "out");
    if (out.empty()) return;
    if (rows.X().is_sparse() && (form_.is_product || !form_.coordinates.empty()))
      return Kernel::evaluate_sparse_pairs(rows.X().sparse(), rows.Y().sparse(), rows.shift(), out, backend);
    fill_unchecked(rows, out, backend);
    require_finite_kernel(rows, out);
  }
  void fill_unchecked(const kernels::PairRows& rows, MatrixView<double> out, Backend backend) const {
    const auto expression = bound(rows.dim());
    if (form_.is_product)
      kernels::fill_product(*expression, rows.X().dense(), rows.Y().dense(), out, backend::select(backend));
    else
      kernels::fill_joint(*expression, form_, rows, out, backend);
  }
  void require_finite_kernel(const kernels::PairRows& rows, MatrixView<const double> out) const;

  std::size_t first_column(std::string_view name) const {
    return std::ranges::find(form_.syntax.names, name, &expressions::Name::text)->column;
  }
  bool is_parameter(std::string_view name) const {
    return std::ranges::find(form_.parameters, name, &ParameterInfo::name) != form_.parameters.end();
  }
  void require_value(const expressions::Name& name) const {
    if (!is_parameter(name.text) || values_.contains(name.text)) return;
    expressions::refuse_at(name.column, name.is_table
                                            ? fmt::format("{} is no function of the language and no table was given", name.text)
                                            : fmt::format("{} is no variable and has no value, expected a parameter {}{}", name.text,
                                                          name.text, name.text == "a" ? ", the direction of t = a·δ" : ""));
  }
  void check_value(const ParameterInfo& parameter);
  std::optional<std::size_t> fixed_dim() const;
  bool depends_on_dim() const;

  static Matrix<double> negated(MatrixView<const double> rows) {
    Matrix<double> result(rows.rows(), rows.cols());
    for (std::size_t i = 0; i < rows.rows(); ++i)
      std::ranges::transform(rows.row(i), result.row(i).begin(), [](double value) { return -value; });
    return result;
  }

  std::shared_ptr<const kernels::BoundExpression> bound(std::size_t dim) const {
    const std::lock_guard lock(mutex_);
    if (!bound_ || bound_->dim != dim) bound_ = std::make_shared<const kernels::BoundExpression>(bind(dim));
    return bound_;
  }
  kernels::BoundExpression bind(std::size_t dim) const;
  kernels::BoundExpression bind(const expressions::Syntax& syntax, std::size_t dim) const;
  Meaning meaning_of(const expressions::Name& name, std::size_t dim) const;
  std::size_t input_of(std::string_view name) const;

  bool looks_symmetric() const;
  bool looks_symmetric_in(std::size_t dim, const std::vector<double>& lengths) const;
  std::vector<double> lengths(std::size_t dim, std::size_t coordinate) const;
  std::vector<double> numbers_of_tables() const;

  std::string name_;
  kernels::ExpressionForm form_;
  ParameterValues values_;
  std::map<std::string, std::shared_ptr<const Table>, std::less<>> tables_;
  bool symmetric_ = false;
  std::unique_ptr<Kernel> measured_;  // of the same formula: it finds the measure and keeps it
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const kernels::BoundExpression> bound_;  ///< for the dimension asked for last
};

// ---- parameters, and what the formula becomes in a dimension

void ExpressionKernel::check_value(const ParameterInfo& parameter) {
  const CoordinateParameter& value = values_.find(parameter.name)->second;
  if (parameter.is_table) {
    tables_.emplace(parameter.name, std::make_shared<const Table>(value.values(), "table " + parameter.name));
    return;
  }
  if (value.is_list()) throw InvalidArgument(expression_owner, fmt::format("{} is a table, expected a number", parameter.name));
  value.require_finite(expression_owner, parameter.name);
  if (!parameter.per_coordinate && (value.is_vector() || value.is_over_dim()))
    throw InvalidArgument(expression_owner,
                          fmt::format("{} is {}, expected one number: only an expression in x takes one for each coordinate",
                                      parameter.name, printable(value.text(), 40)));
}

bool ExpressionKernel::depends_on_dim() const {
  return form_.uses_dim || std::ranges::any_of(form_.parameters, [&](const ParameterInfo& p) {
           const auto& value = values_.find(p.name)->second;
           return value.is_over_dim() && p.name != "a";
         });
}

/// A dimension that the parameters fit, if it does not matter which of them it is.
std::optional<std::size_t> ExpressionKernel::fixed_dim() const {
  for (const ParameterInfo& parameter : form_.parameters)
    if (const auto& value = values_.find(parameter.name)->second; value.is_vector() && !parameter.is_table) return value.values().size();
  if (depends_on_dim()) return std::nullopt;
  return form_.coordinates.empty() ? 1 : form_.coordinates.back() + 1;
}

/// Inputs stand in this order: the squared distance, t, single coordinates.
std::size_t ExpressionKernel::input_of(std::string_view name) const {
  if (name == "x" || name == "r") return 0;
  const std::size_t behind_radius = form_.uses_radius ? 1 : 0;
  if (name == "t") return behind_radius;
  const auto place = std::ranges::find(form_.coordinates, kernels::coordinate_of(name) - 1) - form_.coordinates.begin();
  return behind_radius + (form_.uses_projection ? 1 : 0) + 2 * static_cast<std::size_t>(place);
}

/// Parameters that are vectors come afterwards.
Meaning ExpressionKernel::meaning_of(const expressions::Name& name, std::size_t dim) const {
  if (name.is_table) return {.kind = Meaning::Kind::table, .table = tables_.find(name.text)->second};
  if (is_parameter(name.text)) {
    const CoordinateParameter& value = values_.find(name.text)->second;
    return {.constant = value.is_over_dim() ? value.scalar() / static_cast<double>(dim) : value.scalar()};
  }
  if (name.text == "d") return {.constant = static_cast<double>(dim)};
  if (name.text == "pi") return {.constant = std::numbers::pi};
  if (name.text == "e") return {.constant = std::numbers::e};
  const Meaning::Kind kind = name.text == "r"   ? Meaning::Kind::root_of_input
                             : name.text == "t" ? Meaning::Kind::input
                                                : Meaning::Kind::difference_of_inputs;
  return {.kind = kind, .input = input_of(name.text)};
}

kernels::BoundExpression ExpressionKernel::bind(std::size_t dim) const {
  const expressions::Syntax& whole = form_.syntax;
  kernels::BoundExpression result = bind(whole, dim);
  std::size_t n_instructions = 0;
  for (const expressions::Node& node : whole.nodes) {
    if (node.kind != expressions::Node::Kind::table) continue;
    const auto behind_argument = whole.nodes.begin() + node.arguments[0] + 1;
    n_instructions += result.formulas.size() * (node.arguments[0] + 1);
    if (n_instructions > max_instructions) {  // then they are not told, and the search takes longer
      result.table_arguments.clear();
      break;
    }
    result.table_arguments.push_back(
        {tables_.find(whole.names[node.name].text)->second, bind({{whole.nodes.begin(), behind_argument}, whole.names}, dim)});
  }
  return result;
}

kernels::BoundExpression ExpressionKernel::bind(const expressions::Syntax& syntax, std::size_t dim) const {
  if (dim == 0) throw InvalidArgument(expression_owner, "the dimension is 0, expected at least 1");
  if (!form_.coordinates.empty() && form_.coordinates.back() >= dim)
    throw InvalidArgument(expression_owner, fmt::format("kernel {}: it has x{}, the data has dimension {}", printable(name_),
                                                        form_.coordinates.back() + 1, dim));
  kernels::BoundExpression result;
  result.dim = dim;
  if (form_.uses_projection) result.direction = values_.find("a")->second.expand(dim, expression_owner, "a");
  expressions::Meanings meanings;
  std::vector<std::size_t> vectors;  // places of names
  std::vector<std::vector<double>> expanded;
  for (const expressions::Name& name : syntax.names) {
    meanings.push_back(meaning_of(name, dim));
    if (name.is_table || !is_parameter(name.text) || !values_.find(name.text)->second.is_vector()) continue;
    vectors.push_back(meanings.size() - 1);
    expanded.push_back(values_.find(name.text)->second.expand(dim, expression_owner, name.text));
  }
  std::map<std::vector<double>, std::uint32_t> known;
  for (std::size_t c = 0; c < (form_.is_product ? dim : 1); ++c) {
    if (c > 0 && vectors.empty()) {
      result.of_coordinate.push_back(0);
      continue;
    }
    std::vector<double> own(vectors.size());
    for (std::size_t v = 0; v < vectors.size(); ++v) own[v] = meanings[vectors[v]].constant = expanded[v][c];
    const auto [found, is_new] = known.try_emplace(own, static_cast<std::uint32_t>(result.formulas.size()));
    if (is_new) {
      kernels::BoundFormula formula{.meanings = meanings, .plain = Program(syntax, meanings)};
      if (form_.is_product) formula.factor = Program::factor(syntax, meanings);
      result.n_registers = std::max({result.n_registers, formula.plain.n_registers(), formula.factor ? formula.factor->n_registers() : 0});
      result.formulas.push_back(std::move(formula));
      if (result.formulas.size() * syntax.nodes.size() > max_instructions)
        throw InvalidArgument(
            expression_owner,
            fmt::format("more than {} different sets of parameters for so long a formula, expected fewer", result.formulas.size() - 1));
    }
    result.of_coordinate.push_back(found->second);
  }
  return result;
}

// ---- values of pairs

/// Where the rows are finite and the value is not, the formula is to blame.
void ExpressionKernel::require_finite_kernel(const kernels::PairRows& rows, MatrixView<const double> out) const {
  constexpr std::size_t shown = 4;
  for (std::size_t i = 0; i < out.rows(); ++i) {
    if (all_finite(out.row(i))) continue;
    for (std::size_t j = 0; j < out.cols(); ++j) {
      if (std::isfinite(out(i, j))) continue;
      std::string difference;
      bool is_finite = true;
      std::size_t n_shown = 0;
      for_each_coordinate(rows.X(), i, rows.Y(), j, [&](std::size_t c, double x, double y) {
        const double delta = x - y + (rows.shift().empty() ? 0.0 : rows.shift()[c]);
        is_finite = is_finite && std::isfinite(delta);
        if (n_shown++ < shown) difference += fmt::format("{}{}", difference.empty() ? "" : ", ", delta);
      });
      if (n_shown > shown) difference += ", …";
      if (is_finite)
        throw InvalidArgument(expression_owner,
                              fmt::format("kernel {}: it is {} where x - y = ({}), expected a finite number everywhere", printable(name_),
                                          std::isnan(out(i, j)) ? "nan" : fmt::format("{}", out(i, j)), difference));
    }
  }
}

// ---- symmetry, by looking

/// Of the formula of a coordinate; t is a·δ.
std::vector<double> ExpressionKernel::lengths(std::size_t dim, std::size_t coordinate) const {
  const auto expression = bound(dim);
  const kernels::BoundFormula& formula = expression->formulas[form_.is_product ? expression->of_coordinate[coordinate] : 0];
  std::vector<double> numbers = expressions::telling_numbers(form_.syntax, formula.meanings);
  if (!form_.uses_projection) return numbers;
  std::vector<double> lengths;
  for (const double size : {scaled_norm<double>(expression->direction), std::fabs(expression->direction[coordinate])})
    for (std::size_t i = 0; i < numbers.size() && size > 0; ++i) lengths.push_back(numbers[i] / size);
  return lengths;
}

/// Of tables, some of each.
std::vector<double> ExpressionKernel::numbers_of_tables() const {
  std::vector<double> all;
  const std::size_t most = 4096 / std::max<std::size_t>(4, tables_.size());  // of one, so that many tables take no longer
  for (const auto& [name, table] : tables_) {
    const auto numbers = values_.find(name)->second.values();
    all.insert(all.end(), numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(std::min(most, numbers.size())));
  }
  return all;
}

/// In blocks of rows, so that many coordinates take no more memory. Along axes, along the direction of t, along the diagonal and along
/// others.
bool ExpressionKernel::looks_symmetric_in(std::size_t dim, const std::vector<double>& lengths) const {
  constexpr std::size_t enough = std::size_t{1} << 20, n_kinds = 5;
  const std::size_t n = std::min(n_kinds * lengths.size(), std::max<std::size_t>(64, enough / dim));
  const std::size_t n_together = std::min(n, std::max<std::size_t>(1, enough / dim));
  const Matrix<double> origin(1, dim);
  Matrix<double> deltas(n_together, dim), there(1, n_together), back(1, n_together);
  const auto expression = bound(dim);
  for (std::size_t p = 0; p < n; ++p) {
    const std::span<double> delta = deltas.row(p % n_together);
    const std::size_t kind = p % n_kinds, place = n == n_kinds * lengths.size() ? p / n_kinds : p * lengths.size() / n;
    for (std::size_t c = 0; c < dim; ++c) {
      const double mixed = 0.7548776662466927 * static_cast<double>(p + 1) +
                           0.5698402909980532 * static_cast<double>(c + 1) * static_cast<double>(p % 7 + 1);
      delta[c] = kind == 0 ? (c == p % dim ? 1.0 : 0.0) : kind == 1 ? 1.0 : 2 * (mixed - std::floor(mixed)) - 1;
      if (kind == 2 && form_.uses_projection) delta[c] = expression->direction[c];
    }
    const double norm = std::sqrt(squared_norm(delta));
    if (norm > 0)
      for (double& each : delta) each *= lengths[place] / norm;
    if ((p + 1) % n_together != 0 && p + 1 < n) continue;
    fill_unchecked(kernels::PairRows(origin.view(), std::as_const(deltas).view()), back, Backend::automatic);
    const Matrix<double> opposite = negated(deltas);
    fill_unchecked(kernels::PairRows(origin.view(), opposite.view()), there, Backend::automatic);
    if (!std::ranges::equal(there.row(0), back.row(0), kernels::are_alike)) return false;
  }
  return true;
}

/// Where it depends on the dimension, in a few of them; not taken for symmetric where it could be looked at in none.
bool ExpressionKernel::looks_symmetric() const {
  if (!form_.is_product && !form_.uses_projection && form_.coordinates.empty()) return true;  // in r alone
  const std::vector<double> of_tables = numbers_of_tables();
  const std::size_t least = form_.coordinates.empty() ? 1 : form_.coordinates.back() + 1;
  std::vector<std::size_t> dims = {least, least + 1, least + 2, least + 7};
  if (const auto fixed = fixed_dim()) dims = {*fixed, std::max<std::size_t>(*fixed, 2)};
  if (std::ranges::any_of(values_, [](const auto& value) { return value.second.is_vector(); })) dims = {dims[0]};
  bool looked = false;
  for (const std::size_t dim : dims) try {
      const auto expression = bound(dim);
      const auto compared = [&](std::size_t coordinate) {
        std::vector<double> numbers = lengths(dim, coordinate);
        numbers.insert(numbers.end(), of_tables.begin(), of_tables.end());
        return kernels::compared_lengths(numbers);
      };
      if (!form_.is_product && !looks_symmetric_in(dim, compared(0))) return false;
      for (std::size_t f = 0; f < expression->formulas.size() && form_.is_product; ++f) {
        const auto first = std::ranges::find(expression->of_coordinate, f) - expression->of_coordinate.begin();
        if (!kernels::looks_even(expression->formulas[f].plain, compared(static_cast<std::size_t>(first)))) return false;
      }
      looked = true;
    } catch (const InvalidArgument&) {
      continue;  // no kernel in this dimension
    }
  return looked;
}

}  // namespace

namespace kernels {

std::unique_ptr<Kernel> expression_kernel(std::string_view name, const ParameterValues& values) {
  return std::make_unique<ExpressionKernel>(name, values);
}

}  // namespace kernels
}  // namespace askrff
