// Plans of ridge regression in parts: the model of the sums is that of train() on all rows, to the byte; what does not belong together is
// refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "askrff/plan.hpp"
#include "pipeline/record_editor.hpp"
#include "pipeline/training_data.hpp"
#include "support/temporary_folder.hpp"

namespace askrff::test {
namespace {

/// Rows in memory with labels as text and, if wanted, weights, cut into parts.
struct Table {
  Matrix<double> X;
  std::vector<std::string> labels;
  std::vector<double> weights = {};
  bool is_sparse = false;  ///< whether streams of it are

  Table rows(std::size_t first, std::size_t end) const {
    Table some{Matrix<double>(end - first, X.cols()), {labels.begin() + first, labels.begin() + end}, {}, is_sparse};
    for (std::size_t i = first; i < end; ++i) std::ranges::copy(X.row(i), some.X.row(i - first).begin());
    if (!weights.empty()) some.weights.assign(weights.begin() + first, weights.begin() + end);
    return some;
  }
};

/// A stream of a table whose parts end before the rows `ends`.
class TableStream final : public RowStream {
 public:
  TableStream(Table table, std::vector<std::size_t> ends, bool can_rewind = true)
      : table_(std::move(table)), ends_(std::move(ends)), can_rewind_(can_rewind) {}

  const std::string& name() const override { return name_; }
  std::size_t n_columns() const override { return table_.X.cols(); }
  const std::vector<std::string>& column_names() const override { return column_names_; }
  bool has_labels() const override { return true; }
  bool can_rewind() const override { return can_rewind_; }
  bool is_sparse() const override { return table_.is_sparse; }
  void rewind() override { next_ = part_ = 0; }
  std::vector<std::string> part_names() const override {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < ends_.size(); ++i) names.push_back("part " + std::to_string(i));
    return names;
  }
  std::size_t part() const override { return part_; }
  std::vector<std::string> column_names_;

 private:
  void read_block(RowBlock& block, std::size_t max_rows) override {
    while (part_ < ends_.size() && next_ == ends_[part_]) ++part_;
    if (part_ == ends_.size()) return;
    const std::size_t end = std::min({ends_[part_], next_ + max_rows, next_ + 100});
    block_ = table_.rows(next_, end);
    sparse_block_ = SparseMatrix<double>::of(block_.X);
    block.X = table_.is_sparse ? RowsView<double>(sparse_block_) : RowsView<double>(block_.X);
    block.labels = block_.labels;
    block.weights = block_.weights;
    next_ = end;
  }

  std::string name_ = "table";
  Table table_, block_;
  SparseMatrix<double> sparse_block_;
  std::vector<std::size_t> ends_;
  bool can_rewind_;
  std::size_t next_ = 0, part_ = 0;
};

constexpr std::size_t n_all = 700;

Table table_of_classes() {
  const LabelledRows rows = rings(n_all, 3, 4);
  Table table{rows.X, {}};
  for (const std::string& text : rows.texts) table.labels.push_back("ring " + text);
  return table;
}

Table table_of_numbers() {
  const LabelledRows rows = waves(n_all, 5);
  Table table{rows.X, {}};
  for (const double y : rows.numbers) table.labels.push_back(std::to_string(1000 + y));
  return table;
}

TrainOptions options_of(std::vector<double> c = {}) {
  return {.kernel = "shift-gaussian",
          .features = {.n_frequencies = 12, .weights = Weights::exact, .scale = Scaling::minmax},
          .trainer = Trainer::ridge,
          .c = std::move(c),
          .n_folds = 4,
          .seed = 7};
}

/// A table cut into parts, with its plan.
struct Job {
  Table table;
  std::vector<std::size_t> ends;
  TrainOptions options;
  NewRidgePlan plan = [this] {
    TableStream rows(table, ends);
    return plan_ridge(rows, options);
  }();

  std::size_t begin(std::size_t part) const { return part == 0 ? 0 : ends[part - 1]; }
  Table part(std::size_t i) const { return table.rows(begin(i), ends[i]); }
  PlannedSums sums(std::size_t i, Execution execution = {}) const {
    TableStream rows(part(i), {ends[i] - begin(i)});
    return sums_of_part(plan, i, rows, execution);
  }
  /// Through bytes, as on another machine.
  PlannedSums sent(std::size_t i) const { return PlannedSums::from_bytes(sums(i).to_bytes()); }
  PlannedSums merged(const std::vector<std::size_t>& order) const {
    PlannedSums all = sent(order[0]);
    for (std::size_t k = 1; k < order.size(); ++k) all.merge(sent(order[k]));
    return all;
  }
  std::vector<std::size_t> all_parts() const {
    std::vector<std::size_t> order(ends.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    return order;
  }
  TrainedModel trained(bool probabilities = true, bool leave_one_out = false) const {
    TableStream rows(table, {n_all});
    TrainOptions wanted = options;
    wanted.probabilities = probabilities;
    wanted.leave_one_out = leave_one_out;
    return train(rows, wanted);
  }
  SolveOptions solving(bool probabilities, bool leave_one_out) const {
    return {.probabilities = probabilities, .leave_one_out = leave_one_out, .open_part = [this](std::size_t i) {
              return std::make_unique<TableStream>(part(i), std::vector{ends[i] - begin(i)});
            }};
  }
};

/// The message of what a call throws.
template <class Wrong, class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const Wrong& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::vector<std::vector<std::size_t>> cuts{{700}, {300, 700}, {1, 1, 350, 700}, {0, 100, 200, 200, 399, 650, 700}, {699, 700, 700}};

TEST(RidgePlan, TheModelIsThatOfAllRows) {
  for (const bool is_regression : {false, true})
    for (const std::vector<double>& c : {std::vector<double>{}, {0.5, 8}, {2}}) {
      const Table table = is_regression ? table_of_numbers() : table_of_classes();
      const std::string expected = Job{table, {n_all}, options_of(c)}.trained(false).to_bytes();
      for (const auto& ends : cuts) {
        const Job job{table, ends, options_of(c)};
        EXPECT_EQ(job.merged(job.all_parts()).solve().to_bytes(), expected);
        std::vector<std::size_t> backwards = job.all_parts();
        std::ranges::reverse(backwards);
        EXPECT_EQ(job.merged(backwards).solve().to_bytes(), expected);
      }
    }
}

// Planned on sparse rows; parts may come sparse or dense.
TEST(RidgePlan, SparseRows) {
  Table table = table_of_numbers();
  for (std::size_t i = 0; i < n_all; i += 3) table.X(i, 0) = 0;
  table.is_sparse = true;
  Job job{table, cuts[3], options_of({0.5, 8})};
  const std::string expected = job.trained(false).to_bytes();
  EXPECT_EQ(job.merged(job.all_parts()).solve().to_bytes(), expected);
  job.table.is_sparse = false;
  EXPECT_EQ(job.merged(job.all_parts()).solve().to_bytes(), expected);
}

TEST(RidgePlan, OtherOptions) {
  TrainOptions options = options_of({0.5, 8});
  options.bias = false;
  options.precision = Precision::float32;
  options.class_weights = {.balanced = true};
  options.tuned = {"sigma"};
  options.features.scale = Scaling::standard;
  const Job job{table_of_classes(), cuts[3], options};
  EXPECT_TRUE(job.plan.report.tuning.has_value());
  EXPECT_EQ(job.merged(job.all_parts()).solve().to_bytes(), job.trained(false).to_bytes());
  options.tuned = {};
  options.kernel = "linear";
  const Job linear{table_of_classes(), cuts[3], options};
  EXPECT_EQ(linear.merged(linear.all_parts()).solve().to_bytes(), linear.trained(false).to_bytes());
  options.kernel = "gaussian";
  options.features = {.estimator = Estimator::nystrom, .n_features = 16, .scale = Scaling::minmax};
  const Job landmarks{table_of_classes(), cuts[2], options};
  EXPECT_EQ(landmarks.merged(landmarks.all_parts()).solve().to_bytes(), landmarks.trained(false).to_bytes());
}

TEST(RidgePlan, WeightsOfRows) {
  Table table = table_of_classes();
  for (std::size_t i = 0; i < n_all; ++i) table.weights.push_back(static_cast<double>(i % 4));  // one in four is left out
  for (const auto& ends : cuts) {
    const Job job{table, ends, options_of()};
    EXPECT_EQ(job.plan.n_rows(), n_all * 3 / 4);
    EXPECT_EQ(job.merged(job.all_parts()).solve().to_bytes(), job.trained(false).to_bytes());
  }
}

TEST(RidgePlan, OneMorePassGivesWhatSumsDoNotHave) {
  const Job job{table_of_classes(), cuts[3], options_of()};
  PlannedSums sums = job.merged(job.all_parts());
  EXPECT_EQ(sums.solve(job.solving(true, false)).to_bytes(), job.trained().to_bytes());
  const TrainedModel model = sums.solve(job.solving(true, true)), expected = job.trained(true, true);
  EXPECT_EQ(model.to_bytes(), expected.to_bytes());
  EXPECT_EQ(model.report.loo_accuracy, expected.report.loo_accuracy);
  EXPECT_EQ(model.report.loo_rmse, expected.report.loo_rmse);
}

TEST(RidgePlan, RowsOfThatPassAreCompared) {
  const Job job{table_of_classes(), cuts[1], options_of()};
  SolveOptions how = job.solving(true, false);
  how.open_part = [&](std::size_t i) {
    Table part = job.part(i);
    if (i == 1) part.X(5, 0) += 1e-9;
    return std::make_unique<TableStream>(std::move(part), std::vector{job.ends[i] - job.begin(i)});
  };
  EXPECT_TRUE(contains(refusal<DataError>([&] { job.merged({0, 1}).solve(how); }), "are not those the plan has seen in part 2"));
}

TEST(RidgePlan, OtherValuesOfC) {
  const Job job{table_of_numbers(), cuts[1], options_of()};
  PlannedSums sums = job.merged({0, 1});
  const std::string of_grid = Job{table_of_numbers(), cuts[1], options_of({0.5, 8})}.trained().to_bytes();
  EXPECT_EQ(sums.solve({.c = std::vector<double>{0.5, 8}}).to_bytes(), of_grid);
  EXPECT_EQ(sums.solve({.c = std::vector<double>{3}}).training.c, 3);
  const Job one{table_of_numbers(), cuts[1], options_of({1})};
  PlannedSums of_one = one.merged({1, 0});
  EXPECT_EQ(of_one.solve({.c = std::vector<double>{4}}).to_bytes(),
            (Job{table_of_numbers(), cuts[1], options_of({4})}.trained().to_bytes()));
  EXPECT_TRUE(contains(refusal<InvalidArgument>([&] { of_one.solve({.c = std::vector<double>{1, 2}}); }), "no folds"));
  EXPECT_THROW(of_one.solve({.c = std::vector<double>{}}), InvalidArgument);
  EXPECT_THROW(sums.solve({.c = std::vector<double>{-1}}), std::invalid_argument);
  EXPECT_THROW(sums.solve(job.solving(true, false)), InvalidArgument);  // probabilities of numbers
  EXPECT_THROW(sums.solve({.leave_one_out = true}), InvalidArgument);   // no rows
}

TEST(RidgePlan, PartsAreCountedOnce) {
  const Job job{table_of_classes(), cuts[3], options_of()};
  const std::string expected = job.trained(false).to_bytes();
  PlannedSums all = job.merged({4, 1, 4, 2, 0, 5, 3, 6, 1});
  EXPECT_EQ(all.n_rows(), n_all);
  all.merge(job.merged({1, 2, 4}));
  EXPECT_EQ(all.solve().to_bytes(), expected);
  PlannedSums small = job.sums(1);
  small.merge(job.merged({0, 1, 2, 4}));  // which has it already
  small.merge(job.merged({6, 5}));
  EXPECT_EQ(small.solve().to_bytes(), expected);
  PlannedSums left = job.merged({1, 2});
  EXPECT_TRUE(contains(refusal<InvalidArgument>([&] { left.merge(job.merged({2, 4})); }), "part 3 in both, part 2 only in one"));
  EXPECT_EQ(left.n_rows(), 200u);
}

TEST(RidgePlan, WhatIsMissingIsNamed) {
  const Job job{table_of_classes(), cuts[3], options_of()};
  PlannedSums some = job.merged({1, 5});
  EXPECT_EQ(some.missing(), (std::vector<std::size_t>{2, 4, 6}));  // 0 and 3 have no rows
  EXPECT_EQ(some.missing_text(), "parts 3,5,7 of 7");
  EXPECT_FALSE(some.has(2));
  EXPECT_TRUE(some.has(3));
  const std::string why = refusal<InvalidArgument>([&] { some.solve(); });
  EXPECT_TRUE(contains(why, "parts 3,5,7 of 7")) << why;
  EXPECT_TRUE(contains(why, "351 of 700 rows")) << why;
  EXPECT_TRUE(contains(why, "part 2, part 4, part 6")) << why;
  EXPECT_EQ(job.sums(0).missing_text(), "parts 2-3,5-7 of 7");
}

TEST(RidgePlan, TellsWhatItHolds) {
  const Job job{table_of_classes(), {100, 100, 700}, options_of()};
  const RidgePlan plan = RidgePlan::from_bytes(job.plan.to_bytes());
  EXPECT_EQ(plan.to_bytes(), job.plan.to_bytes());
  ASSERT_EQ(plan.parts().size(), 3u);
  EXPECT_EQ(plan.parts()[0].name, "part 0");
  EXPECT_EQ(plan.parts()[0].n_rows(), 100u);
  EXPECT_EQ(plan.parts()[1].n_rows(), 0u);
  EXPECT_EQ(plan.classes(), (std::vector<std::string>{"ring 0", "ring 1", "ring 2"}));
  EXPECT_EQ(plan.n_rows(), n_all);
  EXPECT_EQ(plan.class_sizes(), job.trained().report.class_sizes);
  EXPECT_EQ(plan.command(), job.trained().training.command);
  EXPECT_EQ(plan.n_folds(), 4u);
  EXPECT_EQ((Job{table_of_classes(), {700}, options_of({2})}.plan.n_folds()), 1u);
}

/// The same rows in other types of labels and blocks are the same plan, whatever the threads.
TEST(RidgePlan, IsTheSameForAnyThreads) {
  Job one{table_of_classes(), cuts[2], options_of()}, many = one;
  one.options.execution.n_threads = 1;
  many.options.execution.n_threads = 3;
  TableStream a(one.table, one.ends), b(one.table, one.ends);
  EXPECT_EQ(plan_ridge(a, one.options).to_bytes(), plan_ridge(b, many.options).to_bytes());
  EXPECT_EQ(one.sums(2, {.n_threads = 1}).to_bytes(), one.sums(2, {.n_threads = 3}).to_bytes());
}

TEST(RidgePlan, ChangedPartsAreRefused) {
  const Job job{table_of_classes(), {300, 700}, options_of()};
  const auto sums_of = [&](const Table& table) {
    TableStream rows(table, {table.X.rows()});
    return sums_of_part(job.plan, 0, rows);
  };
  EXPECT_NO_THROW(sums_of(job.part(0)));
  const std::string longer = refusal<DataError>([&] { sums_of(job.table.rows(0, 301)); });
  EXPECT_TRUE(contains(longer, "table: ") && contains(longer, "the plan has seen")) << longer;
  Table other = job.part(0);
  other.X(17, 1) = 0.25;
  EXPECT_TRUE(contains(refusal<DataError>([&] { sums_of(other); }), "its 300 rows are not those the plan has seen in part 1 (part 0)"));
  other = job.part(0);
  other.labels[3] = other.labels[3] == "ring 1" ? "ring 2" : "ring 1";
  EXPECT_TRUE(contains(refusal<DataError>([&] { sums_of(other); }), "rows of class"));
  std::swap(other.labels[3], other.labels[3] == other.labels[4] ? other.labels[5] : other.labels[4]);
  EXPECT_THROW(sums_of(other), DataError);
  other.labels[3] = "new";
  EXPECT_TRUE(contains(refusal<DataError>([&] { sums_of(other); }), "there was no 'new'"));
  other = job.part(0);
  other.X = Matrix<double>(300, 3);
  EXPECT_TRUE(contains(refusal<DataError>([&] { sums_of(other); }), "3 columns, the plan has 2"));
  other = job.part(0);
  other.labels.clear();
  MemoryRows no_labels(other.X);
  EXPECT_TRUE(contains(refusal<DataError>([&] { sums_of_part(job.plan, 0, no_labels); }), "no labels"));
  TableStream rows(job.part(0), {300});
  EXPECT_THROW(sums_of_part(job.plan, 2, rows), InvalidArgument);
}

TEST(RidgePlan, OtherPlansAreRefused) {
  const Job job{table_of_classes(), {300, 700}, options_of()}, other{table_of_classes(), {301, 700}, options_of()};
  PlannedSums sums = job.sums(0);
  EXPECT_TRUE(contains(refusal<InvalidArgument>([&] { sums.merge(other.sums(1)); }), "another plan"));
  const TemporaryFolder folder;
  job.sums(0).save(folder.file("a"));
  other.sums(1).save(folder.file("b"));
  const std::string why = refusal<DataError>([&] { load_sums({folder.file("a"), folder.file("b")}); });
  EXPECT_TRUE(contains(why, folder.file("b") + ": sums of another plan than " + folder.file("a"))) << why;
}

TEST(RidgePlan, Files) {
  const TemporaryFolder folder;
  const Job job{table_of_classes(), cuts[2], options_of()};
  job.plan.save(folder.file("plan"));
  EXPECT_EQ(kind_of_file(folder.file("plan")), "ridge-plan");
  EXPECT_TRUE(load_plan(folder.file("plan")) == job.plan);
  std::vector<std::string> files;
  for (const std::size_t i : {3, 0, 2, 1, 3}) {
    files.push_back(folder.file(std::to_string(i) + ".sums"));
    job.sums(i).save(files.back());
  }
  EXPECT_EQ(kind_of_file(files[0]), "planned-sums");
  EXPECT_EQ(load_sums(files).solve().to_bytes(), job.trained(false).to_bytes());
  EXPECT_TRUE(contains(refusal<DataError>([&] { load_plan(files[0]); }), "holds sums, expected a plan"));
  EXPECT_TRUE(contains(refusal<DataError>([&] { load_sums({folder.file("plan")}); }), "holds a plan without sums"));
  EXPECT_THROW(load_model(files[0]), DataError);
  EXPECT_THROW(load_sums({}), InvalidArgument);
  job.trained().save(folder.file("model"));
  EXPECT_EQ(kind_of_file(folder.file("model")), "model");
  EXPECT_THROW(load_sums({folder.file("model")}), DataError);
}

TEST(RidgePlan, OptionsAreChecked) {
  TrainOptions options = options_of();
  options.leave_one_out = true;
  EXPECT_THROW((Job{table_of_classes(), {700}, options}), InvalidArgument);
  TableStream once(table_of_classes(), {700}, false);
  EXPECT_TRUE(contains(refusal<DataError>([&] { plan_ridge(once, options_of()); }), "only once"));
  TableStream rows(table_of_classes(), {300, 700});
  EXPECT_THROW(plan_ridge(rows, options_of(), {.label_files = {"one"}}), InvalidArgument);
  options = options_of();
  options.n_folds = 1000;
  EXPECT_THROW((Job{table_of_classes(), {700}, options}), InvalidArgument);
}

/// Everything in a plan is read, so that no damage and no lie goes unnoticed or does harm.
TEST(RidgePlan, HostileBytes) {
  const Job job{table_of_classes(), {300, 700}, options_of()};
  const std::string plan = job.plan.to_bytes(), sums = job.sums(0).to_bytes();
  for (std::size_t size = 0; size < plan.size(); size += 7) EXPECT_THROW(RidgePlan::from_bytes(plan.substr(0, size)), DataError);
  for (std::size_t size = 0; size < sums.size(); size += 997) EXPECT_THROW(PlannedSums::from_bytes(sums.substr(0, size)), DataError);
  for (std::size_t at = 0; at < plan.size(); at += 11) {
    std::string flipped = plan;
    flipped[at] = static_cast<char>(flipped[at] ^ 4);
    EXPECT_THROW(RidgePlan::from_bytes(flipped), DataError) << at;
  }
  const auto spoilt_plan = [&](const auto& spoil) {
    RecordEditor file(plan);
    spoil(file);
    return refusal<DataError>([&] { RidgePlan::from_bytes(file.file()); });
  };
  EXPECT_TRUE(contains(spoilt_plan([](RecordEditor& file) { file.set_text("written-by", "0.0.1"); }), "written by askrff 0.0.1, this is"));
  spoilt_plan([](RecordEditor& file) { file.set_text("kind", "ridge-plam"); });
  spoilt_plan([&](RecordEditor& file) { file.set_text("trainer", "nonsense"); });
  spoilt_plan([&](RecordEditor& file) { file.set_count("plan/class-sizes", 0, ~std::uint64_t{0}); });
  spoilt_plan([&](RecordEditor& file) { file.set_count("plan/rows", 0, 1); });
  spoilt_plan([](RecordEditor& file) { file.set_text("plan/parts", "one"); });
  spoilt_plan([](RecordEditor& file) { file.set_text("plan/label-files", "one"); });
  spoilt_plan([](RecordEditor& file) { file.set_text("plan/reading", "one"); });
  spoilt_plan([](RecordEditor& file) { file["plan/c"] = {"plan/c", 1, 1, 1, as_bytes(-3)}; });
  spoilt_plan([](RecordEditor& file) { file["plan/class-weights"] = {"plan/class-weights", 1, 1, 1, as_bytes(1)}; });
  for (const char* key : {"trainer", "plan/parts", "plan/class-sizes", "plan/rows", "plan/class-weights", "plan/reading",
                          "plan/label-files", "plan/c", "plan/texts", "plan/folds"})
    spoilt_plan([&](RecordEditor& file) { file.erase(key); });
  const auto spoilt_sums = [&](const auto& spoil) {
    RecordEditor file(sums);
    spoil(file);
    return refusal<DataError>([&] { PlannedSums::from_bytes(file.file()); });
  };
  spoilt_sums([&](RecordEditor& file) { file.set_text("plan", sums); });
  spoilt_sums([](RecordEditor& file) { file.set_text("written-by", "9.9.9"); });
  const Job other{table_of_classes(), {301, 700}, options_of()}, fewer{table_of_classes(), {300, 700}, options_of({2})};
  const auto trainer_of = [](const Job& from) {
    const std::string bytes = RecordEditor(from.sums(0).to_bytes())["trainer"].content;
    return bytes.substr(8);
  };
  EXPECT_TRUE(contains(spoilt_sums([&](RecordEditor& file) { file.set_text("trainer", trainer_of(other)); }), "no whole parts"));
  EXPECT_TRUE(contains(spoilt_sums([&](RecordEditor& file) { file.set_text("trainer", trainer_of(fewer)); }), "not one of the plan"));
}

}  // namespace
}  // namespace askrff::test
