// The paper's data sets, ready for its experiments: classes -1 and +1, the split of every trial, scaling. The sources of these choices: the
// paper's section 5 (sizes, normalised to [0,1]^d, random partition) and docs/datasets.md (what the files need before that).
#include "experiments/datasets/paper_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "askrff/random.hpp"
#include "askrff/rows.hpp"
#include "experiments/datasets/catalogue.hpp"
#include "experiments/datasets/content.hpp"
#include "experiments/datasets/places.hpp"
#include "experiments/datasets/sha256.hpp"

namespace askrff::experiments {
namespace {

constexpr std::uint32_t negative = 0, positive = 1;  // their numbers in ClassLabels

ClassLabels no_rows() { return {.names = {"-1", "+1"}, .of_rows = {}}; }

/// The rows of all files one after the other, with binary classes.
LabelledRows joined(const std::vector<CatalogueFile>& files, const std::vector<std::filesystem::path>& paths, const Execution& execution) {
  LabelledRows rows{{}, no_rows()};
  std::size_t n_rows = 0;
  for (const CatalogueFile& file : files) n_rows += file.content.n_rows;
  for (std::size_t i = 0; i < files.size(); ++i) {
    NumberedRows part = read_verified(paths[i], files[i], execution);
    const std::size_t first = rows.labels.of_rows.size();
    for (const double label : part.labels) rows.labels.of_rows.push_back(is_positive(files[i].labels, label) ? positive : negative);
    if (files.size() == 1) {
      rows.X = std::move(part.X);
      break;
    }
    if (i == 0) rows.X = Matrix<double>(n_rows, part.X.cols());
    std::copy_n(part.X.data(), part.X.rows() * part.X.cols(), rows.X.row(first).data());
  }
  return rows;
}

std::string content_sha256(const PaperData& data) {
  ContentDigest digest;
  for (const LabelledRows* rows : {&data.training, &data.test}) {
    if (rows->X.rows() == 0) continue;
    std::vector<double> signs;
    for (const std::uint32_t label : rows->labels.of_rows) signs.push_back(label == positive ? 1 : -1);
    digest.add(rows->X, signs);
  }
  return digest.finish();
}

LabelledRows selected(const LabelledRows& from, std::span<const std::size_t> rows) {
  LabelledRows out{take_rows(from.X, rows), no_rows()};
  for (const std::size_t row : rows) out.labels.of_rows.push_back(from.labels.of_rows[row]);
  return out;
}

/// All rows in their order, or `most` of them in a random one.
LabelledRows some_rows(const LabelledRows& from, std::size_t most, std::uint64_t seed) {
  if (most == 0 || most >= from.X.rows()) return from;
  return selected(from, choose_rows(from.X.rows(), most, seed, Purpose::trial_rows));
}

/// Rows that come without a split: a random order, cut in two.
TrialRows split(const PaperData& data, std::uint64_t seed, std::size_t most) {
  const DatasetRecord& record = data.record;
  const auto order = choose_rows(data.training.X.rows(), record.n_training + record.n_test, seed, Purpose::trial_rows);
  const std::span<const std::size_t> training = std::span(order).first(record.n_training),
                                     test = std::span(order).subspan(record.n_training);
  const auto at_most = [most](std::size_t n) { return most == 0 ? n : std::min(n, most); };
  return {selected(data.training, training.first(at_most(training.size()))), selected(data.training, test.first(at_most(test.size())))};
}

}  // namespace

const std::vector<std::string>& paper_dataset_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const CatalogueEntry& entry : catalogue()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

std::optional<PaperData> find_paper_data(const std::string& name, const DataPlaces& places, const Execution& execution) {
  const CatalogueEntry& entry = catalogue_entry(name);
  const auto found = find_copy(entry, searched_folders(places));
  if (!found) return std::nullopt;
  const CatalogueCopy& copy = *found->copy;
  PaperData data;  // member by member: what reading throws must not meet a half-made aggregate (GCC 12 destroys its parts twice)
  data.training = joined(copy.training, found->training, execution);
  data.test = joined(copy.test, found->test, execution);
  data.record.name = entry.name;
  data.record.origin = copy.origin;
  data.record.dim = data.training.X.cols();
  data.record.n_training = entry.n_training;
  data.record.n_test = entry.n_test;
  data.record.content_sha256 = content_sha256(data);
  for (const std::filesystem::path& path : found->paths())
    data.record.files.push_back({.name = path.filename().string(), .sha256 = sha256_of_file(path)});
  return data;
}

PaperData built_in_data(std::size_t n_rows) {
  constexpr double training_share = 2760.0 / 4601.0;  // spambase
  if (n_rows < 2) throw std::invalid_argument(fmt::format("built_in_data: got {} rows, expected at least 2 to split", n_rows));
  Dataset moons = read_data(fmt::format("builtin:moons:{}", n_rows));
  PaperData data;
  data.record.name = "builtin:moons";
  data.record.origin = "two half circles in the plane with noise, generated; every trial shuffles and splits them 3 : 2";
  data.record.dim = moons.X.cols();
  data.record.is_built_in = true;
  data.training = {std::move(moons.X), no_rows()};
  data.test.labels = no_rows();
  data.record.n_training = std::max<std::size_t>(1, static_cast<std::size_t>(training_share * static_cast<double>(n_rows) + 0.5));
  data.record.n_test = n_rows - data.record.n_training;
  for (const std::string& label : moons.labels) data.training.labels.of_rows.push_back(label == "+1" ? positive : negative);
  data.record.content_sha256 = content_sha256(data);
  return data;
}

TrialRows rows_of_trial(const PaperData& data, std::uint64_t seed, std::size_t max_rows) {
  const bool has_split = data.test.X.rows() > 0;
  // Of the source's own parts each has a stream of its own: rows of the same number have nothing to do with each other.
  TrialRows rows = has_split ? TrialRows{some_rows(data.training, max_rows, seed), some_rows(data.test, max_rows, derive_seed(seed, 1))}
                             : split(data, seed, max_rows);
  const Scaler scaler = Scaler::fitted_to(rows.training.X, Scaling::minmax);
  scaler.apply(rows.training.X);
  scaler.apply(rows.test.X);
  return rows;
}

}  // namespace askrff::experiments
