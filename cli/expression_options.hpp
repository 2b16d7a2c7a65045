// What a kernel by expression takes from the command line: --param NAME=VALUE and --table NAME=FILE, as often as there are names, and
// --route.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "askrff/function_form.hpp"
#include "askrff/kernels.hpp"
#include "options.hpp"

namespace askrff::cli {

class ExpressionOptions {
 public:
  /// Every value goes to `values` when it is read.
  void add_to(CLI::App& app, ParameterValues& values);
  /// The options, to be refused where no kernel is wanted.
  const std::vector<CLI::Option*>& options() const { return options_; }
  /// Throws std::invalid_argument if one of them was given and `kernel` is no expression.
  void check(const std::string& kernel) const;
  /// "--param s", "--table f" or "--s": how the value of a parameter was given.
  std::string option_of(const std::string& parameter, const CoordinateParameter& value) const;
  /// `kernel`, with the route if one was given. Throws std::invalid_argument if it has one already.
  std::string name_of_kernel(const std::string& kernel) const;

 private:
  std::vector<CLI::Option*> options_;
  CLI::Option* route_option_ = nullptr;
  std::set<std::string> names_;
  Route route_ = Route::automatic;

  void read(const std::string& option, const std::string& text, bool is_table, ParameterValues& values);
};

/// "expr: …" or "expr(route=WORD): …"
bool is_expression(const std::string& kernel);
/// Throws std::invalid_argument that names the option for a parameter of an expression that has no value.
void require_expression_values(const std::vector<ParameterInfo>& parameters, const ParameterValues& values);

}  // namespace askrff::cli
