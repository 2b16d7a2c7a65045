// Every kernel that can be made by name, shifted ones included: what a test that must hold for all of them runs over.
#pragma once

#include <string>
#include <vector>

#include "askrff/kernels.hpp"
#include "askrff/random.hpp"

namespace askrff::test {

/// The registry in its own order, the entry that wraps another one expanded over every symmetric kernel.
inline std::vector<std::string> every_kernel() {
  std::vector<std::string> names;
  for (const KernelInfo& info : kernel_registry())
    if (!info.wraps_another) names.push_back(info.name);
  for (const KernelInfo& info : kernel_registry())
    if (!info.wraps_another && info.symmetric) names.push_back("shifted:" + info.name);
  return names;
}

/// Whether the measure knows the transforms of its parts, and so the variances of the estimators.
inline bool has_transforms(const std::string& name) {
  return !name.ends_with("difference-of-gaussians") && name != "gabor" && name != "skew-normal" && name != "causal-gamma";
}

/// The index-th of a fixed list of differences, standard normal coordinates times `size`.
inline std::vector<double> random_difference(std::size_t dim, std::uint64_t index, double size = 1) {
  RandomStream random(20240229, Purpose::evaluation_rows, index);
  std::vector<double> delta(dim);
  for (double& x : delta) x = size * random.normal();
  return delta;
}

/// A test name out of a kernel name: letters, digits and underscores only.
inline std::string test_name(std::string kernel) {
  for (char& c : kernel)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return kernel;
}

}  // namespace askrff::test
