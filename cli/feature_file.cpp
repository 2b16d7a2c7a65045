// Feature maps to text and back.
#include "feature_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "askrff/errors.hpp"
#include "choice_report.hpp"
#include "json_reader.hpp"
#include "numbers.hpp"

namespace askrff::cli {
namespace {

constexpr const char* format_name = "askrff-features";
constexpr std::size_t format_version = 1;
// Structured frequencies are few bytes in a file and many in memory: 1 GiB.
constexpr std::size_t most_structured_numbers = std::size_t{1} << 27;

// --- to text --------------------------------------------------------------------------------------------------------------

Json matrix_json(MatrixView<const double> matrix) {
  Json json = Json::array();
  for (std::size_t i = 0; i < matrix.rows(); ++i) json.push_back(std::vector<double>(matrix.row(i).begin(), matrix.row(i).end()));
  return json;
}

Json structure_json(const HadamardBlocks& blocks) {
  std::string signs;
  for (const signed char sign : blocks.signs) signs += sign > 0 ? '+' : '-';
  return {{"padded_dim", blocks.padded_dim}, {"signs", std::move(signs)}, {"scales", blocks.scales}};
}

// Without the seconds, which would make every file of the same map a different one.
Json calibration_json(const Calibration& calibration) {
  return {{"error_before", calibration.error_before},
          {"error_after", calibration.error_after},
          {"even_ridge", calibration.even_ridge},
          {"odd_ridge", calibration.odd_ridge},
          {"n_pairs", calibration.n_pairs},
          {"n_held_out_pairs", calibration.n_held_out_pairs},
          {"lowest", calibration.lowest},
          {"highest", calibration.highest}};
}

Json provenance_json(const FeatureFile& features) {
  Json json = {{"estimator", "nystrom"}, {"sampler", ""}, {"weights", ""}, {"reason", features.reason}, {"calibration", nullptr}};
  if (features.range) json["range"] = {{"lowest", features.range->lowest}, {"highest", features.range->highest}};
  if (!features.atoms) return json;
  const Provenance& provenance = features.atoms->provenance();
  json["estimator"] = provenance.estimator;
  json["sampler"] = provenance.sampler;
  json["weights"] = provenance.weights;
  if (provenance.calibration) json["calibration"] = calibration_json(*provenance.calibration);
  return json;
}

void add_atoms(Json& json, const SpectralAtoms& atoms) {
  if (const HadamardBlocks* blocks = atoms.structure())
    json["structure"] = structure_json(*blocks);
  else
    json["frequencies"] = matrix_json(atoms.frequencies());
  json["weights"] = Json::array();
  for (const std::complex<double> weight : atoms.weights()) json["weights"].push_back({weight.real(), weight.imag()});
}

// --- from JSON ------------------------------------------------------------------------------------------------------------

ChosenKernel read_kernel(const std::string& path, const JsonField& field, std::size_t dim) {
  ParameterValues values;
  const JsonField parameters = field.at("parameters");
  if (!parameters.value().is_object()) parameters.refuse("is not an object, expected names and numbers");
  for (const auto& [name, value] : parameters.value().items()) {
    if (name.size() > 100) parameters.refuse("has a name of more than 100 bytes");
    const JsonField parameter = parameters.at(name);
    values.insert_or_assign(name, value.is_array() ? CoordinateParameter(parameter.numbers(dim)) : CoordinateParameter(parameter.number()));
  }
  try {
    ChosenKernel chosen = choose_kernel(field.at("name").text(200), values);
    chosen.check_dim(dim);
    return chosen;
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw DataError(path + ": " + error.what());
  }
}

std::optional<ColumnScale> read_scale(const JsonField& file, std::size_t dim) {
  const auto field = file.maybe("scale");
  if (!field) return std::nullopt;
  ColumnScale scale{field->at("minimum").numbers(dim), field->at("width").numbers(dim)};
  for (const double width : scale.width)
    if (width < 0) field->at("width").refuse("has a number below 0");
  return scale;
}

ColumnRange read_range(const JsonField& field, std::size_t dim) {
  return {field.at("lowest").numbers(dim), field.at("highest").numbers(dim)};
}

Provenance read_provenance(const JsonField& field, std::size_t dim) {
  constexpr std::size_t most = std::size_t{1} << 53;
  Provenance provenance{field.at("estimator").text(), field.at("sampler").text(), field.at("weights").text(), field.at("reason").text(),
                        std::nullopt};
  if (const auto found = field.maybe("calibration")) {
    ColumnRange range = read_range(*found, dim);
    provenance.calibration = Calibration{.error_before = found->at("error_before").number(),
                                         .error_after = found->at("error_after").number(),
                                         .even_ridge = found->at("even_ridge").number(),
                                         .odd_ridge = found->at("odd_ridge").number(),
                                         .n_pairs = found->at("n_pairs").count(0, most),
                                         .n_held_out_pairs = found->at("n_held_out_pairs").count(0, most),
                                         .seconds = 0,
                                         .lowest = std::move(range.lowest),
                                         .highest = std::move(range.highest)};
  }
  return provenance;
}

Certificate read_certificate(const JsonField& field) {
  constexpr std::size_t most = std::size_t{1} << 53;
  // JSON has no infinity: a bound without a limit was written as null.
  const auto bound = [&](const char* key) {
    const auto found = field.maybe(key);
    return found ? found->number() : std::numeric_limits<double>::infinity();
  };
  Certificate certificate;
  certificate.error = {bound("error"), bound("lower"), bound("upper"), field.at("n_rows").count(0, most),
                       field.at("n_pairs").count(0, most)};
  certificate.n_frequencies = field.at("n_frequencies").count(0, most);
  certificate.n_features = field.at("n_features").count(1, most);
  certificate.reached = field.at("reached").flag();
  return certificate;
}

HadamardBlocks read_structure(const JsonField& field, std::size_t dim, std::size_t n_atoms) {
  HadamardBlocks blocks;
  blocks.dim = dim;
  blocks.padded_dim = field.at("padded_dim").count(HadamardBlocks::least_padded_dim, HadamardBlocks::largest_padded_dim);
  blocks.scales = field.at("scales").numbers(n_atoms);
  if (n_atoms > most_structured_numbers / dim)
    field.refuse(fmt::format("has {} frequencies in {} dimensions, expected at most {} numbers", n_atoms, dim, most_structured_numbers));
  const JsonField signs = field.at("signs");
  for (const char sign : signs.text(std::size_t{1} << 29)) {
    if (sign != '+' && sign != '-') signs.refuse("has a character other than + and -");
    blocks.signs.push_back(sign == '+' ? 1 : -1);
  }
  return blocks;
}

SpectralAtoms read_atoms(const JsonField& file, std::size_t dim) {
  const Matrix<double> pairs = file.at("weights").matrix(2);
  std::vector<std::complex<double>> weights;
  for (std::size_t j = 0; j < pairs.rows(); ++j) weights.emplace_back(pairs(j, 0), pairs(j, 1));
  const Provenance provenance = read_provenance(file.at("provenance"), dim);
  if (const auto structure = file.maybe("structure")) {
    HadamardBlocks blocks = read_structure(*structure, dim, weights.size());
    return SpectralAtoms(std::move(blocks), std::move(weights)).with_provenance(provenance);
  }
  Matrix<double> frequencies = file.at("frequencies").matrix(dim);
  if (frequencies.rows() != weights.size())
    file.at("weights").refuse(fmt::format("has {} elements, expected {}, one per frequency", weights.size(), frequencies.rows()));
  return SpectralAtoms(std::move(frequencies), std::move(weights)).with_provenance(provenance);
}

NystromFactors read_nystrom(const JsonField& file, std::shared_ptr<const Kernel> kernel, std::size_t dim) {
  NystromFactors factors;
  factors.kernel = std::move(kernel);
  factors.landmarks = file.at("landmarks").matrix(dim);
  const JsonField left = file.at("left_factor"), right = file.at("right_factor");
  const std::size_t n_features = left.at(0).size();
  if (n_features == 0) left.refuse("has no columns");
  factors.left_factor = left.matrix(n_features);
  factors.right_factor = right.matrix(n_features);
  for (const auto& [field, matrix] : {std::pair{left, &factors.left_factor}, std::pair{right, &factors.right_factor}})
    if (matrix->rows() != factors.n_landmarks())
      field.refuse(fmt::format("has {} rows, expected {}, one per landmark", matrix->rows(), factors.n_landmarks()));
  return factors;
}

void check_header(const JsonField& file) {
  if (!file.value().is_object() || !file.maybe("format") || !file.at("format").value().is_string() ||
      file.at("format").text() != format_name)
    file.refuse("is not a feature file, expected one written by askrff choose");
  const std::size_t version = file.at("version").count(1, std::size_t{1} << 31);
  if (version > format_version)
    file.refuse(fmt::format("has version {}, this program knows versions up to {}; use a newer askrff", version, format_version));
}

}  // namespace

ColumnRange ColumnRange::of(MatrixView<const double> X) {
  ColumnRange range{{X.row(0).begin(), X.row(0).end()}, {X.row(0).begin(), X.row(0).end()}};
  for (std::size_t i = 1; i < X.rows(); ++i) {
    for (std::size_t j = 0; j < X.cols(); ++j) {
      range.lowest[j] = std::min(range.lowest[j], X(i, j));
      range.highest[j] = std::max(range.highest[j], X(i, j));
    }
  }
  return range;
}

std::size_t FeatureFile::rows_outside(MatrixView<const double> X) const {
  if (atoms && atoms->provenance().calibration) return atoms->provenance().calibration->rows_outside(X);
  if (!range) return 0;
  Calibration same_question;
  same_question.lowest = range->lowest;
  same_question.highest = range->highest;
  return same_question.rows_outside(X);
}

std::string feature_file_text(const FeatureFile& features) {
  if (features.atoms && features.atoms->structure() && features.atoms->size() > most_structured_numbers / features.dim)
    throw DataError("--out: the map has too many structured frequencies for a feature file; use fewer --frequencies");
  Json json = {{"format", format_name},
               {"version", format_version},
               {"kind", features.atoms ? "fourier" : "nystrom"},
               {"kernel", {{"name", features.kernel.name}, {"parameters", features.kernel.parameters_json(features.dim)}}},
               {"dim", features.dim},
               {"scale", nullptr},
               {"provenance", provenance_json(features)},
               {"certificate", certificate_json(features.certificate)}};
  if (features.scale) json["scale"] = {{"minimum", features.scale->minimum}, {"width", features.scale->width}};
  if (features.atoms) {
    add_atoms(json, *features.atoms);
  } else {
    json["landmarks"] = matrix_json(features.nystrom->landmarks);
    json["left_factor"] = matrix_json(features.nystrom->left_factor);
    json["right_factor"] = matrix_json(features.nystrom->right_factor);
  }
  std::string text;
  for (const auto& [key, value] : json.items()) text += fmt::format("{}\"{}\":{}", text.empty() ? "{" : ",\n", key, value.dump());
  text += "}\n";
  check_json_bounds("--out", text);
  return text;
}

FeatureFile read_feature_file(const std::string& path) {
  const nlohmann::json json = read_json_file(path);
  const JsonField file(path, json);
  check_header(file);
  FeatureFile features;
  features.dim = file.at("dim").count(1, max_dim);
  features.kernel = read_kernel(path, file.at("kernel"), features.dim);
  features.scale = read_scale(file, features.dim);
  features.certificate = read_certificate(file.at("certificate"));
  const JsonField provenance = file.at("provenance");
  features.reason = provenance.at("reason").text();
  if (const auto range = provenance.maybe("range")) features.range = read_range(*range, features.dim);
  const std::string kind = file.at("kind").text(20);
  try {
    if (kind == "fourier")
      features.atoms = read_atoms(file, features.dim);
    else if (kind == "nystrom")
      features.nystrom = read_nystrom(file, features.kernel.kernel, features.dim);
    else
      file.at("kind").refuse(fmt::format("is \"{}\", expected \"fourier\" or \"nystrom\"", kind));
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {  // what the library finds wrong with the numbers
    throw DataError(path + ": " + error.what());
  }
  return features;
}

}  // namespace askrff::cli
