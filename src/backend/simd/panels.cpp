// Frequencies in radians → panels in turns.
#include "backend/simd/panels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace askrff::backend::simd {
namespace {

double turns(double radians) { return static_cast<double>(static_cast<long double>(radians) / (2 * std::numbers::pi_v<long double>)); }

}  // namespace

FrequencyPanels::FrequencyPanels(MatrixView<const double> frequencies)
    : in_float(pack_panels<float>(frequencies.rows(), frequencies.cols(),
                                  [&](std::size_t j, std::size_t k) {
                                    // A frequency too large for a float is never used as one: its reach is infinite.
                                    const double value = turns(frequencies(j, k));
                                    return std::fabs(value) <= std::numeric_limits<float>::max() ? static_cast<float>(value) : 0.0f;
                                  })),
      in_double(pack_panels<double>(frequencies.rows(), frequencies.cols(),
                                    [&](std::size_t j, std::size_t k) { return turns(frequencies(j, k)); })),
      reach(in_float.count() * Panels<float>::width),
      panel_reach(in_float.count()) {
  for (std::size_t j = 0; j < frequencies.rows(); ++j) {
    for (const double radians : frequencies.row(j)) {
      const double size = std::fabs(turns(radians));
      reach[j] += size <= std::numeric_limits<float>::max() ? size : std::numeric_limits<double>::infinity();
    }
    double& largest = panel_reach[j / Panels<float>::width];
    largest = std::max(largest, reach[j]);
  }
}

}  // namespace askrff::backend::simd
