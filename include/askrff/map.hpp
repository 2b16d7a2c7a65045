// Map: from raw rows to features with K(X,Y) ≈ left(X)·right(Y)ᵀ, as one value that knows its scaling, its kernel and how far to trust it;
// make_map() makes it for a kernel and data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/approximate.hpp"
#include "askrff/choose.hpp"
#include "askrff/features.hpp"
#include "askrff/kernels.hpp"
#include "askrff/nystrom.hpp"
#include "askrff/rows.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

/// What a map is made of; plain data.
struct MapContent {
  FeatureSource source;
  Scaler scaler = {};                    ///< of the raw rows, before anything else
  NamedKernel kernel = {};               ///< name empty: none, or the user's own
  FeatureSide side = FeatureSide::left;  ///< the features a model is trained on
  /// Of the scaled rows a Nyström map was made on, or that a grid of frequencies reaches over; that of other atoms is in their calibration.
  std::optional<ColumnRange> range = {};
  std::string reason = {};                      ///< why this map, where it was chosen
  std::optional<Certificate> certificate = {};  ///< its error on rows outside every fit
  std::vector<std::string> column_names = {};   ///< of the raw rows; may be empty
  std::string command = {};                     ///< that made the map, for people; may be empty
  /// Columns, from 0, that a few outliers squeeze: nine of ten rows lie within a hundredth of what the scaling made of all. Found where the
  /// map was made of rows, not kept in files.
  std::vector<std::size_t> squeezed = {};
  std::uint64_t seed = 0;  ///< of the map's draws
};

/// Immutable, cheap to copy, safe to share among threads. Plans are packed when they are first needed and shared by all copies. Rows are
/// raw: they are scaled first, in double, and rounded once where features are float. Results are the same bits for any number of threads,
/// any blocking, subset or order of rows on one backend. Rows of wrong width, not finite or too large for their type throw InvalidArgument.
class Map {
 public:
  /// Throws InvalidArgument unless all parts fit together and all numbers are finite.
  explicit Map(MapContent content);

  const MapContent& content() const { return shared_->content; }
  /// Of a Fourier or a Nyström map, else null.
  const SpectralAtoms* atoms() const { return std::get_if<SpectralAtoms>(&content().source); }
  const NystromFactors* nystrom() const { return std::get_if<NystromFactors>(&content().source); }
  /// Of a map of a kernel matrix (matrix_map.hpp), whose rows are rows of that matrix.
  const MatrixFactors* matrix() const { return std::get_if<MatrixFactors>(&content().source); }
  bool is_linear() const { return std::holds_alternative<Columns>(content().source); }
  /// "fourier", "nystrom", "matrix" or "columns".
  std::string_view kind() const;
  std::size_t dim() const { return dim_of(content().source); }
  /// Of the rows that side takes: those on the right are others only where they are columns of a matrix that is not square.
  std::size_t dim(FeatureSide side) const { return side == FeatureSide::right ? right_dim_of(content().source) : dim(); }
  std::size_t n_frequencies() const;  ///< 0 unless it is a Fourier map
  std::size_t n_landmarks() const;    ///< 0 unless it is a Nyström map
  /// Of the side models see, or of another, without packing anything. Throws InvalidArgument if the map has no such side.
  std::size_t n_features() const { return n_features(content().side); }
  std::size_t n_features(FeatureSide side) const;
  bool has_side(FeatureSide side) const;

  Matrix<double> left(MatrixView<const double> X, const Execution& execution = {}) const;
  Matrix<float> left(MatrixView<const float> X, const Execution& execution = {}) const;
  Matrix<double> right(MatrixView<const double> Y, const Execution& execution = {}) const;
  Matrix<float> right(MatrixView<const float> Y, const Execution& execution = {}) const;
  /// Of any side into memory of the caller's, rows × n_features(side). T, U: float or double, the types of features and rows. Sparse rows
  /// give the same bits; they stay sparse where the scaling leaves zeros what they are (Scaler::keeps_zeros), else some are written out at
  /// a time.
  template <class T, class U>
  void transform(FeatureSide side, const RowsView<U>& X, MatrixView<T> out, const Execution& execution = {}) const;

  /// Rows of X, for a side, scaled and rounded to T: X itself where there is nothing to do, else `storage`, which is filled.
  template <class T, class U>
  MatrixView<const T> scaled(MatrixView<const U> X, Matrix<T>& storage, FeatureSide side = FeatureSide::left) const;
  /// Sparse rows the same way. Throws InvalidArgument unless the scaling keeps zeros.
  template <class T, class U>
  SparseView<T> scaled(SparseView<U> X, SparseMatrix<T>& storage, FeatureSide side = FeatureSide::left) const;
  /// The features of scaled rows.
  Features features(FeatureSide side, Backend backend = Backend::automatic) const;
  Features features(Backend backend = Backend::automatic) const { return features(content().side, backend); }
  /// Both factors, of scaled rows.
  FeatureMap feature_map(Backend backend = Backend::automatic) const;

  /// Of the scaled rows it was fitted on; null if it was not fitted.
  const ColumnRange* fitted_range() const;
  /// Rows (raw) so far outside those the map was fitted on that its error must be expected to be more than twice that of the certificate
  /// there; 0 if it was not fitted. Of a map on a grid: rows beyond its reach, for which a model answers as for the nearest point. What
  /// makes a row count is said at ColumnRange::rows_outside.
  std::size_t rows_outside(const RowsView<double>& X) const;
  /// A sentence for people where so many rows of all are more than one in twenty, else "".
  static std::string outside_warning(std::size_t n_outside, std::size_t n_rows);
  /// A sentence for people where the certificate's interval lies above 0.3: how large the error is and what to do about it. Else "".
  std::string accuracy_warning() const;
  /// A sentence for people where outliers squeeze columns (MapContent::squeezed): which, and what to do about it. Else "".
  std::string scaling_warning() const;

  /// How far rounding rows to float32 may move a phase, by the root mean square frequency (of landmarks: a distance, in parts of theirs),
  /// at the worst of the rows: features are off by about so much of their amplitude. `before_scaling`: the rows are float32 already, else
  /// they are rounded once they are scaled. 0 for a map of columns.
  double float32_error(const RowsView<double>& X, bool before_scaling) const;
  /// A sentence for people where features are off by so much that it matters: more than a thousandth, or more than a hundred times what
  /// float32 features are off anyway and more than the certificate says. Else "".
  std::string float32_warning(double float32_error) const;

  /// The same map with some of its content changed; plans are shared. What changes must not touch the source.
  Map with(const std::function<void(MapContent&)>& change) const;

  /// One format for files and bytes, docs/model-files.md; a map comes back with every number exact. A kernel is kept by name and
  /// parameters; one without a name is left out: a Fourier map comes back without it, a Nyström map gets it back from the caller. Throws
  /// InvalidArgument if the kernel of landmarks is not the one of its name, or there are too many structured frequencies to be read back.
  std::string to_bytes() const;
  /// kernel: the one that was left out of a Nyström map, else null. Throws DataError, which names `name`, for bytes that are no map (or
  /// model), damaged, of a newer version or nonsense, and if the kernel is missing, or given where none was left out.
  static Map from_bytes(std::string bytes, const std::string& name = "from_bytes", std::shared_ptr<const Kernel> kernel = nullptr);
  /// Written beside and renamed: the old file or the complete new one is there. Throws as to_bytes, if landmarks have a kernel without a
  /// name, or if the file cannot be created; WriteError if it cannot be written in full.
  void save(const std::string& path) const;

 private:
  template <class T, class U>
  void transform_dense(FeatureSide side, MatrixView<const U> X, MatrixView<T> out, const Execution& execution) const;

  struct Plans;
  struct Shared {
    MapContent content;
    std::shared_ptr<Plans> plans;  // of the source alone
  };
  Map(MapContent content, std::shared_ptr<Plans> plans);
  friend Map map_of_choice(MapContent content, FeatureMap packed);

  std::shared_ptr<const Shared> shared_;
};

/// Of a file of either kind, a map's or a model's. Throws DataError.
Map load_map(const std::string& path);

/// The type of numbers that features are.
enum class Precision { float32, float64 };

inline constexpr Word<Precision> precision_words[] = {{Precision::float32, "float32", "half the memory"},
                                                      {Precision::float64, "float64", "all digits"}};
constexpr std::span<const Word<Precision>> words_of(Precision) { return precision_words; }

struct MapOptions {
  Estimator estimator = Estimator::automatic;
  /// The relative error ‖K-K̃‖_F/‖K‖_F wanted on rows like the data's: its 95 % interval has to lie below. Takes the place of n_frequencies.
  /// With the sampler grid: of every value of k, relative to the largest, as choose_grid bounds it; nothing is tried or fitted, and there
  /// is no certificate.
  std::optional<double> tolerance = {};
  /// Columns of the features, of every kind of map: a Nyström map may have fewer, if the kernel has lower rank on the data, or is not
  /// positive definite and rows are few (NystromOptions::n_landmarks); Fourier maps have an even number. 0: two for each of n_frequencies;
  /// Nyström maps of kernels that are not positive definite have at most half as many as rows then.
  std::size_t n_features = 0;
  /// Another way to say how many features: two for each; of jordan and paper two for each of every part.
  std::size_t n_frequencies = default_n_frequencies;
  std::size_t max_frequencies = ChooseOptions{}.max_frequencies;  ///< with a tolerance: the most to try
  std::optional<double> time_limit = {};                          ///< seconds, where maps are tried: ChooseOptions::time_limit
  Sampler sampler = Sampler::orthogonal;                          ///< of fourier, jordan and polar; the others bring their own
  Weights weights = Weights::calibrated;                          ///< the same
  Scaling scale = Scaling::none;                                  ///< of the columns, fitted to the data and kept in the map
  /// Of the features that the certificate is of: what rounding to float32 adds is a part of its error. Maps are made in double whatever it
  /// says, and give features of either type.
  Precision precision = Precision::float64;
  std::uint64_t seed = 0;
  Execution execution = {};

  // Rarely changed.
  bool search = false;  ///< also without a tolerance: try several maps (of fourier or nystrom: of that kind) and keep the best
  bool certify = true;  ///< hold rows out to measure the error on; without, maps other than best have no certificate
  bool prune = ChooseOptions{}.prune;
  Allocation allocation = ApproximateOptions{}.allocation;
  std::size_t n_subset = ApproximateOptions{}.n_subset, n_pairs = ApproximateOptions{}.n_pairs;
  bool pin_origin = ApproximateOptions{}.pin_origin;
  double min_acceptance = ApproximateOptions{}.min_acceptance;
  std::optional<double> drop_tolerance = ApproximateOptions{}.drop_tolerance;
  std::size_t n_landmarks = NystromOptions{}.n_landmarks;
  Landmarks landmarks = NystromOptions{}.landmarks;
  /// Of all rows, scaled, where those given are some of them: what a grid of frequencies has to reach over. Unset: that of the rows given.
  std::optional<ColumnRange> box = {};
  std::function<void(const Candidate&)> on_candidate = {};  ///< called after each candidate of best, on the calling thread

  /// The tolerance is one of k itself, by a grid.
  bool has_grid_tolerance() const { return tolerance && sampler == Sampler::grid; }

  static constexpr std::size_t default_n_frequencies = 256;
};

/// Some rows of many, scaled like all of them: what maps are made of.
struct DrawnRows {
  std::uint64_t n_rows = 0;   ///< that they were drawn from
  Scaler scaler = {};         ///< fitted to all of those
  RowsMatrix<double> X = {};  ///< scaled, sparse if the stream is and its zeros stay 0
  std::vector<std::string> column_names = {};

  /// As Map::scaling_warning.
  std::string scaling_warning() const;
};
/// In one pass over the stream: all rows up to 20 000 (fewer where rows are wide: half a gigabyte, but 500) and n_more, else so many drawn
/// by the seed and their numbers, whatever the blocks. Memory: those and a block. Throws as the stream and ScalerFit.
DrawnRows draw_rows(RowStream& rows, Scaling scale, std::uint64_t seed, std::size_t n_more = 0, const StopToken& stop = {});

/// A map for `kernel` and rows like those of X (raw, dense or sparse; at most 20 000 of them, drawn by the seed, are looked at). Where
/// weights or landmarks are fitted 400 of those rows are held out, and the certificate is measured on them; of fewer than 2000 rows
/// (Nyström 500) every one judges a map made of the other four fifths (cross_fitted_error), and with fewer than 15 there is no certificate.
/// Fewer than 4 rows fit no weights: those of the measure are taken, if there is one. With fewer than 8000 rows the map is the one that
/// would be made of all of them without a certificate, which is that of maps like it. Same bits for any number of threads. Throws
/// InvalidArgument for no rows, numbers or kernel values that are not finite, options out of range or that exclude each other;
/// NumericalError; Stopped.
Map make_map(const KernelChoice& kernel, const RowsView<double>& X, const MapOptions& options = {});
/// The same, with the list of maps that were tried; empty where nothing was.
Map make_map(const KernelChoice& kernel, const RowsView<double>& X, const MapOptions& options, std::vector<Candidate>& tried);
/// The same for rows that come block by block, with or without labels; the names of their columns are kept. Throws also as the stream.
Map make_map(const KernelChoice& kernel, RowStream& rows, const MapOptions& options = {});
/// The same of rows drawn already, with options.scale and options.seed, with the list of maps that were tried.
Map make_map(const KernelChoice& kernel, const DrawnRows& rows, const MapOptions& options, std::vector<Candidate>& tried);

}  // namespace askrff
