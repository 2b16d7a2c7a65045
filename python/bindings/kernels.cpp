// The registry and kernels.
#include "kernels.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "arrays.hpp"
#include "askrff/bandwidth.hpp"
#include "askrff/masses.hpp"
#include "askrff/operators.hpp"
#include "bindings.hpp"
#include "interrupts.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

nb::object to_python(const CoordinateParameter& value) {
  if (value.is_over_dim()) return nb::cast(value.text());
  if (!value.is_vector()) return nb::cast(value.scalar());
  const std::string text = value.text();
  return nb::cast(value.expand(static_cast<std::size_t>(std::ranges::count(text, ',')) + 1, "kernel", "a parameter"));
}

/// "2/d" or "0.25".
CoordinateParameter from_text(const std::string& name, const std::string& text) {
  const bool over_dim = text.ends_with("/d");
  const char* const end = text.data() + text.size() - (over_dim ? 2 : 0);
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), end, number);
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
  for (const ParameterInfo& parameter : info.parameters) {
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

PythonKernel make(const std::string& name, const nb::dict& params) {
  ParameterValues values;
  for (const nb::handle key : params.keys()) {
    if (!nb::isinstance<nb::str>(key)) throw nb::type_error("make_kernel: a parameter's name is no text");
    const auto parameter = nb::cast<std::string>(key);
    values.insert_or_assign(parameter, from_python(parameter, params[key]));
  }
  return {named_kernel(name, values), false};
}

nb::dict parameters_of(const PythonKernel& kernel) {
  nb::dict result;
  for (const auto& [name, value] : kernel.named.parameters) result[name.c_str()] = to_python(value);
  return result;
}

nb::object gram(const PythonKernel& kernel, const Array& X, const Array& Y, std::size_t n_threads) {
  const auto rows = view_of<double>(X, "Kernel.gram", "X"), columns = view_of<double>(Y, "Kernel.gram", "Y");
  return to_array(released([&] {
    Matrix<double> out(rows.rows(), columns.rows());
    const Execution execution{kernel.is_callable ? 1 : n_threads};  // a function is called by the caller's own thread
    by_row_blocks(rows.rows(), (8 + rows.cols()) * columns.rows(), [&](std::size_t first, std::size_t count) {
      exact_gram(*kernel.kernel(), rows.middle_rows(first, count), columns, out.view().middle_rows(first, count), execution);
    });
    return out;
  }));
}

/// None without a measure, or if that does not know its masses.
nb::object masses(const PythonKernel& kernel, std::size_t dim) {
  const auto measure = kernel.kernel()->measure(dim);
  if (!measure) return nb::none();
  for (const Part part : measure->parts())
    if (!measure->exact_moments(part)) return nb::none();
  const Masses exact = exact_masses(*measure);
  nb::dict result;
  for (const Part part : all_parts) result[std::string(traits(part).name).c_str()] = exact.of(part);
  result["total"] = exact.total;
  result["total_variation"] = exact.total_variation;
  return result;
}

double distance(const Array& X, std::uint64_t seed, bool absolute) {
  const auto rows = view_of<double>(X, "median_distance", "X");
  return released([&] { return median_distance(rows, seed, absolute ? Distance::absolute : Distance::euclidean); });
}

}  // namespace

void bind_kernels(nb::module_& module) {
  nb::class_<PythonKernel>(module, "Kernel", "A shift-invariant kernel k(x - y): one of the library's, or a Python function.")
      .def_prop_ro("name", [](const PythonKernel& self) { return self.is_callable ? self.kernel()->name() : self.named.name; })
      .def_prop_ro("parameters", &parameters_of, "By name, defaults included: numbers, lists, or text like '2/d'.")
      .def_prop_ro("symmetric", [](const PythonKernel& self) { return self.kernel()->symmetric(); })
      .def_prop_ro("positive_definite", [](const PythonKernel& self) { return self.kernel()->positive_definite(); })
      .def_ro("is_callable", &PythonKernel::is_callable)
      .def_prop_ro(
          "function", [](const PythonKernel& self) { return function_of(*self.kernel()); }, "None for one of the library's.")
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
  module.def("make_kernel", &make, "name"_a, "params"_a = nb::dict(),
             "The kernel of that name; parameters are numbers, lists with one number per coordinate, or text like '2/d'.");
  module.def(
      "callable_kernel",
      [](nb::object function, std::string name, bool symmetric) {
        NamedKernel named;
        named.kernel = callable_kernel(std::move(function), std::move(name), symmetric);
        return PythonKernel{std::move(named), true};
      },
      "function"_a, "name"_a, "symmetric"_a = false, "A kernel of function(differences): (n, dim) float64, read-only, to n numbers.");
  module.def("median_distance", &distance, "X"_a, "seed"_a = 0, "absolute"_a = false,
             "The median distance of rows, Euclidean or by sums of absolute differences.");
}

}  // namespace askrff::python
