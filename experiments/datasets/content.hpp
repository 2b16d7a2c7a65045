// Files of data sets read and checked: rows, columns, classes and a checksum that does not depend on the format.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/execution.hpp"
#include "askrff/views.hpp"
#include "experiments/datasets/catalogue.hpp"
#include "experiments/datasets/sha256.hpp"

namespace askrff::experiments {

/// SHA-256 of rows: their number and that of the columns as 64-bit integers, then of each row the label and the values as IEEE doubles, all
/// in little-endian order, zero never negative. Explicit zeros, spellings of numbers and compression do not show in it.
class ContentDigest {
 public:
  /// One label per row. Several calls, as for training and test rows, follow each other.
  void add(MatrixView<const double> X, const std::vector<double>& labels);
  std::string finish() { return digest_.finish(); }

 private:
  Sha256 digest_;
};

struct NumberedRows {
  Matrix<double> X;
  std::vector<double> labels;  ///< canonical_label of each row
};

/// -1 or 1, for letters 1 … 26; nothing if it is no label of this code.
std::optional<double> canonical_label(LabelCode code, std::string_view label);
/// Is a canonical label class +1?
bool is_positive(LabelCode code, double label);

/// A longer file is refused unread; the longest published one is a fiftieth of it.
constexpr std::uintmax_t max_file_bytes = std::uintmax_t{1} << 30;

/// Reads a file in the format of `expected`, compressed in any way or not, and compares it with what must be in it. Throws DataError: file,
/// found, expected. Never needs more memory than the expected rows and some blocks.
NumberedRows read_verified(const std::filesystem::path& path, const CatalogueFile& expected, const Execution& execution = {});

}  // namespace askrff::experiments
