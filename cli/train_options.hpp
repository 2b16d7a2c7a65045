// What `askrff train` was asked for.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "askrff/model.hpp"
#include "askrff/svm.hpp"
#include "data_options.hpp"
#include "draw_options.hpp"
#include "kernel_options.hpp"
#include "options.hpp"

namespace askrff::cli {

enum class Trainer { svm, ridge };
inline constexpr Choice<Trainer> trainers[] = {{"svm", Trainer::svm}, {"ridge", Trainer::ridge}};
inline constexpr Choice<Precision> precisions[] = {{"float64", Precision::float64}, {"float32", Precision::float32}};

struct TrainOptions {
  KernelOptions kernel;
  DataOptions data;
  DrawOptions draw;
  FrequencyCount frequencies{128, false};
  Trainer trainer = Trainer::svm;
  SvmSolver solver = SvmSolver::newton;
  std::optional<Task> task;  ///< unset: the labels decide
  std::optional<double> c;   ///< unset: by cross-validation
  std::vector<double> c_grid = default_c_grid();
  std::size_t n_folds = 5;
  bool no_bias = false, leave_one_out = false;
  Precision precision = Precision::float64;
  std::vector<std::string> tuned;  ///< names of kernel parameters
  std::string features, out;
  Execution execution;

  void add_to(CLI::App& app);
  /// Refuses options that have no effect in this call and values out of range.
  void check() const;

  bool bias() const { return !no_bias; }
  bool stored_map() const { return given(features_); }
  /// The model is linear in the columns themselves: --kernel linear.
  bool linear() const { return kernel.name() == linear_name; }
  std::string command() const;

  static constexpr const char* linear_name = "linear";

 private:
  void add_model(CLI::App& app);
  void check_features() const;
  void check_tuning() const;

  const CLI::App* parser_ = nullptr;
  CLI::Option *features_ = nullptr, *frequencies_ = nullptr, *solver_ = nullptr, *task_ = nullptr, *c_ = nullptr, *grid_ = nullptr,
              *folds_ = nullptr, *tune_ = nullptr, *loo_ = nullptr;
};

}  // namespace askrff::cli
