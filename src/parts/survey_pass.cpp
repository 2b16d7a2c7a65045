// The first pass: how many rows of every class each part has, their weights, the ranges of columns, and the first row.
#include "parts/survey_pass.hpp"

#include "io/sum_records.hpp"

namespace askrff::parts {
namespace {

class Survey final : public Pass {
 public:
  Survey(const io::Records& task, PartContext& context)
      : context_(context), result_(context.facts, io::read_word<Scaling>(task, "scaling")) {
    result_.n_of_part.emplace_back(context.facts.n_counted());
  }

  void add(const PartRows& rows) override {
    const RowBlock& block = rows.block;
    result_.columns.add(block.X, context_.execution.stop);
    for (std::size_t i = 0; i < block.X.rows(); ++i) {
      const std::size_t k = rows.classes.empty() ? 0 : rows.classes[i];
      ++result_.n_of_part[0][k];
      result_.totals[k].add(block.weights.empty() ? 1 : block.weights[i]);
    }
    if (!result_.first_row.empty() || block.X.rows() == 0) return;
    result_.first_row.assign(block.X.dense().row(0).begin(), block.X.dense().row(0).end());
    if (!block.label_numbers.empty())
      result_.first_label.assign(block.label_numbers.begin(),
                                 block.label_numbers.begin() + static_cast<std::ptrdiff_t>(context_.facts.n_targets));
  }
  void finish(io::RecordWriter& result) override { result_.write(result); }

 private:
  const PartContext& context_;
  PartSurvey result_;
};

std::unique_ptr<Pass> begin(const io::Records& task, PartContext& context) { return std::make_unique<Survey>(task, context); }

void join(const std::vector<io::Records>& results, const PartContext&, io::RecordWriter& joined) {
  PartSurvey all = PartSurvey::read(results[0]);
  for (std::size_t i = 1; i < results.size(); ++i) all.merge(PartSurvey::read(results[i]));
  all.write(joined);
}

}  // namespace

const PassKind survey_pass{"survey", &begin, &join};

void PartSurvey::merge(const PartSurvey& next) {
  if (next.totals.size() != totals.size()) throw InvalidArgument("join_results", "surveys of different classes, expected the same");
  columns.merge(next.columns);
  n_of_part.insert(n_of_part.end(), next.n_of_part.begin(), next.n_of_part.end());
  hashes.insert(hashes.end(), next.hashes.begin(), next.hashes.end());
  for (std::size_t k = 0; k < totals.size(); ++k) totals[k].add(next.totals[k]);
  if (first_row.empty()) {
    first_row = next.first_row;
    first_label = next.first_label;
  }
}

void PartSurvey::write(io::RecordWriter& file) const {
  columns.write(file, "columns");
  std::vector<std::uint64_t> counts;
  for (const auto& of_part : n_of_part) counts.insert(counts.end(), of_part.begin(), of_part.end());
  file.counts("counts", counts, totals.size());
  if (!hashes.empty()) file.counts("hashes", hashes, 1);  // that of one part stands in every result
  io::write_sums(file, "totals", totals);
  file.numbers("first-row", first_row);
  file.numbers("first-label", first_label);
}

PartSurvey PartSurvey::read(const io::Records& file) {
  PartSurvey survey;
  survey.columns = io::ColumnSums::read(file, "columns");
  const std::size_t n_parts = file.counts("parts", io::any_size, 1).size();
  const auto counts = file.counts("counts", n_parts, io::any_size);
  const std::size_t n_counted = counts.size() / n_parts;
  survey.hashes = file.has("hashes") ? file.counts("hashes", n_parts, 1) : std::vector<std::uint64_t>{file.count("hash")};
  if (survey.hashes.size() != n_parts) file.refuse("hashes", "is not one for each part");
  for (std::size_t i = 0; i < n_parts; ++i)
    survey.n_of_part.emplace_back(counts.begin() + static_cast<std::ptrdiff_t>(i * n_counted),
                                  counts.begin() + static_cast<std::ptrdiff_t>((i + 1) * n_counted));
  survey.totals = io::read_sums(file, "totals", n_counted);
  survey.first_row = file.numbers("first-row");
  survey.first_label = file.numbers("first-label");
  if (!survey.first_row.empty() && survey.first_row.size() != survey.columns.n_columns())
    file.refuse("first-row", "is not as wide as the rows");
  return survey;
}

}  // namespace askrff::parts
