// A map as records.
#include <fmt/format.h>

#include <cmath>

#include "pipeline/stored_keys.hpp"
#include "askrff/errors.hpp"

namespace askrff::pipeline {
namespace {

using Counts = std::vector<std::uint64_t>;

void write_range(io::RecordWriter& file, const std::string& key, const ColumnRange& range) {
  Matrix<double> rows(2, range.lowest.size());
  std::ranges::copy(range.lowest, rows.row(0).begin());
  std::ranges::copy(range.highest, rows.row(1).begin());
  file.matrix(key, rows);
  if (range.centre.empty()) return;
  file.numbers(key + "-centre", range.centre);
  file.numbers(key + "-distances", std::vector<double>{range.radius, range.typical, range.margin});
}

void write_kernel(io::RecordWriter& file, const NamedKernel& kernel, std::size_t dim) {
  std::vector<std::string> names;
  Counts forms;
  std::vector<double> values;
  for (const auto& [name, value] : kernel.parameters) {
    const auto form = value.is_list()       ? ParameterForm::list
                      : value.is_vector()   ? ParameterForm::vector
                      : value.is_over_dim() ? ParameterForm::over_dim
                                            : ParameterForm::number;
    names.push_back(name);
    forms.push_back(static_cast<std::uint64_t>(form));
    if (value.is_vector()) value.expand(dim, "kernel " + kernel.name, name);
    if (value.is_list()) values.push_back(static_cast<double>(value.values().size()));
    values.insert(values.end(), value.values().begin(), value.values().end());
  }
  file.text("kernel/name", kernel.name);
  file.texts("kernel/parameters", names);
  file.counts("kernel/forms", forms, 1);
  file.numbers("kernel/values", values);
}

void write_certificate(io::RecordWriter& file, const Certificate& certificate) {
  const HeldOutError& error = certificate.error;
  file.numbers("certificate/errors", std::vector<double>{error.error, error.lower, error.upper});
  file.counts("certificate/counts",
              Counts{error.n_rows, error.n_pairs, certificate.n_frequencies, certificate.n_features, certificate.reached ? 1u : 0u}, 5);
  if (!std::isnan(error.between))  // the files it may come from did not always say
    file.numbers("certificate/between", std::vector<double>{error.between, error.between_lower, error.between_upper});
  file.counts("certificate/of", Counts{error.matrix_rows, certificate.refitted ? 1u : 0u}, 2);
}

void write_calibration(io::RecordWriter& file, const Calibration& calibration) {
  file.numbers("calibration/numbers",
               std::vector<double>{calibration.error_before, calibration.error_after, calibration.even_ridge, calibration.odd_ridge});
  file.counts("calibration/counts", Counts{calibration.n_pairs, calibration.n_held_out_pairs}, 2);
  write_range(file, "calibration/range", calibration.range);
}

void write_parts(io::RecordWriter& file, std::span<const PartRecord> parts) {
  Counts places;
  Matrix<double> masses(parts.size(), 2);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const PartRecord& part = parts[i];
    places.insert(places.end(), {static_cast<std::uint64_t>(part.part), part.first, part.count, part.dropped ? 1u : 0u});
    masses(i, 0) = part.mass;
    masses(i, 1) = part.log_mass;
  }
  file.counts("atoms/parts", places, 4);
  file.matrix("atoms/masses", masses);
}

void write_atoms(io::RecordWriter& file, const SpectralAtoms& atoms) {
  if (const HadamardBlocks* blocks = atoms.structure()) {
    if (!fits_file(blocks->size(), blocks->dim, blocks->padded_dim))
      throw InvalidArgument(fmt::format("{} structured frequencies in {} dimensions are too many for a file, expected at most {} numbers",
                                        blocks->size(), blocks->dim, max_structured_numbers));
    file.count("structure/padded-dim", blocks->padded_dim);
    file.bytes("structure/signs", blocks->signs);
    file.numbers("structure/scales", blocks->scales);
  } else {
    file.matrix("atoms/frequencies", atoms.frequencies());
  }
  if (const FrequencyGrid* grid = atoms.grid()) {
    file.numbers("grid/spacing", grid->spacing);
    file.counts("grid/half", Counts(grid->half.begin(), grid->half.end()), 1);
    file.numbers("grid/extent", grid->extent);
    file.number("grid/tolerance", grid->tolerance);
  }
  Matrix<double> weights(atoms.size(), 2);
  for (std::size_t j = 0; j < atoms.size(); ++j) {
    weights(j, 0) = atoms.weights()[j].real();
    weights(j, 1) = atoms.weights()[j].imag();
  }
  file.matrix("atoms/weights", weights);
  if (!atoms.parts().empty()) write_parts(file, atoms.parts());
  const Provenance& provenance = atoms.provenance();
  file.texts("atoms/provenance", std::vector<std::string>{provenance.estimator, provenance.sampler, provenance.weights, provenance.reason});
  if (provenance.calibration) write_calibration(file, *provenance.calibration);
}

/// Landmarks come back with the kernel their file names: it must be the one they have. Some values tell.
void require_named(const NamedKernel& named, const NystromFactors& factors, OwnKernels own) {
  if (named.name.empty()) {
    if (own == OwnKernels::left_out) return;
    throw InvalidArgument("landmarks of a kernel without a name cannot be kept in a file, expected a kernel of the registry");
  }
  ParameterValues values;
  for (const auto& [name, value] : named.parameters) values.insert_or_assign(name, value);
  const auto stored = make_kernel(named.name, values);
  const auto some = factors.landmarks.view().middle_rows(0, std::min<std::size_t>(8, factors.n_landmarks()));
  Matrix<double> ours(some.rows(), some.rows()), theirs(some.rows(), some.rows());
  stored->evaluate_any_pairs(some, some, ours);
  factors.kernel->evaluate_any_pairs(some, some, theirs);
  if (!std::equal(ours.data(), ours.data() + ours.rows() * ours.cols(), theirs.data()))
    throw InvalidArgument(fmt::format("the landmarks' kernel {} is not {} with the parameters given", factors.kernel->name(), named.name));
}

void write_landmarks(io::RecordWriter& file, const RowsMatrix<double>& landmarks) {
  if (!landmarks.is_sparse()) return file.matrix("nystrom/landmarks", landmarks.dense());
  const SparseView<double> rows = landmarks.sparse();
  file.counts("nystrom/landmark-starts", {rows.starts(), rows.rows() + 1}, 1);
  file.counts("nystrom/landmark-columns", Counts(rows.columns(), rows.columns() + rows.n_values()), 1);
  file.numbers("nystrom/landmark-values", rows.all_values());
}

void write_nystrom(io::RecordWriter& file, const NystromFactors& factors) {
  write_landmarks(file, factors.landmarks);
  file.counts("nystrom/rows", Counts(factors.landmark_rows.begin(), factors.landmark_rows.end()), 1);
  file.matrix("nystrom/left", factors.left_factor);
  file.matrix("nystrom/right", factors.right_factor);
  file.numbers("nystrom/core-singular-values", factors.core_singular_values);
  file.numbers("nystrom/singular-values", factors.singular_values);
}

void write_matrix(io::RecordWriter& file, const MatrixFactors& factors) {
  file.require_version(2);
  file.counts("matrix/size", Counts{factors.n_rows, factors.n_columns}, 2);
  file.counts("matrix/rows", Counts(factors.rows.begin(), factors.rows.end()), 1);
  file.counts("matrix/columns", Counts(factors.columns.begin(), factors.columns.end()), 1);
  file.matrix("matrix/left", factors.left_factor);
  file.matrix("matrix/right", factors.right_factor);
  file.numbers("matrix/singular-values", factors.singular_values);
}

}  // namespace

void write_map(io::RecordWriter& file, const Map& map, OwnKernels own) {
  const MapContent& content = map.content();
  if (map.nystrom()) require_named(content.kernel, *map.nystrom(), own);
  file.text("map/kind", map.kind());
  file.count("map/dim", map.dim());
  file.text("map/side", name_of(content.side));
  file.text("map/reason", content.reason);
  file.text("map/command", content.command);
  file.count("map/seed", content.seed);
  file.text("scaler/kind", name_of(content.scaler.kind));
  if (content.scaler.kind != Scaling::none) {
    file.numbers("scaler/offset", content.scaler.offset);
    file.numbers("scaler/width", content.scaler.width);
  }
  if (!content.column_names.empty()) file.texts("map/column-names", content.column_names);
  if (!content.kernel.name.empty()) write_kernel(file, content.kernel, map.dim());
  if (content.range) write_range(file, "map/range", *content.range);
  if (content.certificate) write_certificate(file, *content.certificate);
  if (map.atoms()) write_atoms(file, *map.atoms());
  if (map.nystrom()) write_nystrom(file, *map.nystrom());
  if (map.matrix()) write_matrix(file, *map.matrix());
}

}  // namespace askrff::pipeline
