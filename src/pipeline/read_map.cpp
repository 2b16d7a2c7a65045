// A map out of records.
#include <fmt/format.h>

#include <cmath>

#include <algorithm>
#include <optional>

#include "askrff/errors.hpp"
#include "pipeline/stored_keys.hpp"

namespace askrff::pipeline {
namespace {

using io::Allow;
using io::any_size;
using io::Records;

bool read_flag(const Records& file, const char* key, std::uint64_t value) {
  if (value > 1) file.refuse(key, fmt::format("holds {} where 0 or 1 is expected", value));
  return value == 1;
}

ColumnRange read_range(const Records& file, const std::string& key, std::size_t dim) {
  const Matrix<double> ends = file.matrix(key, 2, dim);
  ColumnRange range{{ends.row(0).begin(), ends.row(0).end()}, {ends.row(1).begin(), ends.row(1).end()}};
  if (!file.has(key + "-centre")) return range;
  range.centre = file.numbers(key + "-centre", dim);
  const auto distances = file.numbers(key + "-distances", 3);
  range.radius = distances[0];
  range.typical = distances[1];
  range.margin = distances[2];
  return range;
}

std::size_t read_list_size(const Records& file, double size) {
  constexpr double most = 1 << 24;
  if (!(size >= 1 && size <= most && size == std::floor(size)))
    file.refuse("kernel/values", fmt::format("has a list of {} values, expected 1 to {}", size, most));
  return static_cast<std::size_t>(size);
}

CoordinateParameter parameter_of(ParameterForm form, std::vector<double> values) {
  switch (form) {
    case ParameterForm::number:
      return values.front();
    case ParameterForm::over_dim:
      return CoordinateParameter::over_dim(values.front());
    case ParameterForm::vector:
      return values;
    case ParameterForm::list:
      break;
  }
  return CoordinateParameter::list(std::move(values));
}

NamedKernel read_kernel(const Records& file, std::size_t dim) {
  const std::vector<std::string> names = file.texts("kernel/parameters");
  const std::vector<std::uint64_t> forms = file.counts("kernel/forms", names.size(), 1);
  const std::vector<double> numbers = file.numbers("kernel/values");
  ParameterValues values;
  std::size_t used = 0;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto form = static_cast<ParameterForm>(forms[i]);
    if (form > ParameterForm::list) file.refuse("kernel/forms", fmt::format("holds {}, expected 0 to 3", forms[i]));
    const auto require = [&](std::size_t size) {
      if (size > numbers.size() - used) file.refuse("kernel/values", fmt::format("has {} values, expected more", numbers.size()));
    };
    std::size_t size = form == ParameterForm::vector ? dim : 1;
    require(size);
    if (form == ParameterForm::list) size = read_list_size(file, numbers[used++]);
    require(size);
    const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(used);
    if (!values.emplace(names[i], parameter_of(form, {first, first + static_cast<std::ptrdiff_t>(size)})).second)
      file.refuse("kernel/parameters", "names a parameter twice");
    used += size;
  }
  if (used != numbers.size()) file.refuse("kernel/values", fmt::format("has {} values, expected {}", numbers.size(), used));
  return named_kernel(file.text("kernel/name"), values);
}

Scaler read_scaler(const Records& file, std::size_t dim) {
  Scaler scaler;
  scaler.kind = read_word<Scaling>(file, "scaler/kind");
  if (scaler.kind == Scaling::none) return scaler;
  scaler.offset = file.numbers("scaler/offset", dim);
  scaler.width = file.numbers("scaler/width", dim);
  return scaler;
}

Certificate read_certificate(const Records& file) {
  const auto errors = file.numbers("certificate/errors", 3, Allow::infinite);
  const auto counts = file.counts("certificate/counts", 1, 5);
  Certificate certificate;
  HeldOutError& error = certificate.error;
  error.error = errors[0];
  error.lower = errors[1];
  error.upper = errors[2];
  error.n_rows = counts[0];
  error.n_pairs = counts[1];
  certificate.n_frequencies = counts[2];
  certificate.n_features = counts[3];
  certificate.reached = read_flag(file, "certificate/counts", counts[4]);
  error.between = error.between_lower = error.between_upper = std::nan("");  // older files do not say
  if (file.has("certificate/between")) {
    const auto between = file.numbers("certificate/between", 3, Allow::infinite);
    error.between = between[0];
    error.between_lower = between[1];
    error.between_upper = between[2];
  }
  if (file.has("certificate/of")) {
    const auto of = file.counts("certificate/of", 1, 2);
    error.matrix_rows = of[0];
    certificate.refitted = read_flag(file, "certificate/of", of[1]);
  }
  return certificate;
}

Provenance read_provenance(const Records& file, std::size_t dim) {
  auto texts = file.texts("atoms/provenance", 4);
  Provenance provenance{std::move(texts[0]), std::move(texts[1]), std::move(texts[2]), std::move(texts[3]), std::nullopt};
  if (!file.has("calibration/numbers")) return provenance;
  const auto numbers = file.numbers("calibration/numbers", 4, Allow::infinite);
  const auto counts = file.counts("calibration/counts", 1, 2);
  provenance.calibration = Calibration{.error_before = numbers[0],
                                       .error_after = numbers[1],
                                       .even_ridge = numbers[2],
                                       .odd_ridge = numbers[3],
                                       .n_pairs = counts[0],
                                       .n_held_out_pairs = counts[1],
                                       .seconds = 0,
                                       .range = read_range(file, "calibration/range", dim)};
  return provenance;
}

std::vector<PartRecord> read_parts(const Records& file) {
  if (!file.has("atoms/parts")) return {};
  const Matrix<double> masses = file.matrix("atoms/masses", any_size, 2, Allow::infinite);
  const auto places = file.counts("atoms/parts", masses.rows(), 4);
  std::vector<PartRecord> parts;
  for (std::size_t i = 0; i < masses.rows(); ++i) {
    const std::uint64_t* place = places.data() + 4 * i;
    if (place[0] >= all_parts.size())
      file.refuse("atoms/parts", fmt::format("has part {}, expected 0 to {}", place[0], all_parts.size() - 1));
    parts.push_back({.part = all_parts[place[0]],
                     .mass = masses(i, 0),
                     .log_mass = masses(i, 1),
                     .first = place[1],
                     .count = place[2],
                     .dropped = read_flag(file, "atoms/parts", place[3])});
  }
  return parts;
}

HadamardBlocks read_structure(const Records& file, std::size_t dim, std::size_t n_atoms) {
  HadamardBlocks blocks;
  blocks.dim = dim;
  blocks.padded_dim = file.count("structure/padded-dim", HadamardBlocks::min_padded_dim, HadamardBlocks::max_padded_dim);
  if (!fits_file(n_atoms, dim, blocks.padded_dim))
    file.refuse("structure/scales",
                fmt::format("has {} frequencies in {} dimensions, expected at most {} numbers", n_atoms, dim, max_structured_numbers));
  blocks.scales = file.numbers("structure/scales", n_atoms);
  blocks.signs = file.bytes("structure/signs");
  return blocks;
}

/// The frequencies are there as well, for programs that know no grids: they must be those of the grid.
FrequencyGrid read_grid(const Records& file, std::size_t dim, const Matrix<double>& frequencies) {
  const auto half = file.counts("grid/half", dim, 1);
  FrequencyGrid grid{
      file.numbers("grid/spacing", dim), {half.begin(), half.end()}, file.numbers("grid/extent", dim), file.number("grid/tolerance")};
  try {
    grid.check();
  } catch (const InvalidArgument& error) {
    file.refuse("grid/spacing", fmt::format("is that of no grid: {}", error.message()));
  }
  const std::size_t n = frequencies.rows() * dim;
  if (grid.size() != frequencies.rows() || !std::equal(frequencies.data(), frequencies.data() + n, grid.frequencies().data()))
    file.refuse("grid/spacing", "does not give the frequencies of the atoms");
  return grid;
}

SpectralAtoms read_atoms(const Records& file, std::size_t dim) {
  const Matrix<double> pairs = file.matrix("atoms/weights", any_size, 2);
  if (pairs.rows() == 0) file.refuse("atoms/weights", "is empty, expected at least one");
  std::vector<std::complex<double>> weights(pairs.rows());
  for (std::size_t j = 0; j < pairs.rows(); ++j) weights[j] = {pairs(j, 0), pairs(j, 1)};
  const Provenance provenance = read_provenance(file, dim);
  if (file.has("structure/padded-dim")) {
    HadamardBlocks blocks = read_structure(file, dim, weights.size());
    return SpectralAtoms(std::move(blocks), std::move(weights), read_parts(file)).with_provenance(provenance);
  }
  Matrix<double> frequencies = file.matrix("atoms/frequencies", weights.size(), dim);
  if (file.has("grid/spacing")) return SpectralAtoms(read_grid(file, dim, frequencies), std::move(weights)).with_provenance(provenance);
  return SpectralAtoms(std::move(frequencies), std::move(weights), read_parts(file)).with_provenance(provenance);
}

RowsMatrix<double> read_landmarks(const Records& file, std::size_t dim) {
  if (!file.has("nystrom/landmark-starts")) return file.matrix("nystrom/landmarks", any_size, dim);
  const auto starts = file.counts("nystrom/landmark-starts", any_size, 1), columns = file.counts("nystrom/landmark-columns", any_size, 1);
  if (std::ranges::any_of(columns, [dim](std::uint64_t column) { return column >= dim; }))
    file.refuse("nystrom/landmark-columns", fmt::format("holds a column beyond the {} there are", dim));
  const std::vector<std::uint32_t> narrow(columns.begin(), columns.end());
  const std::vector<double> values = file.numbers("nystrom/landmark-values", columns.size());
  SparseMatrix<double> landmarks(dim);
  try {
    landmarks.add_rows(SparseView<double>(starts, narrow, values, dim));
  } catch (const InvalidArgument& error) {
    file.refuse("nystrom/landmark-starts", fmt::format("is not that of sparse rows: {}", error.message()));
  }
  return landmarks;
}

NystromFactors read_nystrom(const Records& file, std::shared_ptr<const Kernel> kernel, std::size_t dim) {
  NystromFactors factors;
  factors.kernel = std::move(kernel);
  factors.landmarks = read_landmarks(file, dim);
  const std::size_t n = factors.n_landmarks();
  const auto rows = file.counts("nystrom/rows", any_size, 1);
  factors.landmark_rows.assign(rows.begin(), rows.end());
  factors.left_factor = file.matrix("nystrom/left", n, any_size);
  factors.right_factor = file.matrix("nystrom/right", n, factors.left_factor.cols());
  factors.core_singular_values = file.numbers("nystrom/core-singular-values");
  factors.singular_values = file.numbers("nystrom/singular-values");
  return factors;
}

MatrixFactors read_matrix(const Records& file, std::size_t dim) {
  MatrixFactors factors;
  const auto size = file.counts("matrix/size", 1, 2);
  const auto rows = file.counts("matrix/rows", any_size, 1), columns = file.counts("matrix/columns", any_size, 1);
  factors.n_rows = size[0];
  factors.n_columns = size[1];
  constexpr std::uint64_t most = std::uint64_t{1} << 32;  // as of columns of any map
  if (factors.n_rows == 0 || factors.n_rows > most || factors.n_columns != dim)
    file.refuse("matrix/size", fmt::format("is {} x {}, expected 1 to {} rows and {} columns", size[0], size[1], most, dim));
  factors.rows.assign(rows.begin(), rows.end());
  factors.columns.assign(columns.begin(), columns.end());
  factors.left_factor = file.matrix("matrix/left", columns.size(), any_size);
  factors.right_factor = file.matrix("matrix/right", rows.size(), factors.left_factor.cols());
  factors.singular_values = file.numbers("matrix/singular-values", factors.left_factor.cols());
  return factors;
}

FeatureSource read_source(const Records& file, std::size_t dim, const std::shared_ptr<const Kernel>& kernel) {
  const std::string kind = file.text("map/kind");
  if (kind == "fourier") return read_atoms(file, dim);
  if (kind == "nystrom") return read_nystrom(file, kernel, dim);
  if (kind == "matrix") return read_matrix(file, dim);
  if (kind != "columns") file.refuse("map/kind", "is none of fourier, nystrom, matrix, columns");
  return Columns{dim};
}

}  // namespace

Map read_map(const Records& file, const std::shared_ptr<const Kernel>& left_out) {
  constexpr std::uint64_t max_dim = std::uint64_t{1} << 32;
  const std::size_t dim = file.count("map/dim", 1, max_dim);
  const bool lacks_kernel = !file.has("kernel/name") && file.text("map/kind") == "nystrom";
  if (lacks_kernel && !left_out) throw DataError(file.name(), "lacks the kernel of its landmarks, expected it beside these bytes");
  if (!lacks_kernel && left_out)
    throw DataError(file.name(), fmt::format("got the kernel {}, expected none: these bytes need no other", left_out->name()));
  NamedKernel kernel{.kernel = left_out};
  if (file.has("kernel/name")) kernel = read_kernel(file, dim);
  MapContent content{.source = read_source(file, dim, kernel.kernel)};
  content.kernel = std::move(kernel);
  content.side = read_word<FeatureSide>(file, "map/side");
  content.reason = file.text("map/reason");
  content.command = file.text("map/command");
  content.seed = file.count("map/seed");
  content.scaler = read_scaler(file, dim);
  if (file.has("map/column-names")) content.column_names = file.texts("map/column-names", dim);
  if (file.has("map/range")) content.range = read_range(file, "map/range", dim);
  if (file.has("certificate/errors")) content.certificate = read_certificate(file);
  return Map(std::move(content));
}

}  // namespace askrff::pipeline
