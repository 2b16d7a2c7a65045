// The Python worker from our side: a child process that times scikit-learn and NumPy on request.
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
};

/// One thread in every library it loads. Every member throws ChildError if it died, does not answer or cannot do what it is asked for.
class PythonPeer {
 public:
  /// core_type: OPENBLAS_CORETYPE for its OpenBLAS, empty for OpenBLAS's own choice.
  PythonPeer(const std::string& python, const std::string& core_type);

  const PythonDescription& description() const { return description_; }
  double rbf_sampler_seconds(std::size_t dim, std::size_t rows, std::size_t n_features);
  double normal_seconds(std::size_t count);
  double svmlight_seconds(const std::string& path);

 private:
  double seconds_for(const std::string& request);

  Child child_;
  PythonDescription description_;
};

}  // namespace askrff::bench
