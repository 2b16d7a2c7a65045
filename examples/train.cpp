// Trains a classifier on built-in data, keeps it in a file, loads it again and predicts: all in the library, no command line.
#include <cstdio>
#include <filesystem>

#include <askrff/askrff.hpp>

int main() {
  using namespace askrff;
  Dataset data = read_data("builtin:moons:1000");
  Model model;
  Preparation& preparation = model.preparation;
  preparation.dim = data.X.cols();
  preparation.scaler = Scaler::fitted_to(data.X, Scaling::minmax);
  preparation.scaler.apply(data.X);
  preparation.kernel = named_kernel("shift-gaussian", {{"sigma", median_distance(data.X, 0)}});
  preparation.atoms = approximate(*preparation.kernel.kernel, data.X.cols(), {.n_frequencies = 32});
  preparation.side = FeatureSide::classifier;

  const ClassLabels labels = ClassLabels::of(data.labels);
  const Design<double> design(preparation.features(), data.X);
  const CrossValidation validation = cross_validate_svm(design, labels, stratified_folds(labels, 5, 0), default_c_grid());
  model.training.c = validation.c[validation.best()];
  model.linear = fit_svm(design, labels, model.training.c).model;
  model.classes = labels.names;

  const auto file = std::filesystem::temp_directory_path() / "askrff-example.askrff";
  save_model(file.string(), model);
  const Predictor predictor(load_model(file.string()));
  std::filesystem::remove(file);

  const Dataset fresh = read_data("builtin:moons:4000");  // raw rows: the model scales them
  const auto predicted = predictor.classes_of(predictor.outputs(fresh.X));
  std::size_t n_right = 0;
  for (std::size_t i = 0; i < predicted.size(); ++i) n_right += predictor.model().classes[predicted[i]] == fresh.labels[i] ? 1 : 0;
  std::printf("C = %g, %.1f %% in cross-validation, %zu of %zu right\n", model.training.c, 100 * validation.mean(validation.best()),
              n_right, predicted.size());
  return n_right > predicted.size() * 97 / 100 ? 0 : 1;
}
