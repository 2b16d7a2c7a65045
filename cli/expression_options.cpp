// Values and tables of expressions.
#include "expression_options.hpp"

#include <fmt/format.h>

#include "askrff/data.hpp"
#include "askrff/errors.hpp"
#include "kernel_options.hpp"

namespace askrff::cli {
namespace {

/// The rows of a file of two columns, one behind the other. Any format of askrff::data will do.
CoordinateParameter table_in(const std::string& option, const std::string& file) {
  ReadOptions options;
  options.max_bytes = std::uint64_t{1} << 26;
  const Dataset data = read_data(file, options);
  if (data.X.cols() != 2)
    throw InvalidArgument(option, fmt::format("{} has {} columns, expected two, abscissae and values", file, data.X.cols()));
  return CoordinateParameter::list({data.X.data(), data.X.data() + 2 * data.X.rows()});
}

}  // namespace

bool is_expression(const std::string& kernel) { return kernel.starts_with("expr:") || kernel.starts_with("expr("); }

void require_expression_values(const std::vector<ParameterInfo>& parameters, const ParameterValues& values) {
  for (const ParameterInfo& parameter : parameters) {
    if (!parameter.is_required || values.contains(parameter.name)) continue;
    const std::string& name = parameter.name;
    throw InvalidArgument("--kernel", parameter.is_table
                                          ? fmt::format("{0} is no function of expressions, expected a table: --table {0}=FILE", name)
                                      : parameter.meaning.starts_with("direction")
                                          ? fmt::format("t is a·δ, expected the direction: --param {}=N or a comma list of d numbers", name)
                                          : fmt::format("{0} is no variable of expressions, expected its value: --param {0}=NUMBER", name));
  }
}

void ExpressionOptions::add_to(CLI::App& app, ParameterValues& values) {
  const auto add = [&](const std::string& option, bool is_table, const std::string& help, const std::string& type_name) {
    const auto one = [this, option, is_table, &values](const std::string& text) { read(option, text, is_table, values); };
    options_.push_back(in_group(add_repeated(app, option, one, help, type_name), "Kernel"));
  };
  add("--param", false,
      "The value of a name in --kernel \"expr: …\": a number; in expressions in x also\nN/d or a comma list of d numbers, as for the "
      "direction a "
      "of t; once for each name",
      "NAME=VALUE");
  add("--table", true,
      "A function of one variable for --kernel \"expr: …\": a file of two columns,\nincreasing abscissae and values; cubic between them, 0 "
      "outside",
      "NAME=FILE");
  route_option_ =
      in_group(add_word(app, "--route", route_,
                        "How the Fourier measure of --kernel \"expr: …\" is found; one that does not fit\nis refused with the reason. "
                        "Landmarks, which need no measure, are\n--estimator nystrom."),
               "Kernel");
  options_.push_back(route_option_);
}

std::string ExpressionOptions::option_of(const std::string& parameter, const CoordinateParameter& value) const {
  return (value.is_list() ? "--table " : names_.contains(parameter) ? "--param " : "--") + parameter;
}

std::string ExpressionOptions::name_of_kernel(const std::string& kernel) const {
  if (!given(route_option_) || !is_expression(kernel)) return kernel;
  if (!kernel.starts_with("expr:"))
    throw InvalidArgument("--route", fmt::format("the route stands in --kernel {}, expected it once", printable(kernel)));
  return fmt::format("expr(route={}){}", name_of(route_), kernel.substr(kernel.find(':')));
}

void ExpressionOptions::read(const std::string& option, const std::string& text, bool is_table, ParameterValues& values) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0 || sign + 1 == text.size())
    throw InvalidArgument(option, fmt::format("got \"{}\", expected {}", text, is_table ? "NAME=FILE" : "NAME=VALUE"));
  const std::string name = text.substr(0, sign), value = text.substr(sign + 1);
  if (!names_.insert(name).second) throw InvalidArgument(option, fmt::format("{} has two values, expected one", name));
  values.insert_or_assign(name, is_table ? table_in(option + " " + name, value) : parse_parameter(option + " " + name, value));
}

void ExpressionOptions::check(const std::string& kernel) const {
  if (is_expression(kernel)) return;
  for (const CLI::Option* option : options_)
    refuse_if_given(option, fmt::format("belongs to --kernel \"expr: …\"; the parameters of {} are options of their own", kernel));
}

}  // namespace askrff::cli
