// Readers and generators.
#include "problems.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "askrff/kernels.hpp"
#include "askrff/random.hpp"
#include "askrff/rows.hpp"
#include "experiments/datasets/paper_data.hpp"
#include "runner.hpp"

namespace askrff::accuracy {
namespace {

const std::array<RealDataset, 4> datasets{
    {{"cod-rna", "cod-RNA", 8}, {"letter-binary", "letter", 16}, {"ijcnn1", "ijcnn1", 22}, {"spambase", "spambase", 57}}};

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
  const auto data = experiments::find_paper_data(dataset.paper_name, {folder});
  if (!data) throw bench::Skipped(fmt::format("the files of {} are not here; give --data-dir", dataset.paper_name));
  const Matrix<double>&all = data->training.X, &test = data->test.X;
  Problem problem;
  if (!test.empty()) {
    problem.training = all;
    problem.evaluation = take_rows(test, choose_rows(test.rows(), n_evaluation, seed, Purpose::evaluation_rows));
  } else {
    const auto order = choose_rows(all.rows(), all.rows(), seed, Purpose::evaluation_rows);
    const std::span<const std::size_t> shuffled(order);
    problem.evaluation = take_rows(all, shuffled.first(n_evaluation));
    problem.training = take_rows(all, shuffled.subspan(n_evaluation));
  }
  const Scaler scaler = Scaler::fitted_to(problem.training, Scaling::minmax);
  scaler.apply(problem.training);
  scaler.apply(problem.evaluation);
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
