// The registry: the only list of kernels. Command line, help texts and documentation are made from it.
#include <fmt/format.h>

#include <algorithm>

#include "askrff/kernels.hpp"
#include "askrff/errors.hpp"
#include "kernels/composition.hpp"
#include "kernels/expression_kernel.hpp"

namespace askrff {
namespace {

constexpr std::string_view shifted_prefix = "shifted:";
const std::string scales_name = "scales";

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
  AlphaParameters alpha() const { return {.sigma = sigma().sigma, .alpha = number("alpha", AlphaParameters{}.alpha)}; }
  PowerParameters power() const { return {.sigma = sigma().sigma, .power = number("power", PowerParameters{}.power)}; }
  DecayParameters decay() const {
    const DecayParameters d;
    return {.sigma = sigma().sigma, .power = number("power", d.power), .decay = number("decay", d.decay)};
  }
  PeriodicParameters periodic() const {
    const PeriodicParameters p;
    return {.sigma = sigma().sigma, .period = number("period", p.period), .length = number("length", p.length)};
  }
  GammaParameters gamma() const { return {.sigma = sigma().sigma, .shape = number("shape", GammaParameters{}.shape)}; }
  SkewParameters skew() const { return {.sigma = sigma().sigma, .skew = coordinates("skew", SkewParameters{}.skew)}; }
  GaborParameters gabor() const {
    const GaborParameters g;
    return {.sigma = sigma().sigma, .wave = coordinates("wave", g.wave), .phase = number("phase", g.phase)};
  }

 private:
  const ParameterValues& values_;
};

ParameterInfo sigma_info() { return {"sigma", "bandwidth, > 0", SigmaParameters{}.sigma, false}; }
ParameterInfo shift_info() { return {"shift", "shift r", ShiftParameters{}.shift, true}; }
ParameterInfo beta_info() {
  return {"beta", "direction and strength of the skew", BetaParameters{}.beta, true, ParameterUnit::inverse_length};
}
ParameterInfo scales_info() {
  return {scales_name, "lengths s, > 0: k(δ₁/s₁, …, δ_d/s_d)", CoordinateParameter(1.0), true, ParameterUnit::none};
}
/// A number without a unit of length.
ParameterInfo number_info(std::string name, std::string meaning, double default_value, ParameterUnit unit = ParameterUnit::none) {
  return {std::move(name), std::move(meaning), default_value, false, unit};
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
  list.push_back({.name = "rational-quadratic",
                  .formula = "(1 + |δ|²/2ασ²)^-α",
                  .parameters = {sigma_info(), number_info("alpha", "how fast it falls, α", AlphaParameters{}.alpha)},
                  .symmetric = true,
                  .positive_definite = true,
                  .make = [](const ParameterValues& values) { return rational_quadratic(Reader(values).alpha()); }});
  const DecayParameters decay;
  list.push_back({.name = "generalised-cauchy",
                  .formula = "(1 + (|δ|/σ)ᵃ)^(-b/a)",
                  .parameters = {sigma_info(), number_info("power", "power a of the distance, 0.2 to 2", decay.power),
                                 number_info("decay", "power b it falls with far out", decay.decay)},
                  .symmetric = true,
                  .positive_definite = true,
                  .make = [](const ParameterValues& values) { return generalised_cauchy(Reader(values).decay()); }});
  list.push_back({.name = "exponential-power",
                  .formula = "exp(-(|δ|/σ)ᵃ)",
                  .parameters = {sigma_info(), number_info("power", "power a of the distance, 0.2 to 2", PowerParameters{}.power)},
                  .symmetric = true,
                  .positive_definite = true,
                  .make = [](const ParameterValues& values) { return exponential_power(Reader(values).power()); }});
  const PeriodicParameters periodic;
  list.push_back({.name = "periodic-gaussian",
                  .formula = "exp(-|δ|²/2σ² - Σ 2sin²(πδᵢ/p)/ℓ²)",
                  .parameters = {sigma_info(), number_info("period", "period p, > 0", periodic.period, ParameterUnit::length),
                                 number_info("length", "length ℓ on the circle, 0.01 or more", periodic.length)},
                  .symmetric = true,
                  .positive_definite = true,
                  .make = [](const ParameterValues& values) { return periodic_gaussian(Reader(values).periodic()); }});
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
  const GaborParameters gabor_defaults;
  list.push_back({.name = "gabor",
                  .formula = "exp(-|δ|²/2σ²) cos(w·δ + φ)",
                  .parameters = {sigma_info(),
                                 {"wave", "wave vector w", gabor_defaults.wave, true, ParameterUnit::inverse_length},
                                 number_info("phase", "phase φ, in radians", gabor_defaults.phase)},
                  .make = [](const ParameterValues& values) { return gabor(Reader(values).gabor()); }});
  list.push_back({.name = "skew-normal",
                  .formula = "Π 2Φ(αᵢδᵢ/σ) exp(-δᵢ²/2σ²)",
                  .parameters = {sigma_info(), {"skew", "skew α", SkewParameters{}.skew, true, ParameterUnit::none}},
                  .make = [](const ParameterValues& values) { return skew_normal(Reader(values).skew()); }});
  list.push_back({.name = "causal-gamma",
                  .formula = "Π (δᵢ/m)^(a-1) exp(a-1-δᵢ/σ), δᵢ > 0; m = (a-1)σ",
                  .parameters = {sigma_info(), number_info("shape", "shape a, more than 1", GammaParameters{}.shape)},
                  .make = [](const ParameterValues& values) { return causal_gamma(Reader(values).gamma()); }});
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

std::unique_ptr<Kernel> make_unscaled(std::string_view name, const ParameterValues& values) {
  if (kernels::is_expression(name)) return kernels::expression_kernel(name, values);
  if (kernels::is_composition(name)) return kernels::kernel_of_text(name);
  if (!name.starts_with(shifted_prefix)) return find(name).make(values);
  auto base = find(name.substr(shifted_prefix.size())).make(values);
  return shifted(std::move(base), Reader(values).coordinates("shift", ShiftParameters{}.shift));
}

}  // namespace

std::span<const KernelInfo> kernel_registry() { return registry(); }

std::vector<ParameterInfo> kernel_parameters(std::string_view name) {
  if (kernels::is_expression(name)) return kernels::expression_form(name).parameters;
  if (name.starts_with(shifted_prefix) && kernels::is_expression(name.substr(shifted_prefix.size())))
    throw InvalidArgument(fmt::format("kernel {}: a formula is not shifted; write the shift into it, (x + 0.3) for x", printable(name)));
  if (kernels::is_composition(name)) return {scales_info()};  // all others stand in its text
  const bool is_shifted = name.starts_with(shifted_prefix);
  const KernelInfo& info = find(is_shifted ? name.substr(shifted_prefix.size()) : name);
  if (is_shifted && !info.symmetric)
    throw InvalidArgument(fmt::format("kernel '{}': {} is not symmetric; only a symmetric kernel can be shifted", name, info.name));
  auto parameters = info.parameters;
  if (is_shifted) parameters.push_back(shift_info());
  parameters.push_back(scales_info());
  return parameters;
}

Distance kernel_distance(std::string_view name) {
  if (kernels::is_expression(name)) return Distance::euclidean;
  if (kernels::is_composition(name)) return Distance::euclidean;
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
        fmt::format("kernel {} has no parameter '{}', it has {}", printable(name), printable(given, 40), names.empty() ? "none" : names));
  }
  auto kernel = make_unscaled(name, values);
  const auto scales = values.find(scales_name);
  return scales == values.end() ? std::move(kernel) : scaled(std::move(kernel), scales->second);
}

NamedKernel named_kernel(std::string_view name, const ParameterValues& values) {
  NamedKernel named{std::string(name), {}, make_kernel(name, values)};
  for (const ParameterInfo& parameter : kernel_parameters(name)) {
    const auto given = values.find(parameter.name);
    if (given == values.end() && parameter.name == scales_name) continue;  // no scales, no record of any: as before there were some
    if (parameter.is_table) {                                              // whatever it came as
      const auto numbers = given->second.values();
      named.parameters.emplace_back(parameter.name, CoordinateParameter::list({numbers.begin(), numbers.end()}));
      continue;
    }
    named.parameters.emplace_back(parameter.name, given == values.end() ? parameter.default_value : given->second);
  }
  return named;
}

}  // namespace askrff
