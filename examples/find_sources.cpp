// Where does it come from? 2 000 sensors read what the wind has carried from three of 2 500 possible sources, with 1 % of noise. With the
// directed kernel the sources are found where they are; with the same kernel made symmetric, (k(δ) + k(-δ))/2, they are not, and the
// residual says so. Prints the data of docs/figures/source-inversion.png: blocks of planted sources "x y strength", of sensors "x y
// reading", and of every possible source "x y amplitude amplitude", by the directed and by the symmetric kernel. What was found goes to
// standard error. Exits with 0 only if all of that is so.
// Usage: find_sources [WIND_X WIND_Y WIDTH]   (default 0.07 0.03 0.08; with other winds the symmetric kernel may find some of them)
#include <askrff/askrff.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using askrff::Matrix;

constexpr std::size_t n_sensors = 2000, n_side = 50;

struct Weather {
  double wind_x = 0.07, wind_y = 0.03, width = 0.08;
};

struct Source {
  std::size_t column, row;
  double strength;
};
constexpr Source planted[] = {{9, 33, 1.0}, {17, 14, 1.5}, {32, 28, 0.7}};

/// Places a source may have: a grid on the unit square.
Matrix<double> possible_sources() {
  Matrix<double> places(n_side * n_side, 2);
  for (std::size_t i = 0; i < n_side; ++i)
    for (std::size_t j = 0; j < n_side; ++j) {
      places(i * n_side + j, 0) = static_cast<double>(j) / (n_side - 1);
      places(i * n_side + j, 1) = static_cast<double>(i) / (n_side - 1);
    }
  return places;
}

/// Downwind: the square moved along by the wind.
Matrix<double> sensor_places(const Weather& weather) {
  Matrix<double> places(n_sensors, 2);
  for (std::size_t i = 0; i < n_sensors; ++i) {
    askrff::RandomStream random(1, askrff::Purpose::builtin_data, i);
    places(i, 0) = weather.wind_x + random.uniform();
    places(i, 1) = weather.wind_y + random.uniform();
  }
  return places;
}

/// (K + L)/2 of two operators.
askrff::SourceOperator mean_of(const askrff::SourceOperator& K, const askrff::SourceOperator& L) {
  const auto mean = [](const auto& one, const auto& other) {
    return [one, other](askrff::MatrixView<const double> v, const askrff::Execution& execution) {
      Matrix<double> sum = one(v, execution);
      const Matrix<double> rest = other(v, execution);
      for (std::size_t i = 0; i < sum.rows(); ++i) sum(i, 0) = 0.5 * (sum(i, 0) + rest(i, 0));
      return sum;
    };
  };
  return {K.n_readings, K.n_sources, mean(K.apply, L.apply), mean(K.apply_transposed, L.apply_transposed)};
}

/// The share of all amplitudes that lies within two cells of a planted source.
double share_near_planted(const std::vector<double>& amplitudes) {
  double near = 0, all = 0;
  for (std::size_t k = 0; k < amplitudes.size(); ++k) {
    const double row = static_cast<double>(k / n_side), column = static_cast<double>(k % n_side);
    const bool is_near = std::ranges::any_of(planted, [&](const Source& source) {
      return std::hypot(row - static_cast<double>(source.row), column - static_cast<double>(source.column)) <= 2.01;
    });
    all += amplitudes[k];
    if (is_near) near += amplitudes[k];
  }
  return near / all;
}

askrff::Inversion found_by(const char* what, const askrff::SourceOperator& K, const std::vector<double>& readings, double noise) {
  const askrff::Inversion found = askrff::invert_sources(K, readings, {.noise = noise});
  std::fprintf(
      stderr,
      "%s kernel: %.0f %% of all amplitudes within two cells of a source; residual %.2f times the noise; lambda %.2g, %zu iterations\n",
      what, 100 * share_near_planted(found.amplitudes), found.residual / (noise * std::sqrt(static_cast<double>(n_sensors))), found.lambda,
      found.iterations);
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  Weather weather;
  if (argc == 4) weather = {std::atof(argv[1]), std::atof(argv[2]), std::atof(argv[3])};
  const Matrix<double> sources = possible_sources(), sensors = sensor_places(weather);
  // k(x - s): what was at s is now around s + wind.
  const auto downwind = askrff::shift_gaussian({.sigma = weather.width, .shift = {-weather.wind_x, -weather.wind_y}});
  const auto upwind = askrff::shift_gaussian({.sigma = weather.width, .shift = {weather.wind_x, weather.wind_y}});
  const auto directed = askrff::source_operator(askrff::GridOperator<double>(*downwind, sensors.view(), sources.view()));
  const auto reversed = askrff::source_operator(askrff::GridOperator<double>(*upwind, sensors.view(), sources.view()));

  Matrix<double> strengths(sources.rows(), 1);
  for (const Source& source : planted) strengths(source.row * n_side + source.column, 0) = source.strength;
  const Matrix<double> exact = directed.apply(strengths.view(), {});
  const double noise = 0.01 * *std::max_element(exact.data(), exact.data() + n_sensors);
  std::vector<double> readings(exact.data(), exact.data() + n_sensors);
  askrff::RandomStream random(2, askrff::Purpose::builtin_data, 0);
  for (double& reading : readings) reading += noise * random.normal();

  const askrff::Inversion with_wind = found_by("directed", directed, readings, noise);
  const askrff::Inversion without = found_by("symmetric", mean_of(directed, reversed), readings, noise);

  for (const Source& source : planted)
    std::printf("%.4f %.4f %.2f\n", sources(source.row * n_side + source.column, 0), sources(source.row * n_side + source.column, 1),
                source.strength);
  std::printf("\n\n");
  for (std::size_t i = 0; i < n_sensors; ++i) std::printf("%.4f %.4f %.4f\n", sensors(i, 0), sensors(i, 1), readings[i]);
  std::printf("\n\n");
  for (std::size_t k = 0; k < sources.rows(); ++k)
    std::printf("%.4f %.4f %.5f %.5f\n", sources(k, 0), sources(k, 1), with_wind.amplitudes[k], without.amplitudes[k]);

  const double reached = noise * std::sqrt(static_cast<double>(n_sensors));
  const bool is_found = share_near_planted(with_wind.amplitudes) > 0.9 && with_wind.residual < 1.05 * reached;
  const bool is_missed = (argc == 4 || share_near_planted(without.amplitudes) < 0.1) && without.residual > 2 * reached;
  return is_found && is_missed ? 0 : 1;
}
