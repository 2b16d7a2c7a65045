// The options of `askrff train` and what they exclude.
#include "train_options.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "command_text.hpp"
#include "numbers.hpp"

namespace askrff::cli {
namespace {

constexpr Choice<SvmSolver> solvers[] = {{"newton", SvmSolver::newton}, {"liblinear", SvmSolver::liblinear}};
constexpr const char* task_names = "auto|classification|regression";

double parse_c(const char* option, const std::string& text) {
  const double c = parse_number(option, text);
  if (!(c > 0)) throw std::invalid_argument(fmt::format("{}: got \"{}\", expected a number above 0", option, text));
  return c;
}

}  // namespace

void TrainOptions::add_to(CLI::App& app) {
  parser_ = &app;
  data.scale = Scaling::minmax;
  data.add_to(app, ", fitted on the\ntraining rows and stored in the model");
  data.add_labels_to(app);
  data.require();
  kernel.add_to(app, "linear: no kernel, the columns themselves", true);
  kernel.make_optional();
  features_ = app.add_option("--features", features,
                             "A map written by askrff choose, instead of --kernel and the options of\nFrequencies; it brings its scaling")
                  ->type_name("FILE")
                  ->group("Kernel");
  tune_ = app.add_option_function<std::string>(
                 "--tune", [this](const std::string& text) { tuned = split_at_commas(text); },
                 "Kernel parameters to be tried at 1/4, 1/2, 1, 2 and 4 times their value, by\ncross-validation on up to 4000 rows")
              ->type_name("NAME[,NAME]")
              ->group("Kernel");
  const auto read = [this](const std::string& text) { frequencies = parse_frequency("--frequencies", text); };
  frequencies_ =
      app.add_option_function<std::string>("--frequencies", read, "512, or 4d for 4·dimension; per part with jordan, in all with polar")
          ->type_name("M")
          ->default_str(frequencies.text())
          ->group("Frequencies");
  draw.add_sampling(app);
  draw.add_weighting(app);
  draw.add_landmarks(app);
  add_model(app);
  app.add_option("--out", out, "The model file to write; the old one stays until the new one is complete")->required()->type_name("FILE");
  add_threads(app, execution);
}

void TrainOptions::add_model(CLI::App& app) {
  const std::string group = "Model";
  add_choice(app, "--model", trainer, trainers,
             "svm: L2-regularised squared hinge, the objective of LIBLINEAR -s 2;\n"
             "ridge: least squares, for numbers or classes, on data of any size: files are\n"
             "read twice, rows are never held")
      ->group(group);
  solver_ = add_choice(app, "--solver", solver, solvers,
                       "svm: all folds and classes at once by Newton's method, or LIBLINEAR, one\nafter another on one thread")
                ->group(group);
  const auto read_task = [this](const std::string& text) {
    if (text == "classification")
      task = Task::classification;
    else if (text == "regression")
      task = Task::regression;
    else if (text != "auto")
      throw std::invalid_argument(fmt::format("--task: got \"{}\", expected {}", text, task_names));
  };
  task_ = app.add_option_function<std::string>("--task", read_task,
                                               "ridge: auto is classification for two different labels or labels that are no\nnumbers")
              ->type_name(task_names)
              ->default_str("auto")
              ->group(group);
  const auto read_c = [this](const std::string& text) {
    if (text != "auto") c = parse_c("--c", text);
  };
  c_ = app.add_option_function<std::string>("--c", read_c, "Weight of the loss against ½‖w‖²; auto: the best in cross-validation")
           ->type_name("auto|X")
           ->default_str("auto")
           ->group(group);
  const auto read_grid = [this](const std::string& text) {
    c_grid.clear();
    for (const std::string& word : split_at_commas(text)) c_grid.push_back(parse_c("--c-grid", word));
  };
  grid_ = app.add_option_function<std::string>("--c-grid", read_grid, "Values of C to be tried, with commas between them")
              ->type_name("X,X...")
              ->default_str("2^-5 to 2^5")
              ->group(group);
  folds_ = add_count(app, "--folds", n_folds, "Folds of the cross-validation", 2, 1000)->group(group);
  loo_ = app.add_flag("--leave-one-out", leave_one_out, "ridge: also the exact leave-one-out error, in one more pass")->group(group);
  app.add_flag("--no-bias", no_bias, "No constant term (as in the paper)")->group(group);
  add_choice(app, "--precision", precision, precisions, "Of the features; float32 takes half the memory, and for ridge half the time")
      ->group(group);
}

void TrainOptions::check() const {
  check_features();
  check_tuning();
  if (trainer == Trainer::svm) {
    refuse_if_given(loo_, "only with --model ridge");
    if (task == Task::regression) throw std::invalid_argument("--task: regression is for --model ridge, svm is a classifier");
    if (solver == SvmSolver::liblinear && !has_liblinear())
      throw std::invalid_argument("--solver: this program was built without LIBLINEAR, expected newton");
  } else {
    refuse_if_given(solver_, "only with --model svm, ridge is solved directly");
  }
  if (c) {
    refuse_if_given(grid_, "--c is a number, nothing is tried");
    if (!given(tune_)) refuse_if_given(folds_, "--c is a number, there is no cross-validation");
  }
}

void TrainOptions::check_features() const {
  if (stored_map()) {
    const std::string reason = "--features brings its own";
    kernel.refuse_all(reason + " kernel");
    draw.refuse_methods(reason + " map, nothing is drawn");
    data.refuse_scale(reason + " scaling of the columns");
    refuse_if_given(frequencies_, reason + " frequencies");
    refuse_if_given(tune_, reason + " kernel");
    return;
  }
  if (!kernel.is_given())
    throw std::invalid_argument("--kernel: missing, expected a kernel, linear, or --features with a file of askrff choose");
  if (linear()) {
    const std::string reason = "--kernel linear takes the columns as they are";
    kernel.refuse_parameters(reason);
    draw.refuse_methods(reason);
    refuse_if_given(frequencies_, reason);
    refuse_if_given(tune_, reason);
    return;
  }
  try {
    kernel_parameters(kernel.name());
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}, or {}", error.what(), linear_name));
  }
  draw.check();
}

void TrainOptions::check_tuning() const {
  if (!given(tune_)) return;
  const auto parameters = kernel_parameters(kernel.name());
  for (const std::string& name : tuned) {
    if (std::ranges::none_of(parameters, [&](const ParameterInfo& info) { return info.name == name; })) {
      std::string expected;
      for (const ParameterInfo& info : parameters) expected += (expected.empty() ? "" : ", ") + info.name;
      throw std::invalid_argument(fmt::format("--tune: kernel {} has no parameter \"{}\", expected {}", kernel.name(), name, expected));
    }
    if (std::ranges::count(tuned, name) > 1) throw std::invalid_argument(fmt::format("--tune: \"{}\" is named twice", name));
  }
  if (tuned.size() > 3) throw std::invalid_argument(fmt::format("--tune: {} parameters, expected at most 3", tuned.size()));
}

std::string TrainOptions::command() const { return command_text(*parser_); }

}  // namespace askrff::cli
