// The pictures of figure 2.
#include "experiments/report/figures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "experiments/report/text.hpp"
#include "experiments/report/numbers.hpp"
#include "experiments/report/text.hpp"

namespace askrff::experiments {
namespace {

Panel error_panel(const Figure2& figure, const std::string& dataset, const std::string& kernel) {
  Panel panel{kernel, {}};
  for (std::size_t i = 0; i < figure.methods.size(); ++i) {
    Curve curve{look_of(i, figure.methods[i].title), {}};
    for (const ErrorPoint& p : figure.points)
      if (p.dataset == dataset && p.kernel == kernel && p.method == figure.methods[i].name && p.multiple > 0)
        curve.points.push_back(
            {std::log2(static_cast<double>(p.multiple)) + bar_offset(i, figure.methods.size()), p.error.mean, p.error.deviation});
    panel.curves.push_back(curve);
  }
  return panel;
}

/// "shift-gaussian: paper's estimator from 0.12 to 0.004, …"
std::string error_words(const Panel& panel) {
  std::string words;
  for (const Curve& curve : panel.curves)
    if (!curve.points.empty())
      words += fmt::format("{}{} from {} to {}", words.empty() ? "" : ", ", curve.look.title, rounded(curve.points.front().y, 2),
                           rounded(curve.points.back().y, 2));
  return fmt::format(" {}: {}.", panel.title, words);
}

Picture error_picture(const Figure2& figure, const std::string& dataset, const std::vector<std::string>& kernels) {
  Picture picture{.name = "fig2-" + file_stem(dataset), .x_label = x_label, .y_label = "relative error", .y_axis = YAxis::logarithmic};
  for (std::size_t i = 0; i < figure.methods.size(); ++i) picture.legend.push_back(look_of(i, figure.methods[i].title));
  picture.alt = fmt::format("{}: relative error of the kernel matrix of {} on a logarithmic axis, against log₂(M/d).",
                            panels_in_words(kernels.size()), dataset);
  for (const std::string& kernel : kernels) {
    picture.panels.push_back(error_panel(figure, dataset, kernel));
    picture.alt += error_words(picture.panels.back());
  }
  picture.caption = fmt::format("{}: relative error of the kernel matrix, mean ± standard deviation over trials.", dataset);
  return picture;
}

}  // namespace

std::vector<Picture> pictures_of(const Figure2& figure) {
  const auto kernels = distinct(figure.points, &ErrorPoint::kernel);
  std::vector<Picture> pictures;
  for (const std::string& dataset : distinct(figure.points, &ErrorPoint::dataset))
    pictures.push_back(error_picture(figure, dataset, kernels));
  // Two data sets may differ only in characters a file name does not keep.
  for (std::size_t i = 0; i < pictures.size(); ++i)
    for (std::size_t before = 0; before < i; ++before)
      if (pictures[before].name == pictures[i].name) pictures[i].name += fmt::format("-{}", i + 1);
  return pictures;
}

}  // namespace askrff::experiments
