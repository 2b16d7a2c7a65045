// Do certificates keep their promise? 95 % of the intervals should hold the error on rows that come later.
#include <fmt/format.h>

#include <cmath>

#include "askrff/choose.hpp"
#include "askrff/map.hpp"
#include "methods.hpp"

namespace askrff::accuracy {
namespace {

/// A number of a row; `rarely` is true for all of a few rows in a thousand.
using Draw = double (*)(RandomStream& random, bool rarely);

double uniform_number(RandomStream& random, bool) { return random.uniform(); }
double normal_number(RandomStream& random, bool) { return random.normal(); }
double number_with_outliers(RandomStream& random, bool rarely) { return (rarely ? 30 : 1) * random.normal(); }
/// Student's t with three degrees of freedom.
double heavy_tailed_number(RandomStream& random, bool) {
  double squares = 0;
  for (int i = 0; i < 3; ++i) {
    const double normal = random.normal();
    squares += normal * normal;
  }
  return random.normal() / std::sqrt(squares / 3);
}

Matrix<double> rows_like(Draw draw, std::size_t n, std::size_t dim, std::uint64_t seed) {
  Matrix<double> rows(n, dim);
  for (std::size_t i = 0; i < n; ++i) {
    RandomStream random(seed, Purpose::evaluation_rows, i);
    const bool rarely = random.uniform() < 0.002;
    for (double& x : rows.row(i)) x = draw(random, rarely);
  }
  return rows;
}

struct Case {
  const char* name;
  const char* what;
  const char* kernel;
  Draw draw;
  std::size_t dim, n_rows;
  MapOptions how;
};

/// Every run has rows, draws and later rows of its own.
Figures share_outside(const Case& c, Context& context) {
  std::size_t above = 0, below = 0, falsely_reached = 0;
  double worst = 0;
  const std::size_t n_runs = context.sizes().certificates;
  for (std::size_t run = 0; run < n_runs; ++run) {
    const std::uint64_t seed = derive_seed(base_seed, 10'000 + run);
    MapOptions how = c.how;
    how.seed = seed;
    const Map map = make_map(c.kernel, rows_like(c.draw, c.n_rows, c.dim, derive_seed(seed, 0)), how);
    const Certificate certificate = map.content().certificate.value();
    const auto later = rows_like(c.draw, context.sizes().certificate_evaluation_rows, c.dim, derive_seed(seed, 1));
    const double error = held_out_error(*map.content().kernel.kernel, map.feature_map(), later, {}, certificate.error.matrix_rows).error;
    above += error > certificate.error.upper;
    below += error < certificate.error.lower;
    falsely_reached += how.tolerance && certificate.reached && error > *how.tolerance;
    worst = std::fmax(worst, error / certificate.error.upper);
  }
  const auto share = [&](std::size_t count) { return 100.0 * static_cast<double>(count) / static_cast<double>(n_runs); };
  Figures figures{.value = share(above + below), .trials = n_runs};
  figures.note = fmt::format("{:.1f} % above, {:.1f} % below; at worst {:.3g} times the upper end", share(above), share(below), worst);
  if (c.how.tolerance) figures.note += fmt::format("; the tolerance falsely reached in {:.1f} %", share(falsely_reached));
  return figures;
}

}  // namespace

Group certificate_rows() {
  const MapOptions fine{.tolerance = 0.01}, coarse{.tolerance = 0.1}, fixed{.n_features = 128},
      landmarks{.estimator = Estimator::nystrom, .n_features = 32};
  const Case cases[] = {
      {"uniform", "shift-gaussian, uniform in d = 3, 400 rows, tolerance 0.01", "shift-gaussian", uniform_number, 3, 400, fine},
      {"cauchy", "cauchy, normal in d = 2, 100 rows, tolerance 0.1", "cauchy", normal_number, 2, 100, coarse},
      {"shifted-matern", "shifted:matern-3/2, normal in d = 2, 100 rows, tolerance 0.1", "shifted:matern-3/2", normal_number, 2, 100,
       coarse},
      {"matern", "matern-3/2, normal in d = 3, 400 rows, tolerance 0.1", "matern-3/2", normal_number, 3, 400, coarse},
      {"normal", "gaussian, normal in d = 5, 400 rows, 128 features", "gaussian", normal_number, 5, 400, fixed},
      {"heavy-tails", "shift-gaussian, Student's t with 3 degrees of freedom in d = 3, 400 rows, 128 features", "shift-gaussian",
       heavy_tailed_number, 3, 400, fixed},
      {"outliers", "gaussian, normal in d = 5 but one row in 500 30 times as far, 1000 rows, 128 features", "gaussian",
       number_with_outliers, 5, 1000, fixed},
      {"outliers-nystrom", "the same, 32 Nyström features", "gaussian", number_with_outliers, 5, 1000, landmarks}};
  Group group{
      "Certificates",
      "Runs whose error, on rows that took part in nothing, lies outside the 95 % interval of the certificate, above or below: 5 % are "
      "expected if intervals are exact. A certificate knows nothing of rows such as were never seen: of 1000 rows with outliers one "
      "sample in seven has none.",
      {}};
  for (const Case& c : cases)
    group.rows.push_back({fmt::format("certificate-{}", c.name), c.what, "% of the runs",
                          Target{Sense::at_most, 6.4},  // 5 and two standard errors
                          [c](Context& context) { return share_outside(c, context); }});
  return group;
}

}  // namespace askrff::accuracy
