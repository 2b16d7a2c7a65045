// A trained model as one value: from raw rows of data to labels or numbers, and to a file and back. The end of the flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "askrff/choose.hpp"
#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "askrff/linear.hpp"
#include "askrff/scaler.hpp"
#include "askrff/views.hpp"

namespace askrff {

/// Smallest and largest value of every column.
struct ColumnRange {
  std::vector<double> lowest, highest;
  /// Throws std::invalid_argument for no rows.
  static ColumnRange of(MatrixView<const double> X);
};

/// Which features of a map: left or right ones, or the classifier's Φ of Jordan parts.
enum class FeatureSide { left, right, classifier };

/// From raw rows to features. With atoms: Fourier; with nystrom: landmarks; with neither: the scaled columns themselves.
struct Preparation {
  std::size_t dim = 0;
  Scaler scaler;                          ///< of the raw rows, before anything else
  NamedKernel kernel;                     ///< name empty: none, or the user's own
  std::optional<SpectralAtoms> atoms;     ///< of a Fourier map
  std::optional<NystromFactors> nystrom;  ///< of a Nyström map
  FeatureSide side = FeatureSide::left;   ///< the one the model was trained on
  std::optional<ColumnRange> range;       ///< of the scaled rows a Nyström map was made on; that of atoms is in their calibration
  std::string reason;                     ///< why this map, where it was chosen
  std::optional<Certificate> certificate;
  std::vector<std::string> column_names;  ///< of the raw rows; may be empty
  std::string command;                    ///< that made the map, where it was made by itself; for people, may be empty
  std::uint64_t seed = 0;                 ///< of the map's draws

  bool is_linear() const { return !atoms && !nystrom; }
  /// Of `side`, without making them. Throws as features().
  std::size_t n_features() const;
  /// Of `side`. Throws std::invalid_argument if the map has no such side.
  Features features() const;
  /// Scaled rows of X far outside the range of the rows the map was fitted on; 0 if it was not fitted.
  std::size_t rows_outside(MatrixView<const double> X) const;
};

enum class Task { classification, regression };
enum class Precision { float32, float64 };

std::string_view name_of(FeatureSide side);
std::string_view name_of(Task task);
std::string_view name_of(Precision precision);

/// How a model came about: for people, not used in predictions.
struct Training {
  std::string version;  ///< of the library
  std::string command;  ///< as it was called; may be empty
  std::string trainer;  ///< "svm" or "ridge"
  std::string solver;   ///< "newton" or "normal-equations"; older files may say "liblinear"
  std::uint64_t seed = 0;
  std::uint64_t n_rows = 0;
  double c = 0;
  std::vector<double> cv_c, cv_scores;  ///< values of C tried, and their mean scores; empty without cross-validation
  std::string cv_measure;               ///< what the scores are: "accuracy" or "mean squared error"
};

struct Model {
  Preparation preparation;
  LinearModel linear;
  Task task = Task::classification;
  std::vector<std::string> classes;          ///< as the user wrote them, in the order of the outputs; empty for regression
  Precision precision = Precision::float64;  ///< of features, in training and prediction
  Training training;
};

/// Throw std::invalid_argument unless all parts fit together and all numbers are finite.
void check(const Preparation& map);
void check(const Model& model);

/// Model → labels or numbers. Immutable; makes the feature map once. Same bits for any number of threads and any cut into blocks.
class Predictor {
 public:
  /// Throws std::invalid_argument as check().
  explicit Predictor(Model model, Execution execution = {});

  const Model& model() const { return model_; }
  /// rows × n_outputs, of raw (unscaled) rows. Throws std::invalid_argument for a wrong number of columns or numbers that are not finite.
  Matrix<double> outputs(MatrixView<const double> X) const;
  /// Which class, by class_of_outputs. Throws std::invalid_argument for regression or a wrong number of columns.
  std::vector<std::size_t> classes_of(MatrixView<const double> outputs) const;

 private:
  Model model_;
  Features features_;
  Execution execution_;
  Matrix<float> float_weights_;  // of models in float32
};

/// Files of models and of feature maps (a map has no linear model): one format, docs/model-files.md. Written beside and renamed: the old
/// file or the complete new one is there. The same value gives the same bytes, and every number comes back exactly. A kernel is kept by
/// name and parameters; a Fourier map of a kernel without a name comes back without kernel. Throws std::invalid_argument as check, or if
/// the file cannot be created, the kernel of landmarks has no name or is not the one of that name, or there are too many structured
/// frequencies to be read back; WriteError if the file cannot be written in full.
void save_model(const std::string& path, const Model& model);
void save_map(const std::string& path, const Preparation& map);

/// A file and what it holds. The seconds of a calibration are not kept, so that the same map is the same bytes.
struct StoredFile {
  std::variant<Preparation, Model> content;
  std::uint32_t version = 0;  ///< of the format
  std::uint64_t n_bytes = 0, checksum = 0;
  std::string written_by;  ///< version of the library
};

/// Throws DataError if the file cannot be read, is not one, is damaged, of a newer version or nonsense. Memory: a small multiple of the
/// file's size, whatever the file says (structured frequencies: up to 1 GiB).
StoredFile load_stored(const std::string& path);
/// Throws DataError also if the file holds a map alone.
Model load_model(const std::string& path);
/// Of a file of either kind.
Preparation load_map(const std::string& path);

}  // namespace askrff
