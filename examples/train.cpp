// Trains a classifier on built-in data, keeps it in a file, loads it again and predicts: all in the library, no command line.
#include <cstdio>
#include <filesystem>

#include <askrff/askrff.hpp>

int main() {
  const auto model = askrff::train(askrff::open_data("builtin:moons:1000"), {.kernel = "shift-gaussian"});
  const auto file = std::filesystem::temp_directory_path() / "askrff-example.askrff";
  model.save(file.string());

  const askrff::Dataset fresh = askrff::read_data("builtin:moons:4000");  // raw rows: the model scales them
  const auto labels = askrff::load_model(file.string()).predict(fresh.X);
  std::filesystem::remove(file);

  std::size_t n_right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) n_right += labels[i] == fresh.labels[i] ? 1 : 0;
  const askrff::CrossValidation& validation = model.report.validation;
  std::printf("C = %g, %.1f %% in cross-validation, %zu of %zu right\n", model.training.c, 100 * validation.mean(validation.best()),
              n_right, labels.size());
  return n_right > labels.size() * 97 / 100 ? 0 : 1;
}
