// The registry: the only list of kernels. Command line, help texts and documentation are made from it.
#include <fmt/format.h>

#include <algorithm>

#include "askrff/kernels.hpp"
#include "askrff/errors.hpp"
#include "kernels/expression_kernel.hpp"

namespace askrff {
namespace {

constexpr std::string_view shifted_prefix = "shifted:";

// Reads one kernel's parameters out of the values given by name.
class Reader {
 public:
  explicit Reader(const ParameterValues& values) : values_(values) {}
  double number(std::string_view name, double fallback) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return fallback;
    if (found->second.is_vector() || found->second.is_over_dim() || found->second.is_list())
      throw InvalidArgument(fmt::format("parameter {} is '{}', expected one number", name, printable(found->second.text())));
    return found->second.scalar();
  }
  CoordinateParameter coordinates(std::string_view name, const CoordinateParameter& fallback) const {
    const auto found = values_.find(name);
    return found == values_.end() ? fallback : found->second;
  }
  SigmaParameters sigma() const { return {.sigma = number("sigma", SigmaParameters{}.sigma)}; }
  ShiftParameters shift() const { return {.sigma = sigma().sigma, .shift = coordinates("shift", ShiftParameters{}.shift)}; }
  BetaParameters beta() const { return {.sigma = sigma().sigma, .beta = coordinates("beta", BetaParameters{}.beta)}; }
  DifferenceParameters difference() const {
    const DifferenceParameters d;
    return {.sigma = number("sigma", d.sigma), .sigma2 = number("sigma2", d.sigma2), .weight = number("weight", d.weight)};
  }

 private:
  const ParameterValues& values_;
};

ParameterInfo sigma_info() { return {"sigma", "bandwidth, > 0", SigmaParameters{}.sigma, false}; }
ParameterInfo shift_info() { return {"shift", "shift r", ShiftParameters{}.shift, true}; }
ParameterInfo beta_info() {
  return {"beta", "direction and strength of the skew", BetaParameters{}.beta, true, ParameterUnit::inverse_length};
}

KernelInfo positive(std::string name, std::string formula, std::unique_ptr<Kernel> (*factory)(SigmaParameters),
                    Distance distance = Distance::euclidean) {
  return {.name = std::move(name),
          .formula = std::move(formula),
          .parameters = {sigma_info()},
          .symmetric = true,
          .positive_definite = true,
          .distance = distance,
          .make = [factory](const ParameterValues& values) { return factory(Reader(values).sigma()); }};
}

std::vector<KernelInfo> make_registry() {
  std::vector<KernelInfo> list;
  list.push_back(positive("gaussian", "exp(-|δ|²/2σ²)", gaussian));
  list.push_back(positive("laplacian", "exp(-|δ|₁/σ)", laplacian, Distance::absolute));
  list.push_back(positive("matern-1/2", "exp(-x), x = |δ|/σ", matern_1_2));
  list.push_back(positive("matern-3/2", "(1 + x) exp(-x), x = √3|δ|/σ", matern_3_2));
  list.push_back(positive("matern-5/2", "(1 + x + x²/3) exp(-x), x = √5|δ|/σ", matern_5_2));
  list.push_back(positive("cauchy", "Π 1/(1 + δᵢ²/σ²)", cauchy));
  const DifferenceParameters difference;
  list.push_back({.name = "difference-of-gaussians",
                  .formula = "exp(-|δ|²/2σ²) - w exp(-|δ|²/2σ₂²)",
                  .parameters = {sigma_info(),
                                 {"sigma2", "second bandwidth, > 0, not equal to sigma", difference.sigma2, false},
                                 {"weight", "weight w of the second Gaussian, > 0", difference.weight, false, ParameterUnit::none}},
                  .symmetric = true,
                  .make = [](const ParameterValues& values) { return difference_of_gaussians(Reader(values).difference()); }});
  list.push_back({.name = "shift-gaussian",
                  .formula = "exp(-|δ + r|²/2σ²)",
                  .parameters = {sigma_info(), shift_info()},
                  .make = [](const ParameterValues& values) { return shift_gaussian(Reader(values).shift()); }});
  list.push_back({.name = "sinh-gaussian",
                  .formula = "exp(-|δ|²/2σ²) (1 + sinh β·δ)",
                  .parameters = {sigma_info(), beta_info()},
                  .make = [](const ParameterValues& values) { return sinh_gaussian(Reader(values).beta()); }});
  list.push_back({.name = "cosh-gaussian",
                  .formula = "exp(-|δ|²/2σ²) exp(β·δ)",
                  .parameters = {sigma_info(), beta_info()},
                  .make = [](const ParameterValues& values) { return cosh_gaussian(Reader(values).beta()); }});
  list.push_back({.name = "shifted:KERNEL",
                  .formula = "k(δ + r) for any symmetric KERNEL of this list",
                  .parameters = {shift_info()},
                  .wraps_another = true,
                  .make = {}});
  return list;
}

const std::vector<KernelInfo>& registry() {
  static const std::vector<KernelInfo> list = make_registry();
  return list;
}

const KernelInfo& find(std::string_view name) {
  const auto found =
      std::find_if(registry().begin(), registry().end(), [&](const KernelInfo& info) { return info.name == name && !info.wraps_another; });
  if (found != registry().end()) return *found;
  std::string names;
  for (const auto& info : registry()) names += (names.empty() ? "" : ", ") + info.name;
  throw InvalidArgument(fmt::format("unknown kernel '{}', expected one of {} or a formula, expr: …", printable(name), names));
}

}  // namespace

std::span<const KernelInfo> kernel_registry() { return registry(); }

std::vector<ParameterInfo> kernel_parameters(std::string_view name) {
  if (kernels::is_expression(name)) return kernels::expression_form(name).parameters;
  const bool is_shifted = name.starts_with(shifted_prefix);
  const KernelInfo& info = find(is_shifted ? name.substr(shifted_prefix.size()) : name);
  if (is_shifted && !info.symmetric)
    throw InvalidArgument(fmt::format("kernel '{}': {} is not symmetric; only a symmetric kernel can be shifted", name, info.name));
  auto parameters = info.parameters;
  if (is_shifted) parameters.push_back(shift_info());
  return parameters;
}

Distance kernel_distance(std::string_view name) {
  if (kernels::is_expression(name)) return Distance::euclidean;
  return find(name.starts_with(shifted_prefix) ? name.substr(shifted_prefix.size()) : name).distance;
}

std::unique_ptr<Kernel> make_kernel(std::string_view name, const ParameterValues& values) {
  const auto parameters = kernel_parameters(name);
  for (const auto& value : values) {
    const std::string& given = value.first;
    const auto known = std::find_if(parameters.begin(), parameters.end(), [&](const ParameterInfo& p) { return p.name == given; });
    if (known != parameters.end()) continue;
    std::string names;
    for (const auto& p : parameters) names += (names.empty() ? "" : ", ") + p.name;
    throw InvalidArgument(
        fmt::format("kernel {} has no parameter '{}', it has {}", printable(name), given, names.empty() ? "none" : names));
  }
  if (kernels::is_expression(name)) return kernels::expression_kernel(name, values);
  if (!name.starts_with(shifted_prefix)) return find(name).make(values);
  auto base = find(name.substr(shifted_prefix.size())).make(values);
  return shifted(std::move(base), Reader(values).coordinates("shift", ShiftParameters{}.shift));
}

NamedKernel named_kernel(std::string_view name, const ParameterValues& values) {
  NamedKernel named{std::string(name), {}, make_kernel(name, values)};
  for (const ParameterInfo& parameter : kernel_parameters(name)) {
    const auto given = values.find(parameter.name);
    if (parameter.is_table) {  // whatever it came as
      const auto numbers = given->second.values();
      named.parameters.emplace_back(parameter.name, CoordinateParameter::list({numbers.begin(), numbers.end()}));
      continue;
    }
    named.parameters.emplace_back(parameter.name, given == values.end() ? parameter.default_value : given->second);
  }
  return named;
}

}  // namespace askrff
