// Features by setup, then the linear SVM.
#include "experiments/classify.hpp"

#include <algorithm>

#include "askrff/linear.hpp"
#include "askrff/kernels.hpp"
#include "askrff/operators.hpp"
#include "experiments/approximations.hpp"
#include "stopwatch.hpp"

namespace askrff::experiments {
namespace {

struct Made {
  Features features;
  std::size_t n_frequencies = 0;
};

/// Only the rows masses are fitted on are looked at: a pass over all of them would hide the time of sampling.
Made jordan_features(const ClassifierSetup& setup, const Kernel& kernel, MatrixView<const double> X, std::uint64_t seed,
                     const Execution& execution) {
  const Matrix<double> subset = subset_rows(X, setup.subset_rows, seed);
  const SpectralAtoms atoms = approximate(kernel, subset,
                                          {.n_frequencies = setup.per_part,
                                           .weights = setup.view == View::asy_exact ? Weights::exact : Weights::subset,
                                           .n_subset = subset.rows(),
                                           .seed = seed,
                                           .execution = execution});
  const SpectralAtoms used = setup.view == View::sym ? without_imaginary_part(atoms) : atoms;
  return {ClassifierFeatures(used), used.size()};
}

Made rbf_features(const ClassifierSetup& setup, std::size_t dim, std::uint64_t seed) {
  const SpectralAtoms atoms = approximate(*gaussian(), dim, {.n_frequencies = setup.per_part, .seed = seed});
  return {ClassifierFeatures(atoms), atoms.size()};
}

Made made_features(const ClassifierSetup& setup, MatrixView<const double> X, std::uint64_t seed, const Execution& execution) {
  if (setup.view == View::linear) return {ColumnFeatures(X.cols()), 0};
  if (setup.view == View::rbf) return rbf_features(setup, X.cols(), seed);
  const std::shared_ptr<const Kernel> kernel = make_kernel(setup.kernel);
  if (setup.view == View::asy || setup.view == View::asy_exact || setup.view == View::sym)
    return jordan_features(setup, *kernel, X, seed, execution);
  const std::size_t n_parts = n_parts_of(*kernel, X.cols()), n_frequencies = setup.per_part * n_parts;
  if (setup.view == View::nystrom) {
    const std::size_t n_features = std::min(2 * n_frequencies, X.rows());
    return {FeatureMap(some_landmarks(kernel, X, n_features, seed, execution)).left(), 0};
  }
  const SpectralAtoms atoms = polar_atoms(
      *kernel, X, {n_frequencies, Sampler::mub, setup.view == View::calibrated ? Weights::calibrated : Weights::exact, seed, execution});
  return {FeatureMap(atoms).left(), atoms.size()};
}

double percent_right(MatrixView<const double> outputs, const ClassLabels& labels) {
  std::size_t n_right = 0;
  for (std::size_t i = 0; i < outputs.rows(); ++i) n_right += class_of_outputs(outputs.row(i)) == labels.of_rows[i] ? 1 : 0;
  return 100 * static_cast<double>(n_right) / static_cast<double>(outputs.rows());
}

}  // namespace

Journal::Json Classification::json() const {
  return {{"accuracy", accuracy},
          {"c", c},
          {"n_frequencies", n_frequencies},
          {"n_features", n_features},
          {"sampling_seconds", sampling_seconds},
          {"training_seconds", training_seconds},
          {"microseconds_per_row", microseconds_per_row}};
}

Classification Classification::from(const Journal::Json& json) {
  return {json.at("accuracy").get<double>(),
          json.at("c").get<double>(),
          json.at("n_frequencies").get<std::size_t>(),
          json.at("n_features").get<std::size_t>(),
          json.at("sampling_seconds").get<double>(),
          json.at("training_seconds").get<double>(),
          json.at("microseconds_per_row").get<double>()};
}

Classification classify(const TrialRows& rows, const ClassifierSetup& setup, std::optional<double> c, std::uint64_t seed,
                        const Execution& execution) {
  Classification result;
  const cli::Stopwatch sampling;
  const Made made = made_features(setup, rows.training.X, seed, execution);
  result.sampling_seconds = sampling.seconds();
  result.n_frequencies = made.n_frequencies;
  result.n_features = made.features.n_features();

  const cli::Stopwatch training;
  const Design<double> design(made.features, rows.training.X, {.bias = false, .execution = execution});
  const SvmOptions solver{.execution = execution};
  if (!c) {
    const auto folds = stratified_folds(rows.training.labels, 5, seed);
    const CrossValidation validation = cross_validate_svm(design, rows.training.labels, folds, default_c_grid(), solver);
    c = validation.c[validation.best()];
  }
  const SvmFit fit = fit_svm(design, rows.training.labels, *c, solver);
  result.c = *c;
  result.training_seconds = training.seconds();

  const cli::Stopwatch prediction;
  const Matrix<double> outputs = multiply(made.features, rows.test.X, fit.model.weights, execution);
  result.microseconds_per_row = 1e6 * prediction.seconds() / static_cast<double>(rows.test.X.rows());
  result.accuracy = percent_right(outputs, rows.test.labels);
  return result;
}

}  // namespace askrff::experiments
