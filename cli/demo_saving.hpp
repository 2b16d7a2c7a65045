// The end of askrff demo: the error of the paper's estimator reached with fewer features, certified.
#pragma once

#include <string>
#include <vector>

#include "askrff/map.hpp"
#include "command.hpp"
#include "evaluation.hpp"
#include "kernel_options.hpp"

namespace askrff::cli {

/// The paper's estimator on points, and maps chosen on other rows.
struct KernelSaving {
  std::string kernel;
  std::vector<Evaluation> paper;  ///< by number of features
  Map equal;                      ///< its tolerance is the error of the paper's last one
  std::vector<Map> others;        ///< for other tolerances, larger and smaller
  double factor() const;          ///< how many times fewer features `equal` has
};

/// `data` are rows to choose and certify on, at least 24; `paper` is not empty. The other maps are for the picture.
KernelSaving save_features(const ChosenKernel& chosen, MatrixView<const double> data, std::vector<Evaluation> paper, bool with_others);

Json saving_json(const KernelSaving& saving);
/// A line per kernel.
std::string savings_text(const std::vector<KernelSaving>& savings);
/// Error against number of features, both methods.
std::string saving_picture(const KernelSaving& saving);

}  // namespace askrff::cli
