// The Python worker from our side: a child process that measures scikit-learn, NumPy and our Python package on request.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "process.hpp"

namespace askrff::bench {

/// What the worker says of itself.
struct PythonDescription {
  std::string sklearn, numpy;  ///< versions
  std::string openblas;        ///< the library NumPy brings along; may be empty
  std::string askrff;          ///< version of our package; empty if it is not there
  std::string askrff_trouble;  ///< why it is not
};

/// Ways to the features of the Python package: FourierFeatures.transform, and the call of the extension module in it. The result is
/// allocated, or written into an array given every time. And 100 products of the kernel matrix and a vector: by FourierFeatures.operator,
/// or by NumPy with features that are there.
enum class FeaturesWay { transform, transform_given, core, core_given, products, stored_products };

/// The example transport_with_wind.py: `size` sources at as many targets, of which `sample` are summed exactly.
struct Transport {
  std::size_t size = 0, sample = 0, seed = 0;
};

/// The worker says that it cannot do what it was asked for; it can be asked for something else.
class RefusedRequest : public ChildError {
 public:
  using ChildError::ChildError;
};

/// One thread in every library it loads. Every member throws ChildError if it died or does not answer, and RefusedRequest.
class PythonPeer {
 public:
  /// core_type: OPENBLAS_CORETYPE for its OpenBLAS, empty for OpenBLAS's own choice.
  PythonPeer(const std::string& python, const std::string& core_type);

  const PythonDescription& description() const { return description_; }
  double rbf_sampler_seconds(std::size_t dim, std::size_t rows, std::size_t n_features);
  double features_seconds(std::size_t dim, std::size_t rows, std::size_t n_features, FeaturesWay way);
  double normal_seconds(std::size_t count);
  double svmlight_seconds(const std::string& path);
  /// Of one product with the operator; of the exact sums of all targets, projected from those of the sample.
  double transport_seconds(const Transport& transport);
  double exact_transport_seconds(const Transport& transport);
  /// Of the product, on the sample, relative to the norm of the exact sums.
  double transport_error(const Transport& transport);
  double transport_features(const Transport& transport);
  /// Bytes resident at most, of all the worker has done.
  double peak_memory(const Transport& transport);

 private:
  double number_for(const std::string& request);
  double number_for(const Transport& transport, const char* what);

  Child child_;
  PythonDescription description_;
};

}  // namespace askrff::bench
