// What accuracy is measured on: real and synthetic data, and the kernels of the paper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "askrff/kernels.hpp"
#include "askrff/views.hpp"

namespace askrff::accuracy {

/// Fits see `training` only, errors are those of `evaluation`.
struct Problem {
  Matrix<double> training, evaluation;
  std::size_t dim() const { return training.cols(); }
};

struct RealDataset {
  std::string name;        ///< of rows and figures
  std::string paper_name;  ///< in the catalogue of the experiments, which finds, reads and verifies it
  std::size_t dim;
};
std::span<const RealDataset> real_datasets();
/// Throws std::logic_error for a name that is none.
const RealDataset& real_dataset(const std::string& name);

/// Columns scaled to [0,1] by the range of the training rows; n evaluation rows drawn at random from the test file, or from all rows and
/// then kept out of training. Throws bench::Skipped where its files are not there.
Problem read_real(const std::string& folder, const RealDataset& dataset, std::size_t n_evaluation, std::uint64_t seed);
/// Uniform in [0,1]^dim.
Problem make_uniform(std::size_t dim, std::size_t n_training, std::size_t n_evaluation, std::uint64_t seed);
/// Standard normal.
Problem make_normal(std::size_t dim, std::size_t n_training, std::size_t n_evaluation, std::uint64_t seed);

struct NamedKernel {
  std::string name;
  std::shared_ptr<const Kernel> kernel;
};
/// shift, sinh and cosh with the paper's parameters, which are the library's defaults.
std::vector<NamedKernel> paper_kernels();

}  // namespace askrff::accuracy
