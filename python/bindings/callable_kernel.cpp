// A Python function as a kernel, and who keeps it alive.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <utility>

#include "arrays.hpp"
#include "askrff/pair_kernel.hpp"
#include "bindings.hpp"
#include "callables.hpp"
#include "kernels.hpp"

namespace askrff::python {
namespace {

constexpr const char* kernel_name = "_kernel";

class CallableKernel final : public Kernel {
 public:
  /// owner: weak reference to the Python object with the function.
  CallableKernel(nb::object owner, std::string name, bool symmetric)
      : function_(std::move(owner), std::move(name)), symmetric_(symmetric) {}

  std::string name() const override { return function_.name(); }
  bool symmetric() const override { return symmetric_; }
  bool thread_safe() const override { return false; }

  void evaluate(MatrixView<const double> differences, std::span<double> out) const override {
    // A copy, not a view of the library's block: nobody knows what a function keeps.
    Matrix<double> copy(differences.rows(), differences.cols());
    for (std::size_t i = 0; i < differences.rows(); ++i) std::ranges::copy(differences.row(i), copy.row(i).begin());
    call(std::move(copy), out);
  }

  /// As the base class does it, but with thousands of differences for every call of the function, not 128.
  void evaluate_pairs(MatrixView<const double> X, MatrixView<const double> Y, MatrixView<double> out, Backend) const override {
    if (Y.cols() != X.cols()) throw std::invalid_argument("Kernel::evaluate_pairs: X and Y have different numbers of columns");
    if (X.empty() || Y.empty()) return;
    constexpr std::size_t max_pairs = 16384;
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
  static Matrix<double> differences_of(MatrixView<const double> X, MatrixView<const double> Y) {
    Matrix<double> differences(X.rows() * Y.rows(), X.cols());
    for (std::size_t a = 0; a < X.rows(); ++a)
      for (std::size_t b = 0; b < Y.rows(); ++b)
        for (std::size_t c = 0; c < X.cols(); ++c) differences(a * Y.rows() + b, c) = X(a, c) - Y(b, c);
    return differences;
  }

  void call(Matrix<double> differences, std::span<double> out) const {
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
    for (std::size_t i = 0; i < n; ++i)
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

/// The Python object of a kernel of this class.
template <class Callable>
nb::object kernel_with(nb::object function, std::string name, bool symmetric, const char* refusal) {
  if (!PyCallable_Check(function.ptr())) throw nb::type_error(refusal);
  nb::object owner = nb::cast(NamedKernel{});
  owner.attr(OwnedFunction::attribute) = std::move(function);
  nb::cast<NamedKernel&>(owner).kernel =
      std::make_shared<Callable>(nb::steal(PyWeakref_NewRef(owner.ptr(), nullptr)), std::move(name), symmetric);
  return owner;
}

}  // namespace

nb::object callable_kernel(nb::object function, std::string name, bool symmetric) {
  return kernel_with<CallableKernel>(std::move(function), std::move(name), symmetric,
                                     "callable_kernel: got something that cannot be called, expected a function of differences");
}

nb::object callable_pairs(nb::object function, std::string name, bool symmetric) {
  return kernel_with<CallablePairs>(std::move(function), std::move(name), symmetric,
                                    "callable_pairs: got something that cannot be called, expected a function of two blocks of rows");
}

bool is_function(const NamedKernel& kernel) { return kernel.name.empty(); }
nb::object function_of(nb::handle kernel) { return nb::getattr(kernel, OwnedFunction::attribute, nb::none()); }

nb::object hold_kernel(nb::object object, const nb::object& kernel) {
  if (nb::isinstance<NamedKernel>(kernel) && is_function(nb::cast<const NamedKernel&>(kernel))) object.attr(kernel_name) = kernel;
  return object;
}

nb::object held_kernel(nb::handle object) { return nb::getattr(object, kernel_name, nb::none()); }

}  // namespace askrff::python
