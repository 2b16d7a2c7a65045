// askrff transform: rows of data → rows of features in a file or on standard output, block by block.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "askrff/data.hpp"
#include "askrff/errors.hpp"
#include "askrff/matrix_map.hpp"
#include "askrff/model.hpp"
#include "choice_report.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "feature_output.hpp"
#include "kernel_options.hpp"
#include "map_options.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "output_checks.hpp"
#include "stored_columns.hpp"

namespace askrff::cli {
namespace {

struct TransformOptions {
  KernelOptions kernel;
  DataOptions data;
  MapFlags map;
  FeatureSide side = FeatureSide::left;
  Precision type = Precision::float64;
  FeatureFormat format = FeatureFormat::npy;
  std::string features, out;
  bool transpose = false;
  CLI::Option *features_given = nullptr, *side_given = nullptr, *transpose_given = nullptr;
  Execution execution;
};

/// What was written, and what was seen on the way.
struct Written {
  std::uint64_t n_rows = 0;
  std::size_t dim = 0, n_features = 0;
  std::uint64_t n_outside = 0;
  double float32_error = 0;  ///< of the worst row
  double seconds = 0;
};

/// Memory: one block of rows and its features, however many there are.
template <class T>
void write_features(const TransformOptions& options, const Map& map, RowStream& rows, FeatureOutput& output, Written& written) {
  constexpr std::size_t max_rows = 4096, max_elements = std::size_t{1} << 24;
  const std::size_t n_features = map.n_features(options.side);
  const std::size_t block_rows = std::clamp<std::size_t>(max_elements / n_features, 1, max_rows);
  Matrix<T> out;
  for (RowBlock block; rows.next_as_is(block, block_rows);) {
    const RowsView<double>& X = block.X;
    if (out.rows() < X.rows()) out = Matrix<T>(X.rows(), n_features);
    const MatrixView<T> features = out.view().middle_rows(0, X.rows());
    map.transform<T, double>(options.side, X, features, options.execution);
    output.append(MatrixView<const T>(features));
    written.n_rows += X.rows();
    written.n_outside += map.rows_outside(X);
    if (options.type == Precision::float32) written.float32_error = std::max(written.float32_error, map.float32_error(X, false));
  }
}

/// What is written, whatever the features are of.
Json written_json(const TransformOptions& options, const Written& written) {
  return {{"rows", written.n_rows},
          {"n_features", written.n_features},
          {"side", name_of(options.side)},
          {"dtype", name_of(options.type)},
          {"out", options.out},
          {"out_format", name_of(options.format)},
          {"seconds", written.seconds},
          {"kernel", nullptr},
          {"parameters", nullptr},
          {"dim", written.dim},
          {"data", options.data.source}};
}

std::string written_text(const TransformOptions& options, const Written& written, const std::string& size) {
  const bool is_stream = FeatureOutput::is_stream(options.out);
  return fmt::format("{}: {} rows × {} {} features ({}), {}, in {:.3g} s\n", is_stream ? "standard output" : options.out, written.n_rows,
                     written.n_features, name_of(options.side), size, name_of(options.type), written.seconds);
}

Report report_of(const TransformOptions& options, Json json, std::string text) {
  Report report{.json = std::move(json), .text = std::move(text)};
  if (FeatureOutput::is_stream(options.out))
    report.to_standard_error = true;
  else
    report.files = {options.out};
  return report;
}

/// Goes through the rows for it, if they do not say so themselves.
std::uint64_t number_of_rows(RowStream& rows) {
  if (const auto known = rows.known_rows()) return *known;
  if (!rows.can_rewind())
    throw InvalidArgument("--out",
                          fmt::format("an NPY array starts with its number of rows, which {} does not tell before its end, so it cannot "
                                      "go to standard output; expected a file, or --out-format raw",
                                      rows.name()));
  std::uint64_t n_rows = 0;
  for (RowBlock block; rows.next_as_is(block);) n_rows += block.X.rows();
  rows.rewind();
  return n_rows;
}

Written write_all(const TransformOptions& options, const Map& map, RowStream& rows, std::chrono::steady_clock::time_point start) {
  const std::size_t n_features = map.n_features(options.side);
  std::optional<std::uint64_t> n_rows;
  if (FeatureOutput::needs_rows(options.out, options.format)) n_rows = number_of_rows(rows);
  FeatureOutput output(options.out, options.format, options.type, n_features, n_rows);
  Written written{.dim = rows.n_columns(), .n_features = n_features};
  if (options.type == Precision::float32)
    write_features<float>(options, map, rows, output, written);
  else
    write_features<double>(options, map, rows, output, written);
  output.finish();
  written.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return written;
}

void check_out(const TransformOptions& options) {
  if (!FeatureOutput::is_stream(options.out))
    check_files({{"--out", options.out}}, options.data.inputs({{"--features", options.features}}));
}

void check_side(const TransformOptions& options, const Map& map) {
  if (!given(options.side_given) && !map.feature_map().is_one_sided())
    throw InvalidArgument("--side", "missing, expected left or right: the two differ here");
  if (!map.has_side(options.side))
    throw InvalidArgument("--side",
                          "the map has left and right features only; classifier needs the Jordan parts of atoms drawn part by part");
}

/// Features of a map made here and now.
Report transform_drawn(const TransformOptions& options) {
  refuse_if_given(options.transpose_given, "only with --features, of a kernel matrix");
  if (options.kernel.is_matrix())
    throw InvalidArgument(
        "--kernel",
        "the features of a precomputed matrix are those of a stored map; write it with askrff choose --kernel precomputed "
        "--out FILE, then askrff transform --features FILE");
  options.map.check();
  const Estimator estimator = options.map.values.estimator;
  if (estimator == Estimator::nystrom || estimator == Estimator::best)
    throw InvalidArgument("--estimator",
                          "the map depends on the data, and left and right features need the same one; write it with askrff choose --out "
                          "FILE, then askrff transform --features FILE");
  if (!options.kernel.is_given())
    throw InvalidArgument("--kernel", "missing, expected a kernel, or --features with a file of askrff choose");
  const KernelChoice kernel = options.kernel.choice();
  check_out(options);
  const auto rows = options.data.rows(options.execution);

  const auto start = std::chrono::steady_clock::now();
  MapOptions how = options.map.resolved(rows->n_columns(), options.execution);
  how.scale = options.data.scale;
  how.certify = false;
  const Map map = make_map(kernel, *rows, how);
  check_side(options, map);
  rows->rewind();
  const Written written = write_all(options, map, *rows, start);
  warn_if_any(map.float32_warning(written.float32_error));
  warn_if_any(map.scaling_warning());

  const ChosenKernel chosen{map.content().kernel};
  const SpectralAtoms& atoms = *map.atoms();
  Json json = written_json(options, written);
  json["kernel"] = chosen.name;
  json["parameters"] = chosen.parameters_json(written.dim);
  json["scale"] = name_of(options.data.scale);
  json["frequencies_per_part"] = how.n_frequencies;
  json["n_frequencies"] = atoms.size();
  options.map.describe(json);
  json["estimator"] = atoms.provenance().estimator;
  json["parts"] = parts_json(atoms.parts());
  json["warning"] = warning_json(map);
  warn_if_any(map.accuracy_warning());
  const std::string parts = parts_text(atoms.parts());
  const std::string text = fmt::format("{}\n\n{}{}{}", chosen.title(written.dim), parts, parts.empty() ? "" : "\n",
                                       written_text(options, written, fmt::format("{} frequencies", atoms.size())));
  return report_of(options, std::move(json), text);
}

void check_stored(const TransformOptions& options) {
  const std::string reason = "--features brings its own";
  options.kernel.refuse_all(reason + " kernel");
  options.map.refuse_all_but_seed(reason + " map, nothing is drawn");
  options.map.refuse_seed(reason + " map, nothing is drawn");
  options.data.refuse_scale(reason + " scaling of the columns");
}

std::string size_text(const Map& map) {
  if (map.atoms()) return fmt::format("{} frequencies", map.n_frequencies());
  if (map.matrix()) return "rows of a kernel matrix";
  return map.nystrom() ? fmt::format("{} landmarks", map.n_landmarks()) : "the columns themselves";
}

/// The rows that a stored map is to transform: those of the data, or their columns, all of which are read then.
class StoredRows {
 public:
  StoredRows(const DataOptions& data, bool transpose, const Map& map, const Execution& execution) : stream_(data.open(execution)) {
    if (!transpose) return;
    columns_ = columns_as_rows(read_matrix(stream_, execution.stop).K, execution.stop);
    // LIBSVM does not say how many columns there are: with as many rows as a square K they are those of K, and the last ones may be all
    // zero.
    const std::size_t n_least = map.dim() == map.dim(FeatureSide::right) && columns_.cols() == map.dim() ? map.dim() : 0;
    while (columns_.is_sparse() && data.read.n_columns == 0 && columns_.rows() < n_least) columns_.sparse().add_row({}, {});
    turned_.emplace(columns_.view(), data.source);
  }
  RowStream& rows() { return turned_ ? static_cast<RowStream&>(*turned_) : stream_; }

 private:
  DataStream stream_;
  RowsMatrix<double> columns_;
  std::optional<MemoryRows> turned_;
};

/// Features of a map that askrff choose or askrff train has written.
Report transform_stored(const TransformOptions& options) {
  check_stored(options);
  const Map map = load_map(options.features);
  check_side(options, map);
  check_out(options);
  if (!map.matrix()) refuse_if_given(options.transpose_given, "only for maps of a kernel matrix, this one takes rows of data");
  DataOptions data = options.data;
  if (!options.transpose) data.read.libsvm_columns = map.dim(options.side);  // the last ones may be all zero
  StoredRows stored(data, options.transpose, map, options.execution);
  RowStream& rows = stored.rows();
  check_stored_columns(options.data, rows.n_columns(), rows.column_names(), map, options.features, options.side);

  const auto start = std::chrono::steady_clock::now();
  const Written written = write_all(options, map, rows, start);
  warn_if_any(map.float32_warning(written.float32_error));
  warn_if_any(Map::outside_warning(written.n_outside, written.n_rows));
  const ChosenKernel kernel{map.content().kernel};
  Json json = written_json(options, written);
  if (!kernel.name.empty()) {
    json["kernel"] = kernel.name;
    json["parameters"] = kernel.parameters_json(written.dim);
  }
  const bool is_scaled = map.content().scaler.kind != Scaling::none;
  json["features"] = options.features;
  json["kind"] = map.kind();
  json["scale"] = is_scaled ? "stored" : "none";
  json["n_frequencies"] = map.n_frequencies();
  json["rows_outside"] = written.n_outside;
  json["certificate"] = map.content().certificate ? certificate_json(*map.content().certificate) : Json(nullptr);
  json["warning"] = warning_json(map);
  warn_if_any(map.accuracy_warning());
  const std::string text = fmt::format("{}map {}{}\n\n{}", kernel.name.empty() ? "" : kernel.title(written.dim) + "\n", options.features,
                                       is_scaled ? ", columns scaled as for its data" : "", written_text(options, written, size_text(map)));
  return report_of(options, std::move(json), text);
}

}  // namespace

Command add_transform(CLI::App& app) {
  CLI::App* parser =
      add_subcommand(app, "transform", "Rows of data → features, block by block, in an NPY file or a stream; K(X,Y) ≈ left(X)·right(Y)ᵀ");
  auto options = std::make_shared<TransformOptions>();
  options->features_given = add_text(*parser, "--features", options->features,
                                     "A map written by askrff choose, or a model, instead of --kernel and the options of\n"
                                     "Map; it brings its scaling of the columns, too",
                                     "FILE");
  options->kernel.add_to(*parser);
  options->kernel.make_optional();
  options->data.add_to(*parser, "Fitted on this file alone: two files are\ncomparable only if scaled together beforehand.");
  options->data.require();
  options->map.add_size(*parser);
  options->map.add_seed(*parser);
  options->map.add_method(*parser);
  options->side_given = add_word(*parser, "--side", options->side,
                                 "Which features; needed unless the kernel is symmetric and positive definite, where left\n"
                                 "and right are the same.");
  options->transpose_given = add_flag(*parser, "--transpose", options->transpose,
                                      "Columns of the file are what is transformed, all of it read into memory: of a kernel matrix\n"
                                      "--side right takes columns of K, and the file holds its rows. LIBSVM: as many columns as K\n"
                                      "has, if it is square, else those that are not empty, unless --columns says how many");
  required(add_text(*parser, "--out", options->out,
                    "The file to write, which appears when it is complete; - is standard output, and the report goes to\nstandard error",
                    "FILE"));
  add_word(*parser, "--out-format", options->format, "What is written.");
  add_word(*parser, "--dtype", options->type, "Type of the numbers written; float32 also rounds the data first.");
  add_threads(*parser, options->execution);
  add_footer(
      *parser,
      "Left and right belong together only if kernel, frequencies, seed, estimator, sampler and weights are the same. Subset and "
      "calibrated\n"
      "weights, the auto estimator, allocation by variance and the samplers quadrature, ridge and grid look at --data, so there the data "
      "must be "
      "the\n"
      "same too; for data that comes in several files write a map with askrff choose and give it as --features.\n"
      "Files of any size: one block of rows and its features are in memory. With --features they are read once, from a pipe too; else "
      "twice,\n"
      "and a pipe is read into memory.\n"
      "Two columns per frequency: the cosines of all frequencies, then their sines.\n"
      "Examples:\n"
      "  askrff choose --data train.csv --kernel shift-gaussian --tolerance 1e-2 --out map.askrff\n"
      "  askrff transform --features map.askrff --data train.csv --side left --out left.npy\n"
      "  askrff transform --features map.askrff --data test.csv --side right --out right.npy\n"
      "  askrff transform --data train.csv --kernel shift-gaussian --frequencies 512 --side left --out left.npy\n"
      "  askrff transform --features K.askrff --data K.npy --transpose --side right --out right.npy\n"
      "  zcat rows.csv.gz | askrff transform --features map.askrff --data - --side left --out - --out-format raw | ./consumer");
  return {parser, [options] { return given(options->features_given) ? transform_stored(*options) : transform_drawn(*options); }};
}

}  // namespace askrff::cli
