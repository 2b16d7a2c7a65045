// The registry and kernels.
#include "kernels.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "askrff/measure.hpp"
#include "askrff/numbers.hpp"
#include "askrff/operators.hpp"
#include "bindings.hpp"
#include "calls.hpp"
#include "sparse.hpp"

namespace askrff::python {

using namespace nb::literals;

nb::object to_python(const CoordinateParameter& value) {
  if (value.is_over_dim()) return nb::cast(value.text());
  if (!value.is_vector() && !value.is_list()) return nb::cast(value.scalar());
  return nb::cast(std::vector<double>(value.values().begin(), value.values().end()));
}

namespace {

/// "2/d" or "0.25".
CoordinateParameter from_text(const std::string& name, const std::string& text) {
  const bool over_dim = text.ends_with("/d");
  const char* const end = text.data() + text.size() - (over_dim ? 2 : 0);
  double number = 0;
  const auto [stop, error] = number_from_chars(text.data(), end, number);
  if (error != std::errc{} || stop != end)
    throw std::invalid_argument("make_kernel: " + name + " is '" + text + "', expected a number, a list of numbers or 'N/d'");
  return over_dim ? CoordinateParameter::over_dim(number) : CoordinateParameter(number);
}

/// A number, a list or array of numbers, or text.
CoordinateParameter from_python(const std::string& name, nb::handle value) {
  if (nb::isinstance<nb::str>(value)) return from_text(name, nb::cast<std::string>(value));
  const bool is_list = nb::hasattr(value, "__len__") && !(nb::hasattr(value, "ndim") && nb::cast<int>(value.attr("ndim")) == 0);
  try {
    if (!is_list) return CoordinateParameter(nb::cast<double>(nb::float_(value)));
    std::vector<double> values;
    for (const nb::handle element : value) values.push_back(nb::cast<double>(nb::float_(element)));
    return CoordinateParameter(std::move(values));
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    throw nb::type_error(("make_kernel: " + name + " is " + nb::cast<std::string>(nb::repr(value)) +
                          ", expected a number, a list of numbers or text like '2/d'")
                             .c_str());
  }
}

nb::dict describe(const KernelInfo& info) {
  nb::list parameters;
  for (const ParameterInfo& parameter : info.wraps_another ? info.parameters : kernel_parameters(info.name)) {
    nb::dict entry;
    entry["name"] = parameter.name;
    entry["meaning"] = parameter.meaning;
    entry["default"] = to_python(parameter.default_value);
    entry["per_coordinate"] = parameter.per_coordinate;
    parameters.append(entry);
  }
  nb::dict result;
  result["name"] = info.name;
  result["formula"] = info.formula;
  result["parameters"] = parameters;
  result["symmetric"] = info.symmetric;
  result["positive_definite"] = info.positive_definite;
  result["wraps_another"] = info.wraps_another;
  return result;
}

ParameterValues values_from(const nb::dict& params) {
  ParameterValues values;
  for (const auto& [key, value] : params) {
    if (!nb::isinstance<nb::str>(key)) throw nb::type_error("make_kernel: a parameter's name is no text");
    const auto parameter = nb::cast<std::string>(key);
    values.insert_or_assign(parameter, from_python(parameter, value));
  }
  return values;
}

nb::dict parameters_of(const NamedKernel& kernel) {
  nb::dict result;
  for (const auto& [name, value] : kernel.parameters) result[name.c_str()] = to_python(value);
  return result;
}

nb::object gram(const NamedKernel& kernel, const nb::object& X, const nb::object& Y, std::size_t n_threads) {
  const auto rows = rows_of_either(X, "Kernel.gram", "X"), columns = rows_of_either(Y, "Kernel.gram", "Y");
  return to_array(
      interruptible(n_threads, [&](const Execution& execution) { return exact_gram(*kernel.kernel, rows, columns, execution); }));
}

/// None without a measure, or if that does not know its masses.
nb::object masses(const NamedKernel& kernel, std::size_t dim) {
  const auto found = interruptible(1, [&](const Execution& execution) -> std::optional<Masses> {
    const auto measure = kernel.kernel->measure(dim, execution);
    if (!measure) return std::nullopt;
    for (const Part part : measure->parts())
      if (!measure->exact_moments(part)) return std::nullopt;
    return exact_masses(*measure);
  });
  if (!found) return nb::none();
  const Masses& exact = *found;
  nb::dict result;
  for (const Part part : all_parts) result[std::string(traits(part).name).c_str()] = exact.of(part);
  result["total"] = exact.total;
  result["total_variation"] = exact.total_variation;
  return result;
}

}  // namespace

KernelChoice kernel_choice(const nb::object& kernel, const nb::dict& params) {
  if (nb::isinstance<NamedKernel>(kernel)) return nb::cast<const NamedKernel&>(kernel);
  return {nb::cast<std::string>(kernel), values_from(params)};
}

void bind_kernels(nb::module_& module) {
  nb::class_<NamedKernel>(module, "Kernel", nb::dynamic_attr(), nb::is_weak_referenceable(),
                          "A shift-invariant kernel k(x - y): one of the library's, or a Python function.")
      .def_prop_ro("name", [](const NamedKernel& self) { return is_function(self) ? self.kernel->name() : self.name; })
      .def_prop_ro("parameters", &parameters_of, "By name, defaults included: numbers, lists, or text like '2/d'.")
      .def_prop_ro("symmetric", [](const NamedKernel& self) { return self.kernel->symmetric(); })
      .def_prop_ro("positive_definite", [](const NamedKernel& self) { return self.kernel->positive_definite(); })
      .def_prop_ro(
          "shift_invariant", [](const NamedKernel& self) { return self.kernel->shift_invariant(); }, "Whether it is one of differences.")
      .def_prop_ro("is_callable", &is_function, "Whether it is a Python function.")
      .def_prop_ro(
          "function", [](nb::handle_t<NamedKernel> self) { return function_of(self); }, "None for one of the library's.")
      .def_prop_ro(
          "form", [](nb::handle_t<NamedKernel> self) { return form_of(self); },
          "Of a function: a dict of route, direction and tolerance. None for one of the library's.")
      .def(
          "measure_reason",
          [](const NamedKernel& self, std::size_t dim) {
            return interruptible(1, [&](const Execution& execution) {
              self.kernel->find_measure(dim, execution);
              return self.kernel->measure_reason(dim);
            });
          },
          "dim"_a,
          "How the Fourier measure of a function was found in dim dimensions, or why there is none; empty for one of the library's.")
      .def("gram", &gram, "X"_a, "Y"_a, "n_threads"_a = 0, "The exact matrix k(x_i - y_j), float64.")
      .def("masses", &masses, "dim"_a, "Exact masses of the Jordan parts in dim dimensions; None where they are not known.");

  module.def(
      "kernels",
      [] {
        nb::list all;
        for (const KernelInfo& info : kernel_registry()) all.append(describe(info));
        return all;
      },
      "Every kernel that can be made by name.");
  module.def(
      "make_kernel", [](const std::string& name, const nb::dict& params) { return named_kernel(name, values_from(params)); }, "name"_a,
      "params"_a = nb::dict(),
      "The kernel of that name; parameters are numbers, lists with one number per coordinate, or text like '2/d'.");
  module.def(
      "callable_kernel",
      [](nb::object function, std::string name, bool symmetric, const std::string& route, std::optional<std::vector<double>> direction,
         double tolerance) {
        return callable_kernel(std::move(function), {.route = value_of<Route>("callable_kernel: route", route),
                                                     .direction = direction.value_or(std::vector<double>()),
                                                     .tolerance = tolerance,
                                                     .symmetric = symmetric,
                                                     .name = std::move(name)});
      },
      "function"_a, "name"_a, "symmetric"_a = false, "route"_a = std::string(name_of(FunctionForm{}.route)), "direction"_a = nb::none(),
      "tolerance"_a = FunctionForm{}.tolerance, "A kernel of function(differences): (n, dim) float64, read-only, to n numbers.");
  module.def("callable_pairs", &callable_pairs, "function"_a, "name"_a, "symmetric"_a = false,
             "A kernel of function(X, Y): (n, dim) and (m, dim) float64, read-only, to (n, m) numbers.");
}

}  // namespace askrff::python
