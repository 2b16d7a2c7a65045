// A foreign program that reads data: the same for every way of consuming askrff::data.
#include <askrff/askrff.hpp>
#include <cstdio>

int main() {
  askrff::DataStream rows = askrff::open_data("builtin:moons:50");
  const askrff::DataSummary summary = askrff::summarise(rows);
  const auto X = askrff::read_data("builtin:moons:50").X;
  const askrff::FeatureMap map(askrff::approximate(*askrff::make_kernel("gaussian"), X.cols(), {.n_frequencies = 64}));
  std::printf("askrff %s: %zu rows, %zu features\n", ASKRFF_VERSION, X.rows(), map.left(X).cols());
  return summary.n_rows == X.rows() && summary.classes.size() == 2 ? 0 : 1;
}
