// Sums of parts of a plan: which parts are in, other parts added, and the model of all.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "askrff/errors.hpp"
#include "pipeline/fit.hpp"
#include "pipeline/ridge_plan.hpp"

namespace askrff {
namespace {

/// "3,7-9" of 2, 6, 7, 8: counted from 1, as the arrays of job schedulers are.
std::string numbers_text(const std::vector<std::size_t>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size();) {
    std::size_t end = i + 1;
    while (end < parts.size() && parts[end] == parts[end - 1] + 1) ++end;
    text += fmt::format("{}{}", text.empty() ? "" : ",", parts[i] + 1);
    if (end - i > 1) text += fmt::format("-{}", parts[end - 1] + 1);
    i = end;
  }
  return text;
}

/// "part-3.csv, part-7.csv, …"
std::string some_names(const RidgePlan& plan, const std::vector<std::size_t>& parts) {
  constexpr std::size_t most = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, parts.size()); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", printable(plan.parts()[parts[i]].name, 60));
  return text + (parts.size() > most ? ", …" : "");
}

std::string parts_text(const std::vector<std::size_t>& parts) {
  return fmt::format("part{} {}", parts.size() == 1 ? "" : "s", numbers_text(parts));
}

/// All rows of a plan, part after part, each compared with what the plan has seen of it.
class PlannedRows final : public RowStream {
 public:
  PlannedRows(RidgePlan plan, std::function<std::unique_ptr<RowStream>(std::size_t)> open)
      : plan_(std::move(plan)), open_(std::move(open)) {
    for (const PlannedPart& part : plan_.parts()) names_.push_back(part.name);
    open_part(0);
    class_names_ = opened_->class_names();
  }

  const std::string& name() const override { return names_[std::min(part_, names_.size() - 1)]; }
  std::size_t n_columns() const override { return plan_.map().dim(); }
  const std::vector<std::string>& column_names() const override { return plan_.map().content().column_names; }
  bool has_labels() const override { return true; }
  const std::vector<std::string>& class_names() const override { return class_names_; }
  std::size_t n_targets() const override { return plan_.state().targets.n_numbers; }
  bool can_rewind() const override { return true; }
  void rewind() override { open_part(0); }

 private:
  void open_part(std::size_t part) {
    part_ = part;
    watched_.reset();
    opened_.reset();
    if (part == names_.size()) return;
    opened_ = open_(part);
    watched_ = std::make_unique<pipeline::WatchedRows>(*opened_);
    pipeline::check_like_planned(plan_, *watched_);
  }

  void read_block(RowBlock& block, std::size_t max_rows) override {
    while (part_ < names_.size()) {
      if (watched_->next(block, max_rows)) return pipeline::check_planned_labels(plan_, *watched_, block);
      pipeline::check_seen_before(plan_, part_, watched_->seen(0), watched_->name());
      open_part(part_ + 1);
    }
  }

  RidgePlan plan_;
  std::function<std::unique_ptr<RowStream>(std::size_t)> open_;
  std::vector<std::string> names_, class_names_;
  std::size_t part_ = 0;
  std::unique_ptr<RowStream> opened_;
  std::unique_ptr<pipeline::WatchedRows> watched_;
};

/// Refuses what the plan or the options cannot give.
void check_solving(const RidgePlan& plan, const SolveOptions& how, const std::vector<double>& c) {
  const char* who = "PlannedSums::solve";
  if (plan.n_folds() == 1 && c.size() != 1)
    throw InvalidArgument(
        who, fmt::format("the plan is for one C, {}, and has no folds to choose another by; expected one value of C", plan.c()[0]));
  if (how.probabilities && (plan.task() == Task::regression || plan.n_folds() == 1))
    throw InvalidArgument(who, fmt::format("probabilities are asked for, but the plan is {}, expected classes and folds",
                                           plan.task() == Task::regression ? "regression" : "for one C and has no folds"));
  if ((how.probabilities || how.leave_one_out) && !how.open_part)
    throw InvalidArgument(who, "probabilities and leave-one-out take one more pass, expected a way to open the parts");
}

}  // namespace

bool PlannedSums::has(std::size_t part) const {
  const std::vector<std::uint64_t>& first = plan_.state().first_row;
  if (first[part] == first[part + 1]) return true;
  const auto after = std::ranges::upper_bound(sums_.counted(), first[part], {}, &RowRange::first);
  return after != sums_.counted().begin() && first[part + 1] <= std::prev(after)->end;
}

std::vector<std::size_t> PlannedSums::missing() const {
  std::vector<std::size_t> parts;
  for (std::size_t i = 0; i < plan_.parts().size(); ++i)
    if (!has(i)) parts.push_back(i);
  return parts;
}

std::string PlannedSums::missing_text() const {
  const std::vector<std::size_t> parts = missing();
  return parts.empty() ? "" : fmt::format("{} of {}", parts_text(parts), plan_.parts().size());
}

void PlannedSums::merge(PlannedSums other) {
  const char* who = "PlannedSums::merge";
  if (!(plan_ == other.plan_)) throw InvalidArgument(who, "the other sums are of another plan, expected the same");
  std::vector<std::size_t> shared, only_ours, only_theirs;
  for (std::size_t i = 0; i < plan_.parts().size(); ++i) {
    if (plan_.parts()[i].n_rows() == 0) continue;
    const bool is_ours = has(i), is_theirs = other.has(i);
    if (is_ours && is_theirs) shared.push_back(i);
    if (is_ours && !is_theirs) only_ours.push_back(i);
    if (!is_ours && is_theirs) only_theirs.push_back(i);
  }
  if (only_theirs.empty()) return;
  if (shared.empty()) return sums_.merge(other.sums_);
  if (!only_ours.empty())
    throw InvalidArgument(
        who, fmt::format("{} in both, {} only in one and {} only in the other: expected all parts of one in the other, or none",
                         parts_text(shared), parts_text(only_ours), parts_text(only_theirs)));
  sums_ = std::move(other.sums_);
}

TrainedModel PlannedSums::solve(const SolveOptions& how) {
  const RidgePlan::State& state = plan_.state();
  if (const std::vector<std::size_t> parts = missing(); !parts.empty())
    throw InvalidArgument("PlannedSums::solve", fmt::format("the sums of {} are missing ({}): {} of {} rows are in, expected all",
                                                            missing_text(), some_names(plan_, parts), n_rows(), plan_.n_rows()));
  TrainOptions options{.trainer = Trainer::ridge,
                       .c = how.c.value_or(state.c),
                       .probabilities = how.probabilities,
                       .bias = state.options.bias,
                       .leave_one_out = how.leave_one_out,
                       .precision = state.options.precision,
                       .seed = state.options.seed,
                       .execution = how.execution};
  if (!options.c.empty()) checked_c_grid(options.c);
  check_solving(plan_, how, options.c);
  std::optional<PlannedRows> rows;
  std::optional<pipeline::TrainingRows> again;
  pipeline::RidgeModelPasses passes;
  if (how.probabilities || how.leave_one_out) {
    rows.emplace(plan_, how.open_part);
    again.emplace(*rows, false, how.execution);
    passes = pipeline::passes_over(options, state.map, *again, state.targets);
  }
  TrainedModel model = pipeline::in_words_of_features([&] { return pipeline::solve_ridge_model(options, sums_, passes); });
  model.training.command = state.text.with(options.c, how.leave_one_out, plan_.n_folds() > 1);
  return model;
}

PlannedSums load_sums(const std::vector<std::string>& files, const Execution& execution) {
  if (files.empty()) throw InvalidArgument("load_sums", "no files, expected at least one");
  PlannedSums all = pipeline::load_sums_file(files[0], execution);
  for (std::size_t i = 1; i < files.size(); ++i) {
    execution.stop.check();
    PlannedSums next = pipeline::load_sums_file(files[i], execution);
    if (!(next.plan() == all.plan())) throw DataError(files[i], fmt::format("sums of another plan than {}, expected the same", files[0]));
    try {
      all.merge(std::move(next));
    } catch (const InvalidArgument& error) {
      throw DataError(files[i], fmt::format("its sums and those of the files before it have {}", error.message()));
    }
  }
  return all;
}

}  // namespace askrff
