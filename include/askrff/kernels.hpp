// The kernels that come with the library, as functions, and the registry that lists them for command lines and documentation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askrff/kernel.hpp"

namespace askrff {

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

// Symmetric, positive definite.
std::unique_ptr<Kernel> gaussian(SigmaParameters = {});
std::unique_ptr<Kernel> laplacian(SigmaParameters = {});
std::unique_ptr<Kernel> matern_1_2(SigmaParameters = {});
std::unique_ptr<Kernel> matern_3_2(SigmaParameters = {});
std::unique_ptr<Kernel> matern_5_2(SigmaParameters = {});
std::unique_ptr<Kernel> cauchy(SigmaParameters = {});
// Symmetric, indefinite.
std::unique_ptr<Kernel> difference_of_gaussians(DifferenceParameters = {});
// Asymmetric.
std::unique_ptr<Kernel> shift_gaussian(ShiftParameters = {});
std::unique_ptr<Kernel> sinh_gaussian(BetaParameters = {});
std::unique_ptr<Kernel> cosh_gaussian(BetaParameters = {});
/// k(δ + shift) for any symmetric k; its measure is e^{i shift·ω} μ(ω). Throws std::invalid_argument if base is null or not symmetric.
std::unique_ptr<Kernel> shifted(std::unique_ptr<Kernel> base, CoordinateParameter shift = CoordinateParameter::over_dim(2.0));

/// Parameter values by name; a parameter that is not named keeps its default.
using ParameterValues = std::map<std::string, CoordinateParameter, std::less<>>;

/// What a parameter becomes when all lengths double: twice, half or the same.
enum class ParameterUnit { length, inverse_length, none };

struct ParameterInfo {
  std::string name, meaning;
  CoordinateParameter default_value;
  bool per_coordinate = false;  ///< takes a vector as well as a number
  ParameterUnit unit = ParameterUnit::length;
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

/// The kernel called `name` ("gaussian", "shifted:matern-3/2", …). Throws std::invalid_argument for an unknown name, an unknown
/// parameter or a bad value.
std::unique_ptr<Kernel> make_kernel(std::string_view name, const ParameterValues& values = {});

/// The parameters make_kernel accepts for `name`. Throws std::invalid_argument for an unknown name.
std::vector<ParameterInfo> kernel_parameters(std::string_view name);
Distance kernel_distance(std::string_view name);

/// A kernel with the name and all the parameters it was made from, defaults included, in the order of the registry.
struct NamedKernel {
  std::string name;
  std::vector<std::pair<std::string, CoordinateParameter>> parameters;
  std::shared_ptr<const Kernel> kernel;
};
/// Throws as make_kernel.
NamedKernel named_kernel(std::string_view name, const ParameterValues& values = {});

/// The name that stands for no kernel: the columns themselves are the features of maps and models.
inline constexpr std::string_view linear_kernel = "linear";

/// A kernel as a caller gives it: by name, with those of its parameters he knows, or one of his own.
struct KernelChoice {
  KernelChoice(const char* kernel_name) : name(kernel_name) {}
  KernelChoice(std::string kernel_name, ParameterValues parameters = {}) : name(std::move(kernel_name)), values(std::move(parameters)) {}
  KernelChoice(NamedKernel kernel) : own(std::move(kernel)) {}
  KernelChoice(std::shared_ptr<const Kernel> kernel) : own({{}, {}, std::move(kernel)}) {}

  std::string name;        ///< of the registry; empty: `own` is the kernel
  ParameterValues values;  ///< without sigma the kernel's default shape is stretched to the data, see fitted_kernel()
  NamedKernel own;
};

}  // namespace askrff
