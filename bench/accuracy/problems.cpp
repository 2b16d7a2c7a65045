// Readers and generators.
#include "problems.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include "askrff/data.hpp"
#include "askrff/kernels.hpp"
#include "askrff/random.hpp"
#include "runner.hpp"

namespace askrff::accuracy {
namespace {

const std::array<RealDataset, 4> datasets{
    {{"cod-rna", 8, true}, {"letter-binary", 16, true}, {"ijcnn1", 22, true}, {"spambase", 57, false}}};

Matrix<double> read_file(const std::string& folder, const std::string& name, std::size_t dim) {
  if (folder.empty()) throw bench::Skipped("no folder with data sets; give --data-dir");
  const std::string path = fmt::format("{}/{}.libsvm.xz", folder, name);
  if (!std::filesystem::is_regular_file(path)) throw bench::Skipped(fmt::format("there is no {}; give --data-dir", path));
  return read_data(path, {.n_columns = dim}).X;
}

Matrix<double> rows_of(const Matrix<double>& X, std::span<const std::size_t> rows) {
  Matrix<double> taken(rows.size(), X.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) std::ranges::copy(X.row(rows[i]), taken.row(i).begin());
  return taken;
}

// Both by the range of the training rows; a column that is constant there becomes 0.
void scale(Problem& problem) {
  for (std::size_t k = 0; k < problem.dim(); ++k) {
    double lowest = problem.training(0, k), highest = lowest;
    for (std::size_t i = 1; i < problem.training.rows(); ++i) {
      lowest = std::min(lowest, problem.training(i, k));
      highest = std::max(highest, problem.training(i, k));
    }
    const double width = highest - lowest;
    for (Matrix<double>* X : {&problem.training, &problem.evaluation})
      for (std::size_t i = 0; i < X->rows(); ++i) (*X)(i, k) = width > 0 ? ((*X)(i, k) - lowest) / width : 0;
  }
}

template <class Draw>
Matrix<double> random_rows(std::size_t rows, std::size_t dim, std::uint64_t seed, Draw draw) {
  Matrix<double> X(rows, dim);
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    for (double& value : X.row(i)) value = draw(random);
  }
  return X;
}

template <class Draw>
Problem random_problem(std::size_t dim, std::size_t n_training, std::size_t n_evaluation, std::uint64_t seed, Draw draw) {
  return {random_rows(n_training, dim, derive_seed(seed, 0), draw), random_rows(n_evaluation, dim, derive_seed(seed, 1), draw)};
}

}  // namespace

std::span<const RealDataset> real_datasets() { return datasets; }

const RealDataset& real_dataset(const std::string& name) {
  for (const RealDataset& dataset : datasets)
    if (dataset.name == name) return dataset;
  throw std::logic_error("no data set is called " + name);
}

Problem read_real(const std::string& folder, const RealDataset& dataset, std::size_t n_evaluation, std::uint64_t seed) {
  Problem problem;
  if (dataset.has_test_file) {
    problem.training = read_file(folder, dataset.name + ".train", dataset.dim);
    const Matrix<double> test = read_file(folder, dataset.name + ".test", dataset.dim);
    problem.evaluation = rows_of(test, choose_rows(test.rows(), n_evaluation, seed, Purpose::evaluation_rows));
  } else {
    const Matrix<double> all = read_file(folder, dataset.name, dataset.dim);
    const auto order = choose_rows(all.rows(), all.rows(), seed, Purpose::evaluation_rows);
    const std::span<const std::size_t> shuffled(order);
    problem.evaluation = rows_of(all, shuffled.first(n_evaluation));
    problem.training = rows_of(all, shuffled.subspan(n_evaluation));
  }
  scale(problem);
  return problem;
}

Problem make_uniform(std::size_t dim, std::size_t n_training, std::size_t n_evaluation, std::uint64_t seed) {
  return random_problem(dim, n_training, n_evaluation, seed, [](RandomStream& random) { return random.uniform(); });
}

Problem make_normal(std::size_t dim, std::size_t n_training, std::size_t n_evaluation, std::uint64_t seed) {
  return random_problem(dim, n_training, n_evaluation, seed, [](RandomStream& random) { return random.normal(); });
}

std::vector<NamedKernel> paper_kernels() { return {{"shift", shift_gaussian()}, {"sinh", sinh_gaussian()}, {"cosh", cosh_gaussian()}}; }

}  // namespace askrff::accuracy
