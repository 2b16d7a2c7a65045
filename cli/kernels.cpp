// askrff kernels: the registry for people and programs.
#include <fmt/format.h>

#include <string>

#include "askrff/kernels.hpp"
#include "command.hpp"
#include "options.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

/// A number where it is one, else its text ("2/d").
Json default_json(const CoordinateParameter& value) {
  if (value.is_vector() || value.is_over_dim()) return value.text();
  return value.scalar();
}

Json kernel_json(const KernelInfo& kernel) {
  Json parameters = Json::array();
  for (const ParameterInfo& parameter : kernel.parameters)
    parameters.push_back({{"name", parameter.name},
                          {"default", default_json(parameter.default_value)},
                          {"meaning", parameter.meaning},
                          {"per_coordinate", parameter.per_coordinate}});
  return {{"name", kernel.name},
          {"formula", kernel.formula},
          {"parameters", std::move(parameters)},
          {"symmetric", kernel.symmetric},
          {"positive_definite", kernel.positive_definite},
          {"wraps_another", kernel.wraps_another}};
}

std::string parameters_text(const KernelInfo& kernel) {
  std::string text;
  for (const ParameterInfo& parameter : kernel.parameters)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", parameter.name, parameter.default_value.text());
  return text + (kernel.wraps_another ? ", and those of KERNEL" : "");
}

Json words_json(std::span<const ExpressionWord> words) {
  Json json = Json::object();
  for (const ExpressionWord& word : words) json[std::string(word.name)] = word.meaning;
  return json;
}

/// Variables with their meaning, and the names of the functions, in lines of at most 100 characters.
std::string words_text() {
  constexpr std::size_t width = 100;
  std::string text, line = "and + - * / ^, comparisons, c ? u : v, tables (--table f=FILE) and functions:";
  for (const ExpressionWord& word : expression_variables()) text += fmt::format("  {:<9}  {}\n", word.name, word.meaning);
  for (const ExpressionWord& word : expression_functions()) {
    if (line.size() + 1 + word.name.size() > width) {
      text += line + "\n ";
      line.clear();
    }
    line += fmt::format(" {}", word.name);
  }
  return text + line + "\nSee docs/expressions.md.\n";
}

Report run_kernels() {
  Report report;
  report.json["kernels"] = Json::array();
  Table table({{"kernel", Align::left},
               {"k(δ)", Align::left},
               {"parameters", Align::left},
               {"symmetric", Align::left},
               {"positive definite", Align::left}});
  for (const KernelInfo& kernel : kernel_registry()) {
    report.json["kernels"].push_back(kernel_json(kernel));
    table.add(
        {kernel.name, kernel.formula, parameters_text(kernel), kernel.symmetric ? "yes" : "no", kernel.positive_definite ? "yes" : "no"});
  }
  report.json["expressions"] = {
      {"form", "expr: FORMULA"}, {"variables", words_json(expression_variables())}, {"functions", words_json(expression_functions())}};
  report.text =
      table.text() +
      "\nδ = x - y. A parameter is an option of the other subcommands: askrff masses --kernel gaussian --sigma 0.5 --dim 8\n"
      "Every kernel takes scales, lengths of the coordinates: --scales 1,2,0.5 makes it k(δ₁/1, δ₂/2, δ₃/0.5). Kernels are added and\n"
      "multiplied by a text: --kernel \"gaussian(sigma=0.5) + 0.3*shift-gaussian(shift=[0.1,0.2])\"\n"
      "Or a formula of your own: --kernel \"expr: exp(-abs(x + 0.3)/s)\" --param s=0.8, of\n" +
      words_text();
  return report;
}

}  // namespace

Command add_kernels(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "kernels", "The kernels: formulas, parameters with their defaults, properties");
  add_footer(*parser, "Example:\n  askrff kernels");
  return {parser, run_kernels};
}

}  // namespace askrff::cli
