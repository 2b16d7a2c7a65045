// A trained model as one value: from raw rows to labels or numbers, to a file and back. train() (train.hpp) makes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "askrff/linear.hpp"
#include "askrff/map.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

enum class Task { classification, regression };

inline constexpr Word<Task> task_words[] = {{Task::classification, "classification", "labels are classes"},
                                            {Task::regression, "regression", "labels are numbers"}};
constexpr std::span<const Word<Task>> words_of(Task) { return task_words; }

/// How a model came about: for people, not used in predictions.
struct Training {
  std::string version;  ///< of the library
  std::string command;  ///< what was asked for; may be empty
  std::string trainer;  ///< "svm" or "ridge"
  std::string solver;   ///< "newton" or "normal-equations"; "liblinear" in older files
  std::uint64_t seed = 0;
  std::uint64_t n_rows = 0;
  double c = 0;
  std::vector<double> cv_c, cv_scores;  ///< values of C tried, and their mean scores; empty without cross-validation
  std::string cv_measure;               ///< what the scores are, a word of Score
};

/// A linear model on the features of a map's side. Same bits for any number of threads and any cut into blocks.
struct Model {
  Map map;
  LinearModel linear;
  Task task = Task::classification;
  std::vector<std::string> classes = {};     ///< as the user wrote them, in the order of the outputs; empty for regression
  Precision precision = Precision::float64;  ///< of features, in training and prediction
  Training training = {};
  /// From outputs to probabilities, by what the folds of the cross-validation said of rows held out; unset for regression, where there were
  /// no folds, and for sums that outlive their rows (RidgeTrainer).
  std::optional<OutputScale> output_scale = {};

  /// rows × n_outputs, of raw (unscaled) rows. Where frequencies are a grid it takes O(rows + frequencies); rows further outside those it
  /// was made for than a tenth of their extent get the outputs of the nearest point that is not: there waves repeat themselves. Throws
  /// InvalidArgument for a wrong number of columns, numbers that are not finite or too large for the model's precision or its outputs, or a
  /// model whose parts do not fit together.
  Matrix<double> outputs(const RowsView<double>& X, const Execution& execution = {}) const;
  /// Which class, by class_of_outputs. Throws InvalidArgument for regression or a wrong number of columns.
  std::vector<std::size_t> classes_of(MatrixView<const double> outputs) const;
  /// Of every class, in their order. Throws InvalidArgument for a model without output_scale, or a wrong number of columns.
  Matrix<double> probabilities_of(MatrixView<const double> outputs) const;
  /// The labels of raw rows. Throws as both.
  std::vector<std::string> predict(const RowsView<double>& X, const Execution& execution = {}) const;

  /// As those of Map. The same model is the same bytes.
  std::string to_bytes() const;
  static Model from_bytes(std::string bytes, const std::string& name = "from_bytes", std::shared_ptr<const Kernel> kernel = nullptr);
  void save(const std::string& path) const;
};

/// A file and what it holds. The seconds of a calibration are not kept, so that the same map is the same bytes.
struct StoredFile {
  std::variant<Map, Model> content;
  std::uint32_t version = 0;  ///< of the format
  std::uint64_t n_bytes = 0, checksum = 0;
  std::string written_by;  ///< version of the library

  const Model* model() const { return std::get_if<Model>(&content); }  ///< null for a map alone
  const Map& map() const { return model() ? model()->map : std::get<Map>(content); }
};

/// Throws DataError if the file cannot be read, is not one, is damaged, of a newer version or nonsense. Memory: a small multiple of the
/// file's size, whatever the file says (structured frequencies: up to 1 GiB).
StoredFile load_stored(const std::string& path);
/// Throws DataError also if the file holds a map alone.
Model load_model(const std::string& path);

}  // namespace askrff
