// Where features go: an NPY file, or numbers without a header, into a file or to standard output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "askrff/model.hpp"
#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff::cli {

enum class FeatureFormat { npy, raw };

inline constexpr Word<FeatureFormat> feature_format_words[] = {
    {FeatureFormat::npy, "npy", "NumPy's array; on standard output where the number of rows is known before the last"},
    {FeatureFormat::raw, "raw", "the numbers alone, row by row, in this machine's byte order"}};
constexpr std::span<const Word<FeatureFormat>> words_of(FeatureFormat) { return feature_format_words; }

/// Rows of features, block by block. A file appears when it is complete; what has gone to standard output ("-") is gone.
class FeatureOutput {
 public:
  /// Whether it is standard output.
  static bool is_stream(const std::string& path) { return path == "-"; }
  /// Whether the number of rows must be known before the first is written.
  static bool needs_rows(const std::string& path, FeatureFormat format) { return is_stream(path) && format == FeatureFormat::npy; }

  /// n_rows: only where it is needed. Throws std::invalid_argument if the file cannot be created, or standard output is a terminal.
  FeatureOutput(const std::string& path, FeatureFormat format, Precision type, std::size_t n_features, std::optional<std::uint64_t> n_rows);
  ~FeatureOutput();
  FeatureOutput(const FeatureOutput&) = delete;
  FeatureOutput& operator=(const FeatureOutput&) = delete;

  /// The element type must be the one that was said. Throws WriteError.
  void append(MatrixView<const float> block);
  void append(MatrixView<const double> block);
  /// Throws WriteError if rows are missing or what was written cannot be completed.
  void finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace askrff::cli
