// The pictures of figure 3.
#include "experiments/report/figures.hpp"

#include <fmt/format.h>

#include "experiments/report/text.hpp"

namespace askrff::experiments {
namespace {

enum class Shown { accuracy, seconds };

Curve linear_curve(const Figure3& figure, const std::string& dataset, Look look) {
  look.dashed = true;
  look.point_type = 0;
  Curve curve{look, {}, true};
  for (const LinearAccuracy& linear : figure.linear)
    if (linear.dataset == dataset) curve.points.push_back({0, linear.accuracy.mean});
  return curve;
}

Panel accuracy_panel(const Figure3& figure, const std::string& kernel, const std::vector<std::string>& datasets, Shown shown) {
  Panel panel{kernel, {}};
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    Curve curve{look_of(i, datasets[i]), {}};
    for (const AccuracyPoint& p : figure.points) {
      if (p.kernel != kernel || p.dataset != datasets[i]) continue;
      const Spread& value = shown == Shown::accuracy ? p.accuracy : p.sampling_seconds;
      curve.points.push_back({p.log2_multiple + bar_offset(i, datasets.size()), value.mean, value.deviation});
    }
    if (shown == Shown::accuracy) panel.curves.push_back(linear_curve(figure, datasets[i], curve.look));
    panel.curves.push_back(curve);
  }
  return panel;
}

Picture accuracy_picture(const Figure3& figure, Shown shown) {
  const auto kernels = distinct(figure.points, &AccuracyPoint::kernel), datasets = distinct(figure.points, &AccuracyPoint::dataset);
  const bool accuracy = shown == Shown::accuracy;
  Picture picture{.name = accuracy ? "fig3-accuracy" : "fig3-time",
                  .x_label = x_label,
                  .y_label = accuracy ? "test accuracy, %" : "sampling time",
                  .y_axis = accuracy ? YAxis::linear : YAxis::seconds};
  for (std::size_t i = 0; i < datasets.size(); ++i) picture.legend.push_back(look_of(i, datasets[i]));
  if (accuracy && !figure.linear.empty()) picture.legend.push_back({"linear classifier", neutral_colour, 0, true});
  for (const std::string& kernel : kernels) picture.panels.push_back(accuracy_panel(figure, kernel, datasets, shown));
  picture.caption = accuracy
                        ? "Test accuracy, mean ± standard deviation over trials; dashed: a linear classifier on the columns themselves."
                        : "Time to draw the frequencies and fit the masses, mean ± standard deviation over trials.";
  picture.alt = fmt::format("{}: {} against log₂(M/d), a curve for each of {} data sets{}. The numbers are in the table below.",
                            panels_in_words(kernels.size()), accuracy ? "test accuracy in percent" : "sampling time on a logarithmic axis",
                            datasets.size(), accuracy ? " and a dashed line for the linear classifier" : "");
  return picture;
}

}  // namespace

std::vector<Picture> pictures_of(const Figure3& figure) {
  if (figure.points.empty()) return {};
  return {accuracy_picture(figure, Shown::accuracy), accuracy_picture(figure, Shown::seconds)};
}

}  // namespace askrff::experiments
