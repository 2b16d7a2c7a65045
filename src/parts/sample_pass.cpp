// The second pass: rows drawn by their numbers among all, which are known now, and what quantiles of columns are found from.
#include "parts/sample_pass.hpp"

namespace askrff::parts {
namespace {

class Sample final : public Pass {
 public:
  Sample(const io::Records& task, PartContext& context)
      : context_(context),
        sample_(context.facts.n_columns, false, context.facts.n_targets, task.count("seed"), task.count("reserved"),
                context.start.first_row()) {
    if (task.count("quantiles", 0, 1) == 1) quantiles_.emplace(context.facts.n_columns, context.start.first_row());
  }
  void add(const PartRows& rows) override {
    sample_.add(rows.block);
    if (quantiles_) quantiles_->add(rows.block.X.dense(), context_.execution.stop);
  }
  void finish(io::RecordWriter& result) override {
    sample_.write(result);
    if (quantiles_) quantiles_->write(result, "quantiles");
  }

 private:
  const PartContext& context_;
  pipeline::RowSample sample_;
  std::optional<io::ColumnQuantiles> quantiles_;
};

std::unique_ptr<Pass> begin(const io::Records& task, PartContext& context) { return std::make_unique<Sample>(task, context); }

void join(const std::vector<io::Records>& results, const PartContext&, io::RecordWriter& joined) {
  pipeline::RowSample all = pipeline::RowSample::read(results[0]);
  auto quantiles = quantiles_in(results[0]);
  for (std::size_t i = 1; i < results.size(); ++i) {
    all.merge(pipeline::RowSample::read(results[i]));
    const auto others = quantiles_in(results[i]);
    if (others.has_value() != quantiles.has_value()) results[i].refuse("quantiles/rows", "is in some results only");
    if (quantiles) quantiles->merge(*others);
  }
  all.write(joined);
  if (quantiles) quantiles->write(joined, "quantiles");
}

}  // namespace

const PassKind sample_pass{"sample", &begin, &join};

std::optional<io::ColumnQuantiles> quantiles_in(const io::Records& file) {
  if (!file.has("quantiles/rows")) return std::nullopt;
  return io::ColumnQuantiles::read(file, "quantiles");
}

}  // namespace askrff::parts
