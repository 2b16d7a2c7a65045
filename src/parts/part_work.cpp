// Carries out tasks on parts and joins results: what is the same for all kinds of passes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/version.hpp"
#include "parts/pass.hpp"
#include "parts/row_facts.hpp"
#include "pipeline/training_rows.hpp"
#include "pipeline/watched_rows.hpp"

namespace askrff {
namespace parts {
namespace {

using Counts = std::vector<std::uint64_t>;

constexpr std::array all_passes = {&survey_pass, &sample_pass, &ridge_pass, &outputs_pass, &svm_pass};

RowFacts read_facts(const io::Records& file) {
  const auto shape = file.counts("rows/shape", 1, 2);
  RowFacts facts{.n_columns = shape[0], .n_targets = shape[1]};
  constexpr std::uint64_t most = std::uint64_t{1} << 26;  // memory is taken for so many before any row comes
  if (shape[0] == 0 || shape[1] == 0 || shape[0] > most || shape[1] > most)
    file.refuse("rows/shape", fmt::format("holds {} and {}, expected 1 to {}", shape[0], shape[1], most));
  facts.classes = file.texts("rows/classes");
  facts.class_weights = file.numbers("rows/class-weights");
  if (!facts.class_weights.empty() && facts.class_weights.size() != facts.classes.size())
    file.refuse("rows/class-weights", "is not one for each class");
  return facts;
}

io::RecordWriter begin_file(const char* what, const PassKind& kind) {
  io::RecordWriter file;
  file.text("kind", what);
  file.text("written-by", ASKRFF_VERSION);
  file.text("pass", kind.name);
  return file;
}

/// task: the checksum of what was asked for.
io::RecordWriter begin_result(const PassKind& kind, const Counts& parts, std::uint64_t task) {
  io::RecordWriter file = begin_file("part-result", kind);
  file.count("task", task);
  file.counts("parts", parts, 1);
  return file;
}

/// The parts that a result is of, in order and each once.
Counts parts_in(const io::Records& file) {
  Counts parts = file.counts("parts", io::any_size, 1);
  if (parts.empty() || std::ranges::adjacent_find(parts, std::greater_equal<>()) != parts.end())
    file.refuse("parts", "is not a list of parts in their order");
  return parts;
}

}  // namespace

const PassKind& pass_of(const io::Records& file, const char* kind) {
  if (file.text("kind") != kind) file.refuse("kind", fmt::format("is not {}", kind));
  if (const std::string version = file.text("written-by"); version != ASKRFF_VERSION)
    throw DataError(file.name(), fmt::format("made by askrff {}, but this worker has askrff {}: expected the same version everywhere",
                                             version, ASKRFF_VERSION));
  const std::string name = file.text("pass");
  const auto found = std::ranges::find_if(all_passes, [&](const PassKind* each) { return name == each->name; });
  if (found == all_passes.end()) file.refuse("pass", "is no pass over rows");
  return **found;
}

std::uint64_t PartStart::first_row() const {
  std::uint64_t sum = 0;
  for (const std::uint64_t n : n_before) sum += n;
  return sum;
}

std::string PartStart::to_bytes() const {
  io::RecordWriter file;
  file.text("kind", "part-start");
  file.count("part", part);
  file.counts("before", n_before, 1);
  file.counts("here", n_here, 1);
  file.count("hash", hash);
  return file.finish();
}

PartStart PartStart::from_bytes(std::string bytes) {
  const io::Records file("start of a part", std::move(bytes));
  if (file.text("kind") != "part-start") file.refuse("kind", "is not part-start");
  PartStart start{file.count("part"), file.counts("before", io::any_size, 1), file.counts("here", io::any_size, 1), file.count("hash")};
  if (start.n_before.size() != start.n_here.size()) file.refuse("here", "is not of as many classes as 'before'");
  constexpr std::uint64_t max_rows = std::uint64_t{1} << 62;
  for (const std::uint64_t n : start.n_before)
    if (n > max_rows / start.n_before.size()) file.refuse("before", fmt::format("counts {} rows of a class, which is too many", n));
  return start;
}

io::RecordWriter begin_task(const PassKind& kind, const RowFacts& facts) {
  io::RecordWriter file = begin_file("part-task", kind);
  file.counts("rows/shape", Counts{facts.n_columns, facts.n_targets}, 2);
  file.texts("rows/classes", facts.classes);
  file.numbers("rows/class-weights", facts.class_weights);
  return file;
}

io::Records result_of_all(const PartedRows& rows, const PassKind& kind, const std::string& task, std::string result) {
  io::Records file(fmt::format("{}: result of the pass '{}'", rows.name(), kind.name), std::move(result));
  if (&pass_of(file, "part-result") != &kind) file.refuse("pass", fmt::format("is not {}", kind.name));
  if (file.count("task") != io::Records("task", task).checksum()) file.refuse("task", "is of another task");
  const Counts parts = parts_in(file);
  if (parts.size() != rows.n_parts()) file.refuse("parts", fmt::format("names {} parts, expected all {}", parts.size(), rows.n_parts()));
  return file;
}

}  // namespace parts

using namespace parts;

struct PartWork::State {
  PartContext context;
  FactStream stream;
  pipeline::Targets targets;
  pipeline::LabelCoder coder;
  std::unique_ptr<Pass> pass;
  const PassKind* kind = nullptr;
  std::string name;                    // of the part, for messages
  std::uint64_t task = 0;              // its checksum
  std::vector<std::uint64_t> n_found;  // rows of every class
  pipeline::SeenRows seen;             // also those of weight 0

  State(const PartContext& of_part, const io::Records& file, const PassKind& of_task)
      : context(of_part),
        stream(fmt::format("partition {}", of_part.start.part), of_part.facts),
        targets(targets_of(of_part.facts)),
        coder(stream, targets),
        pass(of_task.begin(file, context)),
        kind(&of_task),
        name(stream.name()),
        task(file.checksum()),
        n_found(context.facts.n_counted()) {}

  void check(const RowBlock& block) const {
    const RowFacts& facts = context.facts;
    if (block.X.is_sparse()) throw DataError(name, "sparse rows, expected them written out");
    if (block.X.cols() != facts.n_columns)
      throw DataError(name, fmt::format("{} columns, expected {} as in the other parts", block.X.cols(), facts.n_columns));
    for (std::size_t i = 0; i < block.X.rows(); ++i) {
      const auto row = block.X.dense().row(i);
      const auto bad = std::ranges::find_if_not(row, [](double x) { return std::isfinite(x); });
      if (bad != row.end())
        throw DataError(name, fmt::format("row {}, column {} is {} (counted from 0), expected finite numbers", seen.n_rows + i,
                                          bad - row.begin(), *bad));
    }
    for (std::size_t i = 0; i < block.label_numbers.size(); ++i) {
      const double label = block.label_numbers[i];
      const bool is_class = label >= 0 && label < static_cast<double>(facts.classes.size()) && label == std::floor(label);
      if (!std::isfinite(label) || !(facts.classes.empty() || is_class))
        throw DataError(name, fmt::format("the label of row {} (counted from 0) is {}, expected {}", seen.n_rows + i / facts.n_targets,
                                          label, facts.classes.empty() ? "a finite number" : "the number of a class"));
    }
  }

  void add(RowBlock& block) {
    check(block);
    const std::uint64_t first = seen.n_rows;
    seen.add(block, context.facts.n_targets);
    RowsMatrix<double> kept;
    pipeline::keep_what_counts(block, kept, first, name);
    if (block.X.rows() == 0) return;
    const bool has_labels = !BlockLabels(block).empty();
    if (!has_labels && !context.facts.classes.empty()) throw DataError(name, "no labels, expected the class of every row");
    if (has_labels) coder.read(block);
    const auto classes = has_labels ? coder.classes() : std::span<const std::uint32_t>();
    if (context.facts.classes.empty())
      n_found[0] += block.X.rows();
    else
      for (const std::uint32_t k : classes) ++n_found[k];
    pass->add({block, classes, coder});
  }

  void require_same_rows() const {
    const PartStart& before = context.start;
    if (!before.n_here.empty() && (before.n_here != n_found || before.hash != seen.hash))
      throw DataError(name,
                      "other rows than in an earlier pass over them, expected the same every time they are computed; keep them in memory "
                      "or in files if they are drawn at random or come in any order");
  }
};

PartWork::PartWork(std::string task, std::string start, const Execution& execution, std::shared_ptr<const Kernel> kernel) {
  const io::Records file("task", std::move(task));
  const PassKind& kind = pass_of(file, "part-task");
  PartContext context{read_facts(file), PartStart::from_bytes(std::move(start)), execution, std::move(kernel)};
  if (!context.start.n_before.empty() && context.start.n_before.size() != context.facts.n_counted())
    throw DataError("start of a part", "counts of other classes than those of the task");
  try {
    state_ = std::make_unique<State>(context, file, kind);
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {  // what the library finds wrong with the numbers
    throw DataError(file.name(), error.what());
  }
}
PartWork::~PartWork() = default;
PartWork::PartWork(PartWork&&) noexcept = default;
PartWork& PartWork::operator=(PartWork&&) noexcept = default;

void PartWork::add(RowBlock& block) { state_->add(block); }

std::string PartWork::finish() {
  state_->require_same_rows();
  io::RecordWriter file = begin_result(*state_->kind, {state_->context.start.part}, state_->task);
  file.count("hash", state_->seen.hash);
  state_->pass->finish(file);
  return file.finish();
}

std::string join_results(std::vector<std::string> results, const Execution& execution, const std::shared_ptr<const Kernel>& kernel) {
  if (results.empty()) throw InvalidArgument("join_results", "no results, expected at least one");
  std::vector<io::Records> files;
  std::vector<std::uint64_t> parts;
  for (std::string& bytes : results) {
    io::Records file("result", std::move(bytes));  // they are large
    const PassKind& kind = pass_of(file, "part-result");
    if (!files.empty() && (&kind != &pass_of(files[0], "part-result") || file.count("task") != files[0].count("task")))
      throw InvalidArgument("join_results", "results of different passes, expected those of one");
    const auto those = parts_in(file);
    const auto is_counted = [&](std::uint64_t part) { return std::ranges::find(parts, part) != parts.end(); };
    const auto n_counted = std::ranges::count_if(those, is_counted);
    if (n_counted == static_cast<std::ptrdiff_t>(those.size())) continue;  // it counts once
    if (n_counted > 0 || (!parts.empty() && those.front() < parts.back()))
      throw InvalidArgument("join_results", "results in another order than their parts, or with some parts twice");
    parts.insert(parts.end(), those.begin(), those.end());
    files.push_back(std::move(file));
  }
  if (files.size() == 1) return files[0].content();
  const PassKind& kind = pass_of(files[0], "part-result");
  io::RecordWriter joined = begin_result(kind, parts, files[0].count("task"));
  kind.join(files, {.facts = {}, .start = {}, .execution = execution, .kernel = kernel}, joined);
  return joined.finish();
}

}  // namespace askrff
