// Maps of kernel matrices: entries as arrays or sparse rows, or a SciPy LinearOperator by its products.
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "askrff/matrix_map.hpp"
#include "askrff/words.hpp"
#include "bindings.hpp"
#include "callables.hpp"
#include "calls.hpp"
#include "matrices.hpp"
#include "sparse.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

/// What has shape, matmat(V) and rmatmat(V). Made and destroyed under the lock of the interpreter, which it takes for every product.
class OperatorMap final : public LinearMap {
 public:
  explicit OperatorMap(nb::object of) : operator_(std::move(of)) {
    const nb::object shape = operator_.attr("shape");
    rows_ = nb::cast<std::size_t>(shape[0]);
    cols_ = nb::cast<std::size_t>(shape[1]);
  }

  std::size_t rows() const override { return rows_; }
  std::size_t cols() const override { return cols_; }
  void times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    call("matmat", V, out, execution);
  }
  void transposed_times(MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const override {
    call("rmatmat", V, out, execution);
  }

 private:
  /// Some vectors at a time: signals are looked at in between, and copies are small.
  void call(const char* method, MatrixView<const double> V, MatrixView<double> out, const Execution& execution) const {
    constexpr std::size_t at_once = 64;
    for (std::size_t first = 0; first < V.cols(); first += at_once) {
      execution.stop.check();
      const std::size_t count = std::min(at_once, V.cols() - first);
      const nb::gil_scoped_acquire lock;
      const nb::object result = operator_.attr(method)(read_only_copy({V.data() + first, V.rows(), count, V.stride()}));
      copy_result(result, {out.data() + first, out.rows(), count, out.stride()}, "the operator's " + std::string(method) + " ",
                  std::to_string(V.rows()) + " x " + std::to_string(count) + " numbers");
    }
  }

  nb::object operator_;
  std::size_t rows_ = 0, cols_ = 0;
};

}  // namespace

std::unique_ptr<const LinearMap> operator_map(const nb::object& K) { return std::make_unique<OperatorMap>(K); }

namespace {

/// Entries of either type, dense or sparse, or an operator. K must outlive it.
std::unique_ptr<const LinearMap> map_of(const nb::object& K) {
  if (const SparseArrays* sparse = nullptr; nb::try_cast(K, sparse))
    return with_type_of(sparse->values(), "matrix_map", "K", [&](auto type) -> std::unique_ptr<const LinearMap> {
      using T = decltype(type);
      const RowsView<T> rows = sparse->view<T>("matrix_map");
      return released([&] { return matrix_view(rows); });
    });
  if (nb::hasattr(K, "matmat")) return operator_map(K);
  const auto array = nb::cast<Array>(K);
  return with_type_of(array, "matrix_map", "K", [&](auto type) -> std::unique_ptr<const LinearMap> {
    using T = decltype(type);
    const RowsView<T> rows = view_of<T>(array, "matrix_map", "K");
    return released([&] { return matrix_view(rows); });
  });
}

Map matrix_map(const nb::object& K, std::size_t n_features, std::size_t n_landmarks, const std::string& landmarks, std::uint64_t seed,
               std::size_t n_threads, bool certify, std::vector<std::string> column_names) {
  const std::unique_ptr<const LinearMap> matrix = map_of(K);
  MatrixOptions options{
      .n_features = n_features, .n_landmarks = n_landmarks, .landmarks = value_of<Landmarks>("landmarks", landmarks), .seed = seed};
  const Map map = interruptible(n_threads, [&](const Execution& execution) {
    options.execution = execution;
    return make_matrix_map(*matrix, options, certify);
  });
  if (column_names.empty()) return map;
  return map.with([&](MapContent& content) { content.column_names = std::move(column_names); });
}

}  // namespace

void bind_matrices(nb::module_& module) {
  module.def("matrix_map", &matrix_map, "K"_a, "n_features"_a, "n_landmarks"_a = 0,
             "landmarks"_a = std::string(name_of(Landmarks::pivoted)), "seed"_a = 0, "n_threads"_a = 0, "certify"_a = true,
             "column_names"_a = std::vector<std::string>(),
             "A map of a kernel matrix: a float32 or float64 array, SparseRows, or what has shape, matmat and rmatmat.");
  module.attr("MOST_LANDMARKS") = max_landmarks;
}

}  // namespace askrff::python
