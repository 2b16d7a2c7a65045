// Outputs of a classifier as probabilities: the sigmoid for two classes, one temperature for more, by maximum likelihood.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/linear.hpp"

namespace askrff {
namespace {

constexpr int most_scale_steps = 200;

/// log(1 + e^z).
double softplus(double z) { return std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z))); }
double sigmoid(double z) { return z >= 0 ? 1 / (1 + std::exp(-z)) : std::exp(z) / (1 + std::exp(z)); }

/// Labelled outputs, and what every row counts.
struct ScaleRows {
  MatrixView<const double> outputs;
  std::span<const std::uint32_t> classes;
  std::span<const double> weights;

  double weight(std::size_t row) const { return weights.empty() ? 1 : weights[row]; }
};

/// The negative log-likelihood of a sigmoid, its gradient and Hessian.
struct SigmoidLoss {
  double value = 0, by_scale = 0, by_offset = 0, scale_scale = 0, scale_offset = 0, offset_offset = 0;
};

SigmoidLoss sigmoid_loss(const ScaleRows& rows, const OutputScale& at, double target_of_no, double target_of_yes) {
  SigmoidLoss loss;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    const double f = rows.outputs(i, 0), z = at.scale * f + at.offset, p = sigmoid(z), weight = rows.weight(i);
    const double target = rows.classes[i] == 1 ? target_of_yes : target_of_no, curvature = weight * p * (1 - p);
    loss.value += weight * (softplus(z) - target * z);
    loss.by_scale += weight * (p - target) * f;
    loss.by_offset += weight * (p - target);
    loss.scale_scale += curvature * f * f;
    loss.scale_offset += curvature * f;
    loss.offset_offset += curvature;
  }
  return loss;
}

/// Newton's method with halved steps, as Lin, Lin and Weng (2007) make Platt's safe.
OutputScale fit_sigmoid(const ScaleRows& rows) {
  double of_no = 0, of_yes = 0;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) (rows.classes[i] == 1 ? of_yes : of_no) += rows.weight(i);
  const double target_of_yes = (of_yes + 1) / (of_yes + 2), target_of_no = 1 / (of_no + 2);
  const double expected_no = of_yes / (of_yes + 2) + of_no * (1 - target_of_no);
  const OutputScale constant{0, std::log((of_yes * target_of_yes + of_no * target_of_no) / expected_no)};
  OutputScale at = constant;
  SigmoidLoss loss = sigmoid_loss(rows, at, target_of_no, target_of_yes);
  for (int step = 0; step < most_scale_steps; ++step) {
    const double ridge = 1e-12 * (loss.scale_scale + loss.offset_offset) + 1e-300;
    const double a = loss.scale_scale + ridge, b = loss.scale_offset, d = loss.offset_offset + ridge, determinant = a * d - b * b;
    if (!(determinant > 0)) break;
    const double by_scale = -(d * loss.by_scale - b * loss.by_offset) / determinant;
    const double by_offset = -(a * loss.by_offset - b * loss.by_scale) / determinant;
    const double promise = -(loss.by_scale * by_scale + loss.by_offset * by_offset);
    if (!(promise > 1e-14 * std::abs(loss.value))) break;
    double part = 1;
    for (; part > 1e-10; part /= 2) {
      const OutputScale next{at.scale + part * by_scale, at.offset + part * by_offset};
      const SigmoidLoss there = sigmoid_loss(rows, next, target_of_no, target_of_yes);
      if (!(there.value < loss.value - 1e-4 * part * promise)) continue;
      at = next;
      loss = there;
      break;
    }
    if (!(part > 1e-10)) break;
  }
  return at.scale > 0 ? at : constant;  // outputs that say the opposite say nothing
}

/// The derivative of the negative log-likelihood by the scale, which grows with it, and its own.
std::pair<double, double> temperature_slope(const ScaleRows& rows, double scale, double rest) {
  const std::size_t n_classes = rows.outputs.cols();
  const OutputScale at{scale, 0};
  std::vector<double> p(n_classes);
  double slope = 0, curvature = 0;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) {
    const auto f = rows.outputs.row(i);
    at.apply(f, p);
    double mean = 0, square = 0, target = (1 - rest * static_cast<double>(n_classes)) * f[rows.classes[i]];
    for (std::size_t k = 0; k < n_classes; ++k) {
      mean += p[k] * f[k];
      target += rest * f[k];
    }
    for (std::size_t k = 0; k < n_classes; ++k) square += p[k] * (f[k] - mean) * (f[k] - mean);
    slope += rows.weight(i) * (mean - target);
    curvature += rows.weight(i) * square;
  }
  return {slope, curvature};
}

/// Newton's method between a scale that is too small and one that is too large.
OutputScale fit_temperature(const ScaleRows& rows) {
  double total = 0;
  for (std::size_t i = 0; i < rows.classes.size(); ++i) total += rows.weight(i);
  const double rest = 1 / (total + static_cast<double>(rows.outputs.cols()));  // what every class gets besides
  if (!(temperature_slope(rows, 0, rest).first < 0)) return {0, 0};
  double low = 0, high = 1;
  while (temperature_slope(rows, high, rest).first < 0 && high < 1e12) low = std::exchange(high, 2 * high);
  double scale = high;
  for (int step = 0; step < most_scale_steps && high - low > 1e-12 * high; ++step) {
    const auto [slope, curvature] = temperature_slope(rows, scale, rest);
    (slope < 0 ? low : high) = scale;
    const double next = scale - slope / curvature;
    if (next == scale) break;
    scale = next > low && next < high ? next : (low + high) / 2;
  }
  return {scale, 0};
}

}  // namespace

void OutputScale::apply(std::span<const double> outputs, std::span<double> probabilities) const {
  if (outputs.size() == 1) {
    const double z = scale * outputs[0] + offset;
    probabilities[1] = sigmoid(z);
    probabilities[0] = sigmoid(-z);
    return;
  }
  const double largest = *std::ranges::max_element(outputs);
  double sum = 0;
  for (std::size_t k = 0; k < outputs.size(); ++k) sum += probabilities[k] = std::exp(scale * (outputs[k] - largest));
  for (double& p : probabilities) p /= sum;
}

OutputScale fit_output_scale(MatrixView<const double> outputs, std::span<const std::uint32_t> classes, std::span<const double> weights) {
  if (outputs.empty() || outputs.rows() != classes.size() || (!weights.empty() && weights.size() != classes.size()))
    throw InvalidArgument("fit_output_scale", fmt::format("{} rows of outputs, {} classes and {} weights, expected as many of each",
                                                          outputs.rows(), classes.size(), weights.size()));
  const std::size_t n_classes = std::max<std::size_t>(2, outputs.cols());
  for (const std::uint32_t k : classes)
    if (k >= n_classes) throw InvalidArgument("fit_output_scale", fmt::format("class {} of {}", k, n_classes));
  const ScaleRows rows{outputs, classes, weights};
  return outputs.cols() == 1 ? fit_sigmoid(rows) : fit_temperature(rows);
}

}  // namespace askrff
