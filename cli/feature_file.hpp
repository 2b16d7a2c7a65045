// Feature maps in files: a versioned JSON object with all it takes to apply the map to other data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "askrff/choose.hpp"
#include "column_scale.hpp"
#include "kernel_options.hpp"

namespace askrff::cli {

/// Smallest and largest value of every column.
struct ColumnRange {
  std::vector<double> lowest, highest;

  static ColumnRange of(MatrixView<const double> X);
};

struct FeatureFile {
  ChosenKernel kernel;
  std::size_t dim = 0;
  std::optional<ColumnScale> scale;       ///< of the data, before anything else
  std::optional<ColumnRange> range;       ///< of the scaled rows a Nyström map was made on; that of atoms is in their calibration
  std::optional<SpectralAtoms> atoms;     ///< of a Fourier map
  std::optional<NystromFactors> nystrom;  ///< of a Nyström map
  std::string reason;                     ///< why this map
  Certificate certificate;

  FeatureMap map() const { return atoms ? FeatureMap(*atoms) : FeatureMap(*nystrom); }
  /// Scaled rows of X far outside the range of the rows the map was fitted on; 0 if it was not fitted.
  std::size_t rows_outside(MatrixView<const double> X) const;
};

/// The file's text. The same map gives the same bytes, and every number is read back exactly. Throws DataError if it would be too large
/// to be read.
std::string feature_file_text(const FeatureFile& features);

/// Throws DataError "path: what, what was expected" for everything that is not a whole, consistent file of a known version.
FeatureFile read_feature_file(const std::string& path);

}  // namespace askrff::cli
