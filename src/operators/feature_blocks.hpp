// A block of features that stays in a cache: made by the backend, read by the next primitive, used again for the next rows.
#pragma once

#include <algorithm>

#include "core/aligned.hpp"
#include "features/plan.hpp"

namespace askrff::operators {

/// Room for the features of some rows.
template <class T>
class FeatureBlock {
 public:
  /// For at most `wanted` rows, fewer if their features would take more than 1 MiB; but at least `least`.
  FeatureBlock(const detail::FeaturePlan& plan, std::size_t wanted, std::size_t least = 48)
      : plan_(plan),
        stride_(padded_stride<T>(plan.n_features)),
        capacity_(std::max<std::size_t>(1, std::min(wanted, std::max(least, (std::size_t{1} << 20) / (stride_ * sizeof(T)))))),
        values_(capacity_ * stride_) {}

  std::size_t capacity() const { return capacity_; }
  backend::Rows<T> rows(std::size_t first, std::size_t count) { return {values_.data() + first * stride_, count, stride_}; }

  /// The features of checked rows, at most capacity().
  backend::Rows<const T> fill(const backend::InputRows<T>& X) {
    plan_.run(X, rows(0, X.count), backend::Store::cached);
    return {values_.data(), X.count, stride_};
  }

 private:
  const detail::FeaturePlan& plan_;
  std::size_t stride_, capacity_;
  AlignedBuffer<T> values_;
};

}  // namespace askrff::operators
