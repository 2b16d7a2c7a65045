// The kernel of a call: --kernel and the parameter options, all generated from kernel_registry().
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "askrff/kernels.hpp"
#include "command.hpp"
#include "expression_options.hpp"
#include "options.hpp"

namespace askrff::cli {

/// A kernel as the command line shows it.
struct ChosenKernel : NamedKernel {
  /// Throws std::invalid_argument if a vector parameter has not `dim` values.
  void check_dim(std::size_t dim) const;
  /// Its measure in `dim` dimensions. Throws std::invalid_argument if it has none or a parameter does not fit dim.
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const;
  /// Name → number (the value of every coordinate) or array.
  Json parameters_json(std::size_t dim) const;
  /// "shift-gaussian (sigma = 2, shift = 2/d) in 8 dimensions"
  std::string title(std::size_t dim) const;
};

/// "0.25" (every coordinate), "2/d" (over the dimension) or "0.1,0.2" (one by one). Throws std::invalid_argument that names the option.
CoordinateParameter parse_parameter(const std::string& option, const std::string& text);

/// A number (the value of every coordinate) or, for a vector or a table, an array.
Json parameter_json(const CoordinateParameter& value, std::size_t dim, const std::string& kernel, const std::string& parameter);

/// Throws std::invalid_argument for an unknown name, a parameter the kernel does not have (naming those it has) or a bad value.
/// given: which options the values came by.
ChosenKernel choose_kernel(const std::string& name, const ParameterValues& values = {}, const ExpressionOptions& given = {});

/// The name of a matrix in the place of a kernel (matrix_options.hpp).
inline constexpr const char* matrix_kernel = "precomputed";

class KernelOptions {
 public:
  /// --kernel, required, and the parameters of all kernels. `more` is added to the help of --kernel.
  void add_to(CLI::App& app, const std::string& more = "");
  /// The same for a subcommand without data: --sigma takes no "auto".
  void add_without_data(CLI::App& app);
  /// For subcommands where a kernel is not always wanted.
  void make_optional() { required(kernel_, false); }
  bool is_given() const;
  /// The data are a kernel matrix: choose() and choice() refuse it.
  bool is_matrix() const { return name_ == matrix_kernel; }
  void refuse_all(const std::string& reason) const;
  /// The parameters alone.
  void refuse_parameters(const std::string& reason) const;
  const std::string& name() const { return name_; }
  const ParameterValues& values() const { return values_; }  ///< those given
  /// The kernel with the values given, its own defaults for the others.
  ChosenKernel choose() const {
    expression_.check(name_);
    return choose_kernel(expression_.name_of_kernel(name_), values_, expression_);
  }
  /// For make_map() and train(), which stretch the kernel to the data where no sigma is given. Throws InvalidArgument as choose().
  KernelChoice choice() const;

 private:
  CLI::Option* kernel_ = nullptr;
  std::vector<CLI::Option*> parameters_;
  std::string name_;
  ParameterValues values_;
  ExpressionOptions expression_;

  void add(CLI::App& app, const std::string& more, bool allow_auto);
};

/// "--dim D", a required option unless the data can say it; 0 if it is not given.
CLI::Option* add_dim(CLI::App& app, std::size_t& dim);

}  // namespace askrff::cli
