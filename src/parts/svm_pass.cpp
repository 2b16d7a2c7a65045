// A pass of the SVM over the rows of a part, on features that are made again.
#include "parts/svm_pass.hpp"

#include <optional>
#include <utility>

namespace askrff::parts {
namespace {

using models::SvmPassSums;
using models::SvmPassTask;

SvmPassTask svm_task_in(const io::Records& file, const RowFacts& facts) {
  SvmPassTask task;
  const auto shape = file.counts("svm/problems", 1, 4);
  constexpr std::uint64_t max_folds = 1000;
  if (shape[0] != facts.classes.size() || shape[1] > max_folds || shape[3] > max_folds)
    file.refuse("svm/problems", "holds numbers out of range");
  task.problems = {shape[0], shape[1]};
  task.has_bias = shape[2] != 0;
  task.n_grams = shape[3];
  const auto matrix = [&](const char* key) { return file.matrix(key, io::any_size, io::any_size); };
  const auto counts = [&](const char* key) { return file.counts(key, io::any_size, 1); };
  task.weights = matrix("svm/weights");
  task.of = counts("svm/of");
  task.full = counts("svm/full");
  task.change = counts("svm/change");
  task.since = matrix("svm/since");
  task.score = matrix("svm/score");
  return task;
}

void write_sums(io::RecordWriter& file, const SvmPassSums& sums) {
  file.count("svm/rows", sums.n_rows);
  file.matrix("svm/row-weights", sums.row_weights);
  file.numbers("svm/losses", sums.losses);
  file.matrix("svm/pulls", sums.pulls);
  file.matrix("svm/full", sums.full);
  file.matrix("svm/change", sums.change);
  file.matrix("svm/grams", sums.grams);
  file.numbers("svm/right", sums.right);
}

/// With features of type T.
template <class T>
class Svm final : public Pass {
 public:
  Svm(const io::Records& file, const PartContext& context)
      : Svm(svm_task_in(file, context.facts), Map::from_bytes(file.text("map"), file.name(), kernel_for(file, context.kernel)),
            context.execution) {
    if (n_folds_ == 0) return;
    dealer_.emplace(n_folds_, file.count("seed"));
    for (std::size_t k = 0; k < context.start.n_before.size(); ++k) dealer_->skip(context.start.n_before[k], static_cast<std::uint32_t>(k));
  }

  void add(const PartRows& rows) override {
    std::vector<std::uint32_t> folds;
    for (std::size_t i = 0; dealer_ && i < rows.classes.size(); ++i) folds.push_back(dealer_->next(rows.classes[i]));
    Matrix<T> storage;
    pass_.add(map_.scaled<T, double>(rows.block.X.dense(), storage), rows.classes, folds, rows.labels.weights());
  }
  void finish(io::RecordWriter& result) override { write_sums(result, pass_.finish()); }

 private:
  Svm(const SvmPassTask& task, Map map, const Execution& execution)
      : map_(std::move(map)), pass_(map_.features(execution.backend), task, execution), n_folds_(task.problems.n_folds) {}

  Map map_;
  models::SvmPass<T> pass_;
  std::size_t n_folds_;
  std::optional<FoldDealer> dealer_;
};

std::unique_ptr<Pass> begin(const io::Records& task, PartContext& context) {
  if (io::read_word<Precision>(task, "precision") == Precision::float32) return std::make_unique<Svm<float>>(task, context);
  return std::make_unique<Svm<double>>(task, context);
}

void join(const std::vector<io::Records>& results, const PartContext&, io::RecordWriter& joined) {
  SvmPassSums all = svm_sums_in(results[0]);
  for (std::size_t i = 1; i < results.size(); ++i) all.add(svm_sums_in(results[i]));
  write_sums(joined, all);
}

}  // namespace

const PassKind svm_pass{"svm", &begin, &join};

void write_svm_task(io::RecordWriter& file, const SvmPassTask& task) {
  file.counts("svm/problems",
              std::vector<std::uint64_t>{task.problems.n_classes, task.problems.n_folds, task.has_bias ? 1u : 0u, task.n_grams}, 4);
  file.matrix("svm/weights", task.weights);
  file.counts("svm/of", task.of, 1);
  file.counts("svm/full", task.full, 1);
  file.counts("svm/change", task.change, 1);
  file.matrix("svm/since", task.since);
  file.matrix("svm/score", task.score);
}

SvmPassSums svm_sums_in(const io::Records& file) {
  const auto matrix = [&](const char* key) { return file.matrix(key, io::any_size, io::any_size); };
  SvmPassSums sums;
  sums.n_rows = file.count("svm/rows");
  sums.row_weights = matrix("svm/row-weights");
  sums.losses = file.numbers("svm/losses");
  sums.pulls = matrix("svm/pulls");
  sums.full = matrix("svm/full");
  sums.change = matrix("svm/change");
  sums.grams = matrix("svm/grams");
  sums.right = file.numbers("svm/right");
  return sums;
}

}  // namespace askrff::parts
