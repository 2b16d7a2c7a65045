// A shift-invariant real kernel k(x, y) = k(x - y), symmetric or not, definite or not: the open set users add to, the kernels that come
// with the library, and the registry that lists them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/measure.hpp"
#include "askrff/sparse.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Subclass it to use your own kernel. Only name() and evaluate() are required: such a kernel gets the subset fit
/// (Weights::subset on generic frequencies); with a measure it gets every sampler and weighting the measure supports.
class Kernel {
 public:
  virtual ~Kernel() = default;

  virtual std::string name() const = 0;
  /// k(δ) = k(-δ) for all δ?
  virtual bool symmetric() const { return false; }
  virtual bool positive_definite() const { return false; }
  /// Whether k(x, y) is a function of x - y. false (pair_kernel.hpp): there is no evaluate(), and only landmarks stand for the kernel.
  virtual bool shift_invariant() const { return true; }
  /// Whether evaluate() may be called from several threads; false: only on the thread of the call that needs it.
  virtual bool thread_safe() const { return true; }
  /// out[i] = k(δ_i), δ_i the i-th row. Called on blocks of rows, from several threads where thread_safe().
  virtual void evaluate(MatrixView<const double> differences, std::span<double> out) const = 0;
  /// out(i,j) = k(x_i - y_j) for all pairs of rows, on the calling thread. Made of evaluate(); the library's kernels do it faster.
  virtual void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out,
                              Backend backend = Backend::automatic) const;
  /// out(i,j) = k(x_i - y_j + shift) for sparse rows; shift: one number for every column, or none. Made of evaluate_pairs() on rows that
  /// are written out; the library's kernels look at what the rows have, by inner products: the exponent q of a Gaussian then has an error
  /// of (n + 4)·2^-52·(‖x‖² + ‖y - shift‖²)/2σ², n the numbers in x and y, but no more than n·2^-30·q. Throws InvalidArgument for shapes
  /// that do not fit.
  virtual void evaluate_sparse_pairs(SparseView<double> X, SparseView<double> Y, std::span<const double> shift, MatrixView<double> out,
                                     Backend backend = Backend::automatic) const;
  /// out(i,j) = k(x_i - y_j) for rows of either kind, dense or sparse, X and Y of the same kind or not.
  void evaluate_any_pairs(const RowsView<double>& X, const RowsView<double>& Y, MatrixView<double> out,
                          Backend backend = Backend::automatic) const;
  /// out[i] = k(δ_i) for differences of either kind.
  void evaluate_differences(const RowsView<double>& differences, std::span<double> out, Backend backend = Backend::automatic) const;
  /// Its Fourier measure in `dim` dimensions; null if unknown. Throws std::invalid_argument if a parameter does not fit dim.
  virtual std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const;
  /// measure(dim) of a kernel whose measure has to be found: stopped and with progress as `execution` says.
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim, const Execution& execution) const;
  /// Finds what measure(dim) and measure_reason(dim) then return without a search, where there is one. A search that was stopped leaves
  /// nothing and can be begun anew. Throws as measure(), and Stopped.
  virtual void find_measure(std::size_t /*dim*/, const Execution& /*execution*/) const {}
  /// Finds the measure of a kernel that was asked for a route to it (FunctionForm), and throws InvalidArgument if that does not fit: also
  /// where the measure is not needed, so that a route that means nothing is refused everywhere. Of others, nothing.
  virtual void check_route(std::size_t /*dim*/, const Execution& /*execution*/) const {}
  /// How measure(dim) was found and how near it is, or why it is null, for provenance and messages. Empty: there is nothing to say.
  virtual std::string measure_reason(std::size_t /*dim*/) const { return {}; }

  /// k at one difference.
  double operator()(std::span<const double> difference) const;
  /// k(0) in `dim` dimensions.
  double at_zero(std::size_t dim) const;
};

/// A parameter with one value per coordinate, given as a number for all of them, as a number over the dimension, or as a vector. Or a list
/// of numbers that belong to no coordinates: a table of an expression.
class CoordinateParameter {
 public:
  CoordinateParameter(double every_coordinate) : scalar_(every_coordinate) {}
  CoordinateParameter(std::vector<double> values) : values_(std::move(values)), is_vector_(true) {}
  CoordinateParameter(std::initializer_list<double> values) : CoordinateParameter(std::vector<double>(values)) {}
  /// total/dim in every coordinate.
  static CoordinateParameter over_dim(double total);
  static CoordinateParameter list(std::vector<double> values);

  /// The dim values. `owner` and `what` name the parameter in the error. Throws std::invalid_argument if the length or a value is wrong.
  std::vector<double> expand(std::size_t dim, const std::string& owner, const std::string& what) const;
  /// Throws std::invalid_argument if a value is not finite or there is none.
  void require_finite(const std::string& owner, const std::string& what) const;
  bool is_vector() const { return is_vector_; }
  bool is_over_dim() const { return over_dim_; }
  bool is_list() const { return is_list_; }
  double scalar() const { return scalar_; }
  /// As they were given: one number, or those of a vector or list.
  std::span<const double> values() const { return is_vector_ || is_list_ ? std::span(values_) : std::span(&scalar_, 1); }
  /// "0.25", "2/d" or "0.1,0.2".
  std::string text() const;

 private:
  double scalar_ = 0;
  std::vector<double> values_;
  bool is_vector_ = false, over_dim_ = false, is_list_ = false;
};

// Defaults are the paper's: σ = 2, r = (2/d)·1, β = (π/2d)·1, meant for data scaled to [0,1]^d.
// Every factory throws std::invalid_argument for parameters that are not finite or, for σ, not positive.
struct SigmaParameters {
  double sigma = 2.0;
};
struct ShiftParameters {
  double sigma = 2.0;
  CoordinateParameter shift = CoordinateParameter::over_dim(2.0);
};
struct BetaParameters {
  double sigma = 2.0;
  CoordinateParameter beta = CoordinateParameter::over_dim(1.5707963267948966);
};
struct DifferenceParameters {
  double sigma = 2.0, sigma2 = 4.0, weight = 0.5;
};
struct AlphaParameters {
  double sigma = 2.0, alpha = 2.0;  ///< alpha from 0.01 to 10^4
};
struct PowerParameters {
  double sigma = 2.0, power = 1.5;  ///< power from 0.2 to 2
};
struct DecayParameters {
  double sigma = 2.0, power = 1.0, decay = 4.0;  ///< decay from 0.01 to 1000
};
struct PeriodicParameters {
  double sigma = 2.0, period = 1.0, length = 1.0;  ///< length from 0.01 to 10^6, of the angle and so without unit
};
struct GammaParameters {
  double sigma = 2.0, shape = 2.0;  ///< shape from 1.1 to 1000
};
struct SkewParameters {
  double sigma = 2.0;
  CoordinateParameter skew = 2.0;  ///< from -1000 to 1000
};
struct GaborParameters {
  double sigma = 2.0;
  CoordinateParameter wave = CoordinateParameter::over_dim(3.141592653589793);
  double phase = 0.5;  ///< in radians
};

// Symmetric, positive definite.
std::unique_ptr<Kernel> gaussian(SigmaParameters = {});
std::unique_ptr<Kernel> laplacian(SigmaParameters = {});
std::unique_ptr<Kernel> matern_1_2(SigmaParameters = {});
std::unique_ptr<Kernel> matern_3_2(SigmaParameters = {});
std::unique_ptr<Kernel> matern_5_2(SigmaParameters = {});
std::unique_ptr<Kernel> cauchy(SigmaParameters = {});
/// (1 + ‖δ‖²/2ασ²)^-α, Gaussians of all widths.
std::unique_ptr<Kernel> rational_quadratic(AlphaParameters = {});
/// (1 + (‖δ‖/σ)^a)^(-b/a), a the power at 0, b that far out.
std::unique_ptr<Kernel> generalised_cauchy(DecayParameters = {});
/// exp(-(‖δ‖/σ)^a).
std::unique_ptr<Kernel> exponential_power(PowerParameters = {});
/// exp(-‖δ‖²/2σ² - Σ 2 sin²(πδ_i/p)/ℓ²).
std::unique_ptr<Kernel> periodic_gaussian(PeriodicParameters = {});
// Symmetric, indefinite.
std::unique_ptr<Kernel> difference_of_gaussians(DifferenceParameters = {});
// Asymmetric.
std::unique_ptr<Kernel> shift_gaussian(ShiftParameters = {});
std::unique_ptr<Kernel> sinh_gaussian(BetaParameters = {});
std::unique_ptr<Kernel> cosh_gaussian(BetaParameters = {});
/// Π (δ_i/m)^(a-1) exp(a - 1 - δ_i/σ) where every δ_i > 0, else 0; m = (a - 1)σ is where the largest value, 1, is. A shape a ≤ 1 is
/// refused: such a kernel jumps, and its measure has no finite mass.
std::unique_ptr<Kernel> causal_gamma(GammaParameters = {});
/// Π 2Φ(αδ_i/σ) exp(-δ_i²/2σ²), Φ the normal distribution function; 1 at 0, as many times larger as 2Φ may be on the side of the skew.
std::unique_ptr<Kernel> skew_normal(SkewParameters = {});
/// exp(-‖δ‖²/2σ²) cos(w·δ + φ); symmetric only for a phase φ of 0.
std::unique_ptr<Kernel> gabor(GaborParameters = {});
/// k(δ + shift) for any symmetric k; its measure is e^{i shift·ω} μ(ω). Throws std::invalid_argument if base is null or not symmetric.
std::unique_ptr<Kernel> shifted(std::unique_ptr<Kernel> base, CoordinateParameter shift = CoordinateParameter::over_dim(2.0));
/// k(δ_1/s_1, …, δ_d/s_d): what every kernel of the registry becomes by its parameter "scales", numbers > 0. Its measure is that of the
/// kernel with frequencies ω_i/s_i and keeps what that can do, but for this: frequencies that are multiples of normal vectors (structured
/// sampler) and Gaussian measures (quadrature and ridge samplers) stay such where all scales are equal only, and second moments of the
/// asymmetric kernels are not known where they are not. Throws InvalidArgument if base is null or a scale is not positive.
std::unique_ptr<Kernel> scaled(std::unique_ptr<Kernel> base, CoordinateParameter scales);

struct WeightedKernel {
  double weight = 1;
  std::shared_ptr<const Kernel> kernel = {};
};
/// Σ weight·k, weights of either sign. Its measure is the sum of theirs: masses, parts and their draws are exact where parts of one sign
/// come together only; else parts are drawn by rejection from the mixture of the |μ_i|, and the polar estimator draws from that mixture.
/// Throws InvalidArgument for no kernels, for null and for weights that are 0 or not finite.
std::unique_ptr<Kernel> sum_of(std::vector<WeightedKernel> terms);
/// Π k. Its measure is the convolution of theirs, a frequency the sum of theirs, which is drawn exactly, with the product of their
/// weights, by the polar estimator; its density is not known, and its parts only where all kernels are positive definite. Throws
/// InvalidArgument for no kernels and for null.
std::unique_ptr<Kernel> product_of(std::vector<std::shared_ptr<const Kernel>> factors);

/// Parameter values by name; a parameter that is not named keeps its default.
using ParameterValues = std::map<std::string, CoordinateParameter, std::less<>>;

/// What a parameter becomes when all lengths double: twice, half or the same.
enum class ParameterUnit { length, inverse_length, none };

struct ParameterInfo {
  std::string name, meaning;
  CoordinateParameter default_value;
  bool per_coordinate = false;  ///< takes a vector as well as a number
  ParameterUnit unit = ParameterUnit::length;
  bool is_required = false;  ///< has no default: default_value means nothing
  bool is_table = false;     ///< takes a list, as pairs x0, f0, x1, f1, …
};

/// Which length of δ a kernel falls off with. Euclidean: √Σδ²; absolute: Σ|δ|.
enum class Distance { euclidean, absolute };

struct KernelInfo {
  std::string name, formula;
  std::vector<ParameterInfo> parameters;
  bool symmetric = false, positive_definite = false;
  bool wraps_another = false;  ///< "shifted:NAME": takes the parameters of NAME as well
  Distance distance = Distance::euclidean;
  std::function<std::unique_ptr<Kernel>(const ParameterValues&)> make;
};

/// Every kernel that can be made by name.
std::span<const KernelInfo> kernel_registry();

/// The kernel called `name` ("gaussian", "shifted:matern-3/2", …); the one that a text composes of such names with +, -, *, numbers and
/// parentheses: "gaussian(sigma=0.5) + 0.3*shift-gaussian(sigma=1, shift=[0.1,0.2])", which takes no values but scales; or that of a
/// formula: "expr: exp(-abs(x + 0.3)/s)" with a value for each of its parameters (docs/expressions.md). Throws std::invalid_argument for an
/// unknown name, an unknown parameter or a bad value; where a formula is wrong, where() says at which column.
std::unique_ptr<Kernel> make_kernel(std::string_view name, const ParameterValues& values = {});

/// The parameters make_kernel accepts for `name`. Throws std::invalid_argument for an unknown name.
std::vector<ParameterInfo> kernel_parameters(std::string_view name);
Distance kernel_distance(std::string_view name);

/// A kernel with the name and all the parameters it was made from, defaults included, in the order of the registry.
struct NamedKernel {
  std::string name = {};
  std::vector<std::pair<std::string, CoordinateParameter>> parameters = {};
  std::shared_ptr<const Kernel> kernel = {};
};
/// Throws as make_kernel.
NamedKernel named_kernel(std::string_view name, const ParameterValues& values = {});

/// A word of the language of formulas, and what it means.
struct ExpressionWord {
  std::string_view name, meaning;
};
std::span<const ExpressionWord> expression_variables();
std::span<const ExpressionWord> expression_functions();

/// The name that stands for no kernel: the columns themselves are the features of maps and models.
inline constexpr std::string_view linear_kernel = "linear";

/// A kernel as a caller gives it: by name, with the parameters known, or one of the caller's own.
struct KernelChoice {
  KernelChoice(const char* kernel_name) : name(kernel_name) {}
  KernelChoice(std::string kernel_name, ParameterValues parameters = {}) : name(std::move(kernel_name)), values(std::move(parameters)) {}
  KernelChoice(NamedKernel kernel) : own(std::move(kernel)) {}
  /// A shared or unique pointer to a kernel of any class.
  template <std::convertible_to<std::shared_ptr<const Kernel>> Pointer>
  KernelChoice(Pointer kernel) : own{.kernel = std::move(kernel)} {}

  std::string name;        ///< of the registry; empty: `own` is the kernel
  ParameterValues values;  ///< without sigma the kernel's default shape is stretched to the data, see fitted_kernel()
  NamedKernel own;
};

/// Pairs of rows whose distances tell the median well: to about 1 %.
inline constexpr std::size_t default_n_pairs = 20'000;

/// The median distance of `n_pairs` random pairs of different rows (all of them if there are no more), leaving out pairs of equal rows:
/// where exp(-‖δ‖²/2σ²) varies over the data. Throws std::invalid_argument for fewer than two rows, numbers that are not finite, or rows
/// that are all the same.
double median_distance(const RowsView<double>& X, std::uint64_t seed, Distance distance = Distance::euclidean,
                       std::size_t n_pairs = default_n_pairs, const StopToken& stop = {});

/// The kernel a caller chose, with all its parameters. A sigma that was not given is the median distance of the rows, and all lengths among
/// the parameters left out are stretched with it: the default shape of the kernel, as large as the data. So a shift stays in proportion,
/// and a skew does not overflow. Where all rows are the same there is nothing to stretch it to, and the defaults stay. Throws
/// InvalidArgument as make_kernel and median_distance, and for vectors that have not X.cols() values.
NamedKernel fitted_kernel(const KernelChoice& choice, const RowsView<double>& X, std::uint64_t seed, const StopToken& stop = {});

}  // namespace askrff
