// A feature map as Python holds it: the library's Preparation, and the plans made of it when they are first needed.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "askrff/features.hpp"
#include "askrff/model.hpp"
#include "askrff/views.hpp"

namespace askrff::python {

/// Immutable, cheap to copy, safe to share among threads. Rows are raw: those of a map with a scaler are scaled first.
class PythonMap {
 public:
  explicit PythonMap(Preparation preparation) : preparation_(std::move(preparation)), plans_(std::make_shared<Plans>()) {}

  const Preparation& preparation() const { return preparation_; }
  /// The same map, its rows scaled by another scaler or of another side.
  PythonMap with(Scaler scaler) const;
  PythonMap with(FeatureSide side) const;

  /// Made at the first call, without the lock of the interpreter. Throws as Preparation::features().
  const Features& features(FeatureSide side) const;
  const Features& features() const { return features(preparation_.side); }
  /// Whether features are values of a Python function: then they are made on the caller's own thread.
  bool calls_function() const;
  /// Throws std::invalid_argument if the columns themselves are the features.
  FeatureMap feature_map(const std::string& who) const;

  /// Rows of X, scaled and of type T: X itself where there is nothing to do, else `storage`, which is filled. Throws std::invalid_argument
  /// for a wrong number of columns where rows are scaled, and for numbers too large for T.
  template <class T, class U>
  MatrixView<const T> prepared(MatrixView<const U> X, Matrix<T>& storage) const;

 private:
  struct Plans {
    std::mutex mutex;
    std::optional<Features> of_side[3];
  };
  Preparation preparation_;
  std::shared_ptr<Plans> plans_;  // shared by maps that differ in scaler or side only
};

}  // namespace askrff::python
