// A Python function as a kernel, and who keeps it alive.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "arrays.hpp"
#include "askrff/function_kernel.hpp"
#include "askrff/pair_kernel.hpp"
#include "bindings.hpp"
#include "callables.hpp"
#include "kernels.hpp"

namespace askrff::python {
namespace {

constexpr const char *kernel_name = "_kernel", *form_name = "_form";

/// numpy's warnings are silent as long as it lives: of functions that are asked far out, where they overflow.
class QuietNumpy {
 public:
  QuietNumpy() : state_(nb::module_::import_("numpy").attr("errstate")(nb::arg("all") = "ignore")) { state_.attr("__enter__")(); }
  QuietNumpy(const QuietNumpy&) = delete;
  QuietNumpy& operator=(const QuietNumpy&) = delete;
  ~QuietNumpy() {
    try {
      state_.attr("__exit__")(nb::none(), nb::none(), nb::none());
    } catch (...) {  // what the function raised is on its way
    }
  }

 private:
  nb::object state_;
};

class CallableKernel final : public Kernel {
 public:
  /// owner: weak reference to the Python object with the function.
  CallableKernel(nb::object owner, FunctionForm form) : function_(std::move(owner), form.name), symmetric_(form.symmetric) {
    form.thread_safe = false;
    measured_ = function_kernel(
        [this](MatrixView<const double> differences, std::span<double> values) {
          const nb::gil_scoped_acquire lock;
          if (PyErr_CheckSignals() != 0) throw nb::python_error();
          const QuietNumpy quiet;
          call(copy_of(differences), values, true);
        },
        std::move(form));
  }

  std::string name() const override { return function_.name(); }
  bool symmetric() const override { return symmetric_; }
  bool thread_safe() const override { return false; }

  void evaluate(MatrixView<const double> differences, std::span<double> out) const override { call(copy_of(differences), out); }
  void find_measure(std::size_t dim, const Execution& execution) const override { measured_->find_measure(dim, execution); }
  void check_route(std::size_t dim, const Execution& execution) const override { measured_->check_route(dim, execution); }
  std::unique_ptr<const ComplexMeasure> measure(std::size_t dim) const override { return measured_->measure(dim); }
  std::string measure_reason(std::size_t dim) const override { return measured_->measure_reason(dim); }

  /// As the base class does it, but with thousands of differences for every call of the function, not 128; of many columns with as many as
  /// are 32 MB.
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend) const override {
    if (Y.cols() != X.cols()) throw std::invalid_argument("Kernel::evaluate_pairs: X and Y have different numbers of columns");
    if (X.empty() || Y.empty()) return;
    constexpr std::size_t most_pairs = 16384, most_numbers = std::size_t{1} << 22;
    const std::size_t max_pairs = std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(X.cols(), 1), 1, most_pairs);
    const std::size_t y_rows = std::min(Y.rows(), max_pairs), x_rows = std::max<std::size_t>(1, max_pairs / y_rows);
    std::vector<double> values;
    for (std::size_t i = 0; i < X.rows(); i += x_rows)
      for (std::size_t j = 0; j < Y.rows(); j += y_rows) {
        const std::size_t n_x = std::min(x_rows, X.rows() - i), n_y = std::min(y_rows, Y.rows() - j);
        values.resize(n_x * n_y);
        call(differences_of(X.middle_rows(i, n_x), Y.middle_rows(j, n_y)), values);
        for (std::size_t a = 0; a < n_x; ++a)
          std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(a * n_y), n_y, out.row(i + a).subspan(j, n_y).begin());
      }
  }

 private:
  // A copy, not a view of the library's block: nobody knows what a function keeps.
  static Matrix<double> copy_of(MatrixView<const double> differences) {
    Matrix<double> copy(differences.rows(), differences.cols());
    for (std::size_t i = 0; i < differences.rows(); ++i) std::ranges::copy(differences.row(i), copy.row(i).begin());
    return copy;
  }

  static Matrix<double> differences_of(MatrixView<const double> X, MatrixView<const double> Y) {
    Matrix<double> differences(X.rows() * Y.rows(), X.cols());
    for (std::size_t a = 0; a < X.rows(); ++a)
      for (std::size_t b = 0; b < Y.rows(); ++b)
        for (std::size_t c = 0; c < X.cols(); ++c) differences(a * Y.rows() + b, c) = X(a, c) - Y(b, c);
    return differences;
  }

  void call(Matrix<double> differences, std::span<double> out, bool may_be_infinite = false) const {
    const std::size_t n = differences.rows();
    const nb::gil_scoped_acquire lock;
    const nb::object argument = to_array(std::move(differences));
    argument.attr("setflags")(nb::arg("write") = false);
    const nb::object result = function_.get()(argument);
    Array values;
    if (!nb::try_cast(as_float64(result, who()), values, false)) refuse("something that is no array", n);
    // ascontiguousarray makes a list of one of a single number: look at what was returned.
    if (values.ndim() != 1 || values.shape(0) != n || !nb::hasattr(result, "__len__")) refuse(shape_text(result), n);
    std::copy_n(static_cast<const double*>(values.data()), n, out.begin());
    for (std::size_t i = 0; i < n && !may_be_infinite; ++i)
      if (!std::isfinite(out[i]))
        throw std::invalid_argument(who() + "returned " + std::to_string(out[i]) + " for a difference, expected finite numbers");
  }

  std::string who() const { return function_.who(); }
  [[noreturn]] void refuse(const std::string& got, std::size_t n) const {
    throw std::invalid_argument(who() + "returned " + got + " for " + std::to_string(n) +
                                " differences, expected one number for each: shape (" + std::to_string(n) + ",)");
  }

  OwnedFunction function_;
  bool symmetric_;
  std::unique_ptr<Kernel> measured_;  // of the same function: it finds the measure and keeps it
};

/// A kernel k(x, y) by function(X, Y), with thousands of pairs for every call.
class CallablePairs final : public GeneralKernel {
 public:
  CallablePairs(nb::object owner, std::string name, bool symmetric) : function_(std::move(owner), std::move(name)), symmetric_(symmetric) {}

  std::string name() const override { return function_.name(); }
  bool symmetric() const override { return symmetric_; }
  bool thread_safe() const override { return false; }
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend) const override {
    if (Y.cols() != X.cols()) throw std::invalid_argument("Kernel::evaluate_pairs: X and Y have different numbers of columns");
    if (X.rows() == 0 || Y.rows() == 0) return;
    const nb::gil_scoped_acquire lock;
    const nb::object result = function_.get()(read_only_copy(X), read_only_copy(Y));
    copy_result(result, out, function_.who(), std::to_string(X.rows()) + " and " + std::to_string(Y.rows()) + " rows");
  }

 private:
  OwnedFunction function_;
  bool symmetric_;
};

/// The Python object with a function and the kernel that make(weak reference to the object) gives.
template <class Make>
nb::object kernel_with(nb::object function, const char* refusal, const Make& make) {
  if (!PyCallable_Check(function.ptr())) throw nb::type_error(refusal);
  nb::object owner = nb::cast(NamedKernel{});
  owner.attr(OwnedFunction::attribute) = std::move(function);
  nb::cast<NamedKernel&>(owner).kernel = make(nb::steal(PyWeakref_NewRef(owner.ptr(), nullptr)));
  return owner;
}

}  // namespace

nb::object callable_kernel(nb::object function, FunctionForm form) {
  nb::dict told;
  told["route"] = nb::str(name_of(form.route).data(), name_of(form.route).size());
  told["direction"] = form.direction.empty() ? nb::none() : nb::cast(form.direction);
  told["tolerance"] = form.tolerance;
  nb::object owner =
      kernel_with(std::move(function), "callable_kernel: got something that cannot be called, expected a function of differences",
                  [&](nb::object reference) { return std::make_shared<CallableKernel>(std::move(reference), std::move(form)); });
  owner.attr(form_name) = told;
  return owner;
}

nb::object callable_pairs(nb::object function, std::string name, bool symmetric) {
  return kernel_with(
      std::move(function), "callable_pairs: got something that cannot be called, expected a function of two blocks of rows",
      [&](nb::object reference) { return std::make_shared<CallablePairs>(std::move(reference), std::move(name), symmetric); });
}

nb::object form_of(nb::handle kernel) { return nb::getattr(kernel, form_name, nb::none()); }

bool is_function(const NamedKernel& kernel) { return kernel.name.empty(); }
nb::object function_of(nb::handle kernel) { return nb::getattr(kernel, OwnedFunction::attribute, nb::none()); }

nb::object hold_kernel(nb::object object, const nb::object& kernel) {
  if (nb::isinstance<NamedKernel>(kernel) && is_function(nb::cast<const NamedKernel&>(kernel))) object.attr(kernel_name) = kernel;
  return object;
}

nb::object held_kernel(nb::handle object) { return nb::getattr(object, kernel_name, nb::none()); }

}  // namespace askrff::python
