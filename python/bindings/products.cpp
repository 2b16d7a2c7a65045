// The class KernelProduct: products with left(X)·right(Y)ᵀ of a map, or with K(X,Y) by a grid of frequencies.
#include <memory>
#include <utility>
#include <variant>

#include "arrays.hpp"
#include "askrff/grid_operator.hpp"
#include "askrff/map.hpp"
#include "askrff/operators.hpp"
#include "calls.hpp"
#include "kernels.hpp"
#include "sparse.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

/// Rows of either kind that a product looks at, scaled where the map scales.
template <class T>
class SideRows {
 public:
  SideRows(const Map& map, nb::object rows, const char* what) : rows_(std::move(rows)) {
    if (map.content().scaler.kind == Scaling::none) {
      view_ = view_of_either<T>(rows_, "KernelProduct", what);
      return;
    }
    SparseArrays* sparse = nullptr;
    if (nb::try_cast(rows_, sparse)) {
      const SparseView<T> rows_view = sparse->view<T>("KernelProduct");
      view_ = released([&] { return scaled_or_written_out(map, rows_view); });
    } else {
      array_ = nb::cast<Array>(rows_);
      const MatrixView<const T> rows_view = view_of<T>(array_, "KernelProduct", what);
      view_ = released([&] { return map.scaled<T, T>(rows_view, scaled_); });
    }
  }
  const RowsView<T>& view() const { return view_; }

 private:
  RowsView<T> scaled_or_written_out(const Map& map, const SparseView<T>& rows) {
    if (map.content().scaler.keeps_zeros()) return map.scaled<T, T>(rows, sparse_);
    Matrix<T> dense(rows.rows(), rows.cols());
    rows.copy_to(dense.view());
    const MatrixView<const T> result = map.scaled<T, T>(std::as_const(dense).view(), scaled_);
    if (result.data() != scaled_.data()) scaled_ = std::move(dense);
    return result;
  }

  nb::object rows_;
  Array array_;
  Matrix<T> scaled_;
  SparseMatrix<T> sparse_;
  RowsView<T> view_;
};

/// askrff::LowRankOperator with the rows it looks at.
template <class T>
struct ProductOf {
  using Number = T;
  SideRows<T> X, Y;
  LowRankOperator<T> factors;

  ProductOf(const Map& map, nb::object left, nb::object right, std::size_t n_threads)
      : X(map, std::move(left), "X"), Y(map, std::move(right), "Y"), factors(interruptible(n_threads, [&](const Execution& execution) {
          return LowRankOperator<T>(map.feature_map(), X.view(), Y.view(), execution);
        })) {}
};

/// askrff::GridOperator, under the name of the factors above.
template <class T>
struct GridProductOf {
  using Number = T;
  GridOperator<T> factors;
};

/// Of the numbers of rows of either kind.
template <class F>
void with_type_of_rows(const nb::object& rows, const F& f) {
  SparseArrays* sparse = nullptr;
  if (nb::try_cast(rows, sparse))
    with_type_of(sparse->values(), "KernelProduct", "X", f);
  else
    with_type_of(nb::cast<Array>(rows), "KernelProduct", "X", f);
}

class KernelProduct {
 public:
  KernelProduct(const Map& map, const nb::object& X, const nb::object& Y, std::size_t n_threads) : n_threads_(n_threads) {
    with_type_of_rows(X, [&](auto type) {
      using T = decltype(type);
      product_ = std::make_unique<ProductOf<T>>(map, X, Y, n_threads);
    });
  }

  KernelProduct(const Kernel& kernel, const Array& X, const Array& Y, const GridOptions& options, std::size_t n_threads)
      : n_threads_(n_threads) {
    with_type_of(X, "kernel_operator", "X", [&](auto type) {
      using T = decltype(type);
      const auto x = view_of<T>(X, "kernel_operator", "X"), y = view_of<T>(Y, "kernel_operator", "Y");
      product_ = std::make_unique<GridProductOf<T>>(GridProductOf<T>{
          interruptible(n_threads, [&](const Execution& execution) { return GridOperator<T>(kernel, x, y, options, execution); })});
    });
  }

  /// How the grid was chosen; None of a map's product.
  nb::object grid() const {
    return std::visit(
        [](const auto& product) -> nb::object {
          if constexpr (requires { product->factors.chosen(); }) {
            const ChosenGrid& chosen = product->factors.chosen();
            nb::dict out;
            out["n_frequencies"] = chosen.grid.size();
            nb::list half, period;
            for (std::size_t k = 0; k < chosen.grid.dim(); ++k) {
              half.append(chosen.grid.half[k]);
              period.append(chosen.grid.period(k));
            }
            out["half"] = half;
            out["period"] = period;
            out["truncation"] = chosen.truncation;
            out["aliasing"] = chosen.aliasing;
            return std::move(out);
          } else {
            return nb::none();
          }
        },
        product_);
  }

  nb::object apply(const Array& V, bool transposed) const {
    return std::visit([&](const auto& product) { return apply_one(*product, V, transposed); }, product_);
  }

 private:
  template <class Product>
  nb::object apply_one(const Product& product, const Array& V, bool transposed) const {
    const auto vectors = view_of<typename Product::Number>(V, "KernelProduct", "V");
    return to_array(interruptible(n_threads_, [&](const Execution& execution) {
      return transposed ? product.factors.apply_transposed(vectors, execution) : product.factors.apply(vectors, execution);
    }));
  }

  std::variant<std::unique_ptr<ProductOf<float>>, std::unique_ptr<ProductOf<double>>, std::unique_ptr<GridProductOf<float>>,
               std::unique_ptr<GridProductOf<double>>>
      product_;
  std::size_t n_threads_;
};

nb::object kernel_product(nb::handle_t<Map> map, const nb::object& X, const nb::object& Y, std::size_t n_threads) {
  return hold_kernel(nb::cast(KernelProduct(nb::cast<const Map&>(map), X, Y, n_threads)), held_kernel(map));
}

KernelProduct grid_product(const NamedKernel& kernel, const Array& X, const Array& Y, double tolerance, std::size_t max_bytes,
                           std::size_t n_threads) {
  return {*kernel.kernel, X, Y, {.tolerance = tolerance, .max_bytes = max_bytes}, n_threads};
}

}  // namespace

void bind_products(nb::module_& module) {
  nb::class_<KernelProduct>(module, "KernelProduct", nb::dynamic_attr(), "left(X)·right(Y)ᵀ of a map, by its products.")
      .def("apply", &KernelProduct::apply, "V"_a, "transposed"_a = false, "Its product with V, or that of its transpose.")
      .def("grid", &KernelProduct::grid, "How many frequencies, and the bounds of what they leave out; None of a map's.");
  module.def("grid_product", &grid_product, "kernel"_a, "X"_a, "Y"_a, "tolerance"_a, "max_bytes"_a = GridOptions{}.max_bytes,
             "n_threads"_a = 0, "K(X, Y) in 1 to 3 dimensions as a KernelProduct, by a grid of frequencies.");
  module.def("kernel_product", &kernel_product, "map"_a, "X"_a, "Y"_a, "n_threads"_a = 0,
             "left(X)·right(Y)ᵀ as a KernelProduct; X and Y must stay as they are.");
}

}  // namespace askrff::python
