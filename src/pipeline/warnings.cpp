// What is to be said of a map that serves badly: the sentences of the command line and of Python alike.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "askrff/map.hpp"
#include "pipeline/grid_reach.hpp"
#include "pipeline/make_map.hpp"
#include "pipeline/scaled_rows.hpp"

namespace askrff {
namespace {

// From here on a tenth of ‖K‖² is wrong. The defaults stay below a third of it on scaled rows.
constexpr double max_useful_error = 0.3;
// Of rows of the same law as n fitted ones a share outside may count that is exponential with mean 1/n: above this with probability
// e^(-n/20).
constexpr double max_share_outside = 0.05;

// Scaled columns in which nine of ten rows are nearer to each other than this are squeezed. Normal rows have 0.3 of [0,1], log-normal ones
// of deviation 2 have 0.01.
constexpr double squeezed_width = 0.01;
// Rows that are looked at, at equal distances; with fewer than the smaller number one outlier is as many as a twentieth.
constexpr std::size_t max_looked_at = 1000, min_looked_at = 40;

/// The widest column against the middle one, of those that vary; 1 where that is not known.
double disparity(const ColumnRange* range) {
  std::vector<double> widths;
  for (std::size_t j = 0; range && j < range->lowest.size(); ++j)
    if (range->highest[j] > range->lowest[j]) widths.push_back(range->highest[j] - range->lowest[j]);
  if (widths.empty()) return 1;
  std::ranges::sort(widths);
  return widths.back() / widths[(widths.size() - 1) / 2];
}

/// 0 if the kernel has none, or one for every column, as scales give it.
double sigma_of(const NamedKernel& kernel) {
  for (const auto& parameter : kernel.parameters)
    if (parameter.first == "scales") return 0;
  for (const auto& [name, value] : kernel.parameters)
    if (name == "sigma" && !value.is_vector() && !value.is_over_dim()) return value.scalar();
  return 0;
}

/// How much larger the error is without what was fitted to the rows. Nobody knows it of landmarks; measured on lines, cubes and texts,
/// their error grows outside as if it were this power of it: by hundreds where it is rounding, hardly where it is a few per cent.
double gain_of_fit(const Map& map) {
  if (const SpectralAtoms* atoms = map.atoms()) {
    const auto& calibration = atoms->provenance().calibration;
    return calibration && calibration->error_after > 0 ? calibration->error_before / calibration->error_after : 1;
  }
  const auto& certificate = map.content().certificate;
  return certificate && certificate->error.error > 0 ? 0.25 * std::pow(certificate->error.error, -0.25) : 1;
}

/// Features of no size at all have an error of 1.
constexpr double error_of_nothing = 1;

/// From here on an interval of the error says that rows have been seen for which features are far worse than nothing.
constexpr double absurd_error = 10;

/// The error, if it is certain that it is large, or more than that of nothing, or nobody knows how large it is: by the certificate or,
/// without one, by the pairs held out of a calibration.
std::optional<double> large_error(const Map& map) {
  if (const auto& certificate = map.content().certificate) {
    const HeldOutError& error = certificate->error;
    const bool is_large = error.lower > max_useful_error || error.error > error_of_nothing || error.upper > absurd_error;
    return is_large ? std::optional(error.error) : std::nullopt;
  }
  constexpr std::size_t enough_pairs = 1000;
  if (!map.atoms() || !map.atoms()->provenance().calibration) return std::nullopt;
  const Calibration& calibration = *map.atoms()->provenance().calibration;
  const bool is_large = calibration.n_held_out_pairs >= enough_pairs && calibration.error_after > max_useful_error;
  return is_large ? std::optional(calibration.error_after) : std::nullopt;
}

constexpr const char* remedy_of_rounding = "take float64, or move the columns to about 0";

std::string remedy(const Map& map) {
  constexpr double large = 10;
  const bool has_frequencies = !map.matrix() && !map.nystrom();
  const auto& certificate = map.content().certificate;
  if (certificate && certificate->rounding > certificate->error.error / 2)
    return fmt::format("float32 keeps too few digits of these rows; {}", remedy_of_rounding);
  if (!has_frequencies && certificate && std::max(certificate->error.error, certificate->error.upper / absurd_error) > error_of_nothing)
    return "there are too few rows for so many features, which are far off for new rows; take fewer, or more rows";
  if (map.matrix()) return "take more features; what is left over is not of low rank, or new rows are unlike those that are there";
  const ColumnRange* range = map.fitted_range();
  const double factor = disparity(range), sigma = sigma_of(map.content().kernel);
  if (map.content().scaler.kind == Scaling::none && factor > large)
    return fmt::format("one column is {} times as wide as most, so scale the columns (minmax, standard or robust)",
                       factor < 1e6 ? fmt::format("{:.0f}", factor) : fmt::format("{:.0e}", factor));
  if (range && sigma > 0 && sigma < range->typical / 2)
    return fmt::format("sigma is {:.3g} where rows are {:.3g} apart, so take a larger one, or more features", sigma, range->typical);
  return "scale columns that differ in width, take more features, or a wider kernel";
}

/// Columns as people count them.
std::string squeezed_sentence(const std::vector<std::size_t>& squeezed, const std::vector<std::string>& names, Scaling scaling) {
  if (squeezed.empty()) return "";
  const std::size_t first = squeezed.front();
  const std::string name = first < names.size() ? fmt::format(" ('{}')", names[first]) : "";
  const std::string columns = squeezed.size() == 1 ? fmt::format("column {}{} has", first + 1, name)
                                                   : fmt::format("{} columns, column {}{} for one, have", squeezed.size(), first + 1, name);
  return fmt::format(
      "{} outliers: scaled {}, nine of ten rows lie within a hundredth of each other there and hardly differ for a kernel; "
      "robust scaling goes by quantiles instead (--scale robust, in Python scale=\"robust\")",
      columns, name_of(scaling));
}

}  // namespace

std::vector<std::size_t> pipeline::squeezed_columns(const RowsView<double>& rows, Scaling scaling) {
  if (scaling == Scaling::none || scaling == Scaling::robust || rows.empty()) return {};
  const std::size_t step = (rows.rows() + max_looked_at - 1) / max_looked_at, n = (rows.rows() + step - 1) / step;
  if (n < min_looked_at) return {};
  if (rows.is_sparse()) return {};  // nine of ten rows are 0 in most columns, and meant to be
  std::vector<std::size_t> squeezed;
  std::vector<double> values(n);
  const auto quantile = [&](double share) {
    const auto place = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(n - 1) + 0.5);
    std::ranges::nth_element(values, place);
    return *place;
  };
  for (std::size_t j = 0; j < rows.cols(); ++j) {
    for (std::size_t i = 0; i < n; ++i) values[i] = rows.dense()(i * step, j);
    const double low = quantile(0.05), high = quantile(0.95);
    // maxabs moves nothing: a column far from 0 is narrow without any outlier.
    const bool is_near_zero = std::max(std::abs(low), std::abs(high)) < squeezed_width;
    if (high > low && high - low < squeezed_width && (scaling != Scaling::maxabs || is_near_zero)) squeezed.push_back(j);
  }
  return squeezed;
}

std::string DrawnRows::scaling_warning() const {
  return squeezed_sentence(pipeline::squeezed_columns(X, scaler.kind), column_names, scaler.kind);
}

std::string Map::scaling_warning() const { return squeezed_sentence(content().squeezed, content().column_names, content().scaler.kind); }

std::string Map::accuracy_warning() const {
  const std::optional<double> error = large_error(*this);
  if (!error) return "";
  const double upper = content().certificate ? content().certificate->error.upper : 0;
  const std::string perhaps = upper > absurd_error && std::isfinite(upper) ? fmt::format(", or up to {:.2g}", upper) : "";
  return fmt::format("the features hardly stand for the kernel, their relative error is {:.2g}{}: {}", *error, perhaps, remedy(*this));
}

std::string Map::float32_warning(double float32_error) const {
  constexpr double always = 1e-7, much = 1e-3;  // what float32 features are off anyway; ten thousand times as much
  const double told = content().certificate ? content().certificate->error.upper : much;
  if (!(float32_error > much || float32_error > std::max(told, 100 * always))) return "";
  return fmt::format("float32 keeps too few digits of these rows: features may be off by {:.2g} of their size; {}",
                     std::min(float32_error, 1.0), remedy_of_rounding);
}

std::string Map::outside_warning(std::size_t n_outside, std::size_t n_rows) {
  const double share = static_cast<double>(n_outside) / static_cast<double>(std::max<std::size_t>(n_rows, 1));
  if (share <= max_share_outside) return "";
  return fmt::format(
      "{:.0f} % of the rows lie far outside those the features were fitted on: expect more than twice the error measured there",
      100 * share);
}

std::size_t Map::rows_outside(const RowsView<double>& X) const {
  if (pipeline::is_on_grid(*this) && !atoms()->provenance().calibration) {  // what matters there is how far the grid reaches
    pipeline::RoundedRows<double> scaled;
    Matrix<double> written_out;
    const MatrixView<const double> rows = pipeline::dense_rows(scaled.scaled(*this, X), written_out);
    const pipeline::GridReach reach(*this);
    std::size_t n_outside = 0;
    for (std::size_t i = 0; i < rows.rows(); ++i) n_outside += reach.includes(rows.row(i)) ? 0 : 1;
    return n_outside;
  }
  const ColumnRange* range = fitted_range();
  if (!range) return 0;
  pipeline::RoundedRows<double> storage;
  return range->rows_outside(storage.scaled(*this, X), gain_of_fit(*this));
}

}  // namespace askrff
