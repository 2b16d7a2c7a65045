// Generates the kernel options from the registry and turns their texts into a kernel.
#include "kernel_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "askrff/errors.hpp"
#include "interrupt.hpp"
#include "numbers.hpp"
#include "options.hpp"
#include "progress_bar.hpp"

namespace askrff::cli {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& separator = ", ") {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : separator) + word;
  return text;
}

/// Words over several lines of at most `width` characters, for help texts.
std::string wrapped(const std::vector<std::string>& words, std::size_t width) {
  std::string text;
  std::size_t column = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
    if (column != 0 && column + 1 + word.size() > width) {
      text += '\n';
      column = 0;
    }
    text += (column == 0 ? "" : " ") + word;
    column += (column == 0 ? 0 : 1) + word.size();
  }
  return text;
}

/// What the registry says about one parameter name.
struct ParameterHelp {
  std::string meaning;
  std::vector<std::string> defaults, kernels;
  bool per_coordinate = false, has_unit = false;

  enum class Default { own, found_in_data, follows_sigma };
  std::string text(Default which) const {
    // A kernel that wraps another takes the parameters of that one as well.
    const auto lacks = [this](const KernelInfo& kernel) {
      return !kernel.wraps_another && std::find(kernels.begin(), kernels.end(), kernel.name) == kernels.end();
    };
    const bool for_all = std::none_of(kernel_registry().begin(), kernel_registry().end(), lacks);
    const std::string forms = per_coordinate ? "\na number for every coordinate, N/d, or a comma list of d numbers" : "";
    const bool follows_sigma = which == Default::follows_sigma && has_unit;
    const std::string default_text = which == Default::found_in_data ? "auto, the median distance of rows"
                                     : follows_sigma                 ? joined(defaults, " or ") + ", in proportion if sigma is auto"
                                                                     : joined(defaults, " or ");
    return fmt::format("{}; default {}{}\n({})", meaning, default_text, forms, for_all ? "all kernels" : wrapped(kernels, 80));
  }
};

/// One entry per parameter name, in the order of the registry; at the end what all kernels have, which the registry does not repeat.
std::vector<std::pair<std::string, ParameterHelp>> parameter_help() {
  std::vector<std::pair<std::string, ParameterHelp>> all;
  const auto add = [&all](const std::string& kernel, const ParameterInfo& parameter) {
    auto found = std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.first == parameter.name; });
    if (found == all.end()) found = all.insert(all.end(), {parameter.name, ParameterHelp{parameter.meaning, {}, {}}});
    ParameterHelp& help = found->second;
    const std::string default_text = parameter.default_value.text();
    if (std::find(help.defaults.begin(), help.defaults.end(), default_text) == help.defaults.end()) help.defaults.push_back(default_text);
    help.kernels.push_back(kernel);
    help.per_coordinate = help.per_coordinate || parameter.per_coordinate;
    help.has_unit = help.has_unit || parameter.unit != ParameterUnit::none;
  };
  for (const KernelInfo& kernel : kernel_registry())
    for (const ParameterInfo& parameter : kernel.parameters) add(kernel.name, parameter);
  for (const KernelInfo& kernel : kernel_registry()) {
    if (kernel.wraps_another) continue;
    for (const ParameterInfo& parameter : kernel_parameters(kernel.name))
      if (std::ranges::none_of(kernel.parameters, [&](const ParameterInfo& own) { return own.name == parameter.name; }))
        add(kernel.name, parameter);
  }
  return all;
}

/// Refuses, in the words of the command line, what make_kernel would refuse in the words of the library.
void check_values(const std::string& name, const std::vector<ParameterInfo>& parameters, const ParameterValues& values,
                  const ExpressionOptions& given) {
  const auto option_of = [&](const std::string& parameter, bool is_table = false) {
    return (is_table ? "--table " : is_expression(name) ? "--param " : "--") + parameter;
  };
  for (const auto& [given_name, value] : values) {
    const auto named = [&key = given_name](const ParameterInfo& parameter) { return parameter.name == key; };
    const auto found = std::find_if(parameters.begin(), parameters.end(), named);
    if (found == parameters.end()) {
      std::vector<std::string> options;
      for (const ParameterInfo& parameter : parameters) options.push_back(option_of(parameter.name, parameter.is_table));
      throw InvalidArgument(
          printable(given.option_of(given_name, value), 60),
          fmt::format("kernel {} has no such parameter, expected {}", printable(name), options.empty() ? "none" : joined(options)));
    }
    if (found->is_table && !value.is_list() && !value.is_vector())
      throw InvalidArgument(given.option_of(given_name, value), fmt::format("{} stands for a function in {}, expected --table {}=FILE",
                                                                            given_name, printable(name), given_name));
    if (!found->is_table && value.is_list())
      throw InvalidArgument("--table " + given_name,
                            fmt::format("{} stands for a number in {}, expected --param", given_name, printable(name)));
    if (!found->per_coordinate && !found->is_table && (value.is_vector() || value.is_over_dim()))
      throw InvalidArgument(given.option_of(given_name, value),
                            fmt::format("got \"{}\", kernel {} takes one number", value.text(), printable(name)));
  }
  require_expression_values(parameters, values);
}

}  // namespace

CoordinateParameter parse_parameter(const std::string& option, const std::string& text) {
  if (text.ends_with("/d")) return CoordinateParameter::over_dim(parse_number(option, std::string_view(text).substr(0, text.size() - 2)));
  if (text.find(',') == std::string::npos) return CoordinateParameter(parse_number(option, text));
  return CoordinateParameter(parse_numbers(option, text));
}

void ChosenKernel::check_dim(std::size_t dim) const {
  for (const auto& [parameter, value] : parameters)
    if (value.is_vector()) value.expand(dim, name, "--" + parameter);
}

std::unique_ptr<const ComplexMeasure> ChosenKernel::measure(std::size_t dim) const {
  check_dim(dim);
  auto measure = kernel->measure(dim, {.stop = stop_token(), .progress = stages_on_a_bar()});
  if (!measure) {
    const std::string reason = kernel->measure_reason(dim);
    throw InvalidArgument(
        fmt::format("kernel {}: {}; only fits to data are possible", name, reason.empty() ? "its Fourier measure is not known" : reason));
  }
  return measure;
}

Json ChosenKernel::parameters_json(std::size_t dim) const {
  Json json = Json::object();
  for (const auto& [parameter, value] : parameters) json[parameter] = parameter_json(value, dim, name, parameter);
  return json;
}

Json parameter_json(const CoordinateParameter& value, std::size_t dim, const std::string& kernel, const std::string& parameter) {
  if (value.is_vector()) return value.expand(dim, kernel, "--" + parameter);
  if (value.is_list()) return value.values();
  return value.expand(1, kernel, "--" + parameter).front() / (value.is_over_dim() ? static_cast<double>(dim) : 1.0);
}

std::string ChosenKernel::title(std::size_t dim) const {
  std::vector<std::string> settings;
  for (const auto& [parameter, value] : parameters) {
    const std::string text = value.is_list()     ? fmt::format("table of {} points", value.values().size() / 2)
                             : value.is_vector() ? value.text()
                                                 : fmt::format("{:.6g}{}", value.scalar(), value.is_over_dim() ? "/d" : "");
    settings.push_back(parameter + " = " + (text.size() > 40 ? text.substr(0, text.rfind(',', 40)) + ",…" : text));
  }
  return fmt::format("{}{} in {} dimension{}", name, settings.empty() ? "" : " (" + joined(settings) + ")", dim, dim == 1 ? "" : "s");
}

ChosenKernel choose_kernel(const std::string& name, const ParameterValues& values, const ExpressionOptions& given) {
  if (name == matrix_kernel)
    throw InvalidArgument("--kernel",
                          "precomputed is a matrix, which has no function of rows; expected a kernel here: choose, approx, diagnose and "
                          "train take a matrix, transform and predict the files that these make of it");
  check_values(name, kernel_parameters(name), values, given);
  return {named_kernel(name, values)};
}

KernelChoice KernelOptions::choice() const {
  if (name_ == linear_kernel) return std::string(linear_kernel);
  return {choose().name, values_};  // whatever is wrong is said now
}

void KernelOptions::add_to(CLI::App& app, const std::string& more) { add(app, more, true); }
void KernelOptions::add_without_data(CLI::App& app) { add(app, "", false); }

void KernelOptions::add(CLI::App& app, const std::string& more, bool allow_auto) {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : kernel_registry()) names.push_back(kernel.name);
  const std::string help = "One of\n" + wrapped(names, 80) +
                           "\n(askrff kernels shows their formulas), a sum or product of them with their\nparameters, \"gaussian + "
                           "0.3*laplacian(sigma=1)\", or a formula of your own in\nx, x1, x2, …, r "
                           "or t, \"expr: exp(-abs(x + 0.3)/s)\" (docs/expressions.md)" +
                           (more.empty() ? "" : "\n" + more);
  kernel_ = in_group(required(add_text(app, "--kernel", name_, help, "NAME")), "Kernel");
  for (const auto& [parameter, parameter_help] : parameter_help()) {
    const std::string option = "--" + parameter;
    const bool may_be_auto = allow_auto && parameter == "sigma";
    const auto read = [this, option, may_be_auto, key = parameter](const std::string& text) {
      if (may_be_auto && text == "auto")
        values_.erase(key);
      else
        values_.insert_or_assign(key, parse_parameter(option, text));
    };
    const std::string forms = parameter_help.per_coordinate ? "X[,X...]" : may_be_auto ? "auto|X" : "X";
    const auto which = may_be_auto  ? ParameterHelp::Default::found_in_data
                       : allow_auto ? ParameterHelp::Default::follows_sigma
                                    : ParameterHelp::Default::own;
    parameters_.push_back(in_group(add_text_option(app, option, read, parameter_help.text(which), forms), "Kernel"));
  }
  expression_.add_to(app, values_);
  parameters_.insert(parameters_.end(), expression_.options().begin(), expression_.options().end());
}

bool KernelOptions::is_given() const { return given(kernel_); }

void KernelOptions::refuse_all(const std::string& reason) const {
  refuse_if_given(kernel_, reason);
  refuse_parameters(reason);
}

void KernelOptions::refuse_parameters(const std::string& reason) const {
  for (const CLI::Option* option : parameters_) refuse_if_given(option, reason);
}

CLI::Option* add_dim(CLI::App& app, std::size_t& dim) {
  return in_group(with_default(add_count(app, "--dim", dim, "Dimension of the data", 1, max_dim), ""), "Kernel");
}

}  // namespace askrff::cli
