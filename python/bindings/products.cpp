// The class KernelProduct: products with left(X)·right(Y)ᵀ of a map.
#include <memory>
#include <utility>
#include <variant>

#include "arrays.hpp"
#include "askrff/map.hpp"
#include "askrff/operators.hpp"
#include "calls.hpp"
#include "kernels.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

/// askrff::LowRankOperator with the rows it looks at.
template <class T>
struct ProductOf {
  Array X, Y;
  Matrix<T> scaled_X, scaled_Y;  // where the map scales
  LowRankOperator<T> factors;

  ProductOf(const Map& map, Array left, Array right, const Execution& execution)
      : X(std::move(left)),
        Y(std::move(right)),
        factors(map.feature_map(), map.scaled<T, T>(view_of<T>(X, "KernelProduct", "X"), scaled_X),
                map.scaled<T, T>(view_of<T>(Y, "KernelProduct", "Y"), scaled_Y), execution) {}
};

class KernelProduct {
 public:
  KernelProduct(const Map& map, const Array& X, const Array& Y, std::size_t n_threads) : n_threads_(n_threads) {
    with_type_of(X, "KernelProduct", "X", [&](auto type) {
      using T = decltype(type);
      interruptible(n_threads, [&](const Execution& execution) { product_ = std::make_unique<ProductOf<T>>(map, X, Y, execution); });
    });
  }

  nb::object apply(const Array& V, bool transposed) const {
    return std::visit([&](const auto& product) { return apply_one(*product, V, transposed); }, product_);
  }

 private:
  template <class T>
  nb::object apply_one(const ProductOf<T>& product, const Array& V, bool transposed) const {
    const auto vectors = view_of<T>(V, "KernelProduct", "V");
    return to_array(interruptible(n_threads_, [&](const Execution& execution) {
      return transposed ? product.factors.apply_transposed(vectors, execution) : product.factors.apply(vectors, execution);
    }));
  }

  std::variant<std::unique_ptr<ProductOf<float>>, std::unique_ptr<ProductOf<double>>> product_;
  std::size_t n_threads_;
};

nb::object kernel_product(nb::handle_t<Map> map, const Array& X, const Array& Y, std::size_t n_threads) {
  return hold_kernel(nb::cast(KernelProduct(nb::cast<const Map&>(map), X, Y, n_threads)), held_kernel(map));
}

}  // namespace

void bind_products(nb::module_& module) {
  nb::class_<KernelProduct>(module, "KernelProduct", nb::dynamic_attr(), "left(X)·right(Y)ᵀ of a map, by its products.")
      .def("apply", &KernelProduct::apply, "V"_a, "transposed"_a = false, "Its product with V, or that of its transpose.");
  module.def("kernel_product", &kernel_product, "map"_a, "X"_a, "Y"_a, "n_threads"_a = 0,
             "left(X)·right(Y)ᵀ as a KernelProduct; X and Y must stay as they are.");
}

}  // namespace askrff::python
