// Exact draws from every part of an asymmetric kernel's measure, against plain Gaussian numbers.
#include <fmt/format.h>

#include <random>
#include <vector>

#include "askrff/kernels.hpp"
#include "askrff/sampling.hpp"
#include "benchmark.hpp"

namespace askrff::bench {
namespace {

constexpr std::size_t dim = 57;

/// All parts of the shift-Gaussian kernel's measure.
struct Draws {
  explicit Draws(const Sizes& sizes) : measure(shift_gaussian()->measure(dim)), count(sizes.drawn_frequencies) {}

  std::size_t n_numbers() const { return measure->parts().size() * count * dim; }
  Sample sample() const {
    return timed([this] {
      for (const Part part : measure->parts()) draw_frequencies(*measure, part, 0, count);
    });
  }

  std::unique_ptr<const ComplexMeasure> measure;
  std::size_t count;
};

Figures against_standard_library(Context& context) {
  const Draws draws(context.sizes());
  std::vector<double> numbers(draws.n_numbers());
  std::mt19937_64 engine(1);
  std::normal_distribution<double> normal;
  const Sample theirs = timed([&] {
    for (double& number : numbers) number = normal(engine);
  });
  Figures figures = time_ratios(alternate(draws.sample(), theirs, context.effort()));
  figures.note = fmt::format("{} parts, {:.1f} ns per number", draws.measure->parts().size(),
                             1e6 * figures.ours_ms / static_cast<double>(draws.n_numbers()));
  return figures;
}

Figures against_numpy(Context& context) {
  return context.with_python([&](PythonPeer& python) {
    const Draws draws(context.sizes());
    Figures figures = time_ratios(alternate(
        draws.sample(), [&] { return python.normal_seconds(draws.n_numbers()); }, context.effort()));
    figures.note = "NumPy " + python.description().numpy;
    return figures;
  });
}

}  // namespace

std::vector<Benchmark> sampling_rows(const Sizes& sizes) {
  const std::string what =
      fmt::format("exact draws of {} frequencies of every part of shift-gaussian, d = {}, 1 thread", sizes.drawn_frequencies, dim);
  return {{"sampling",
           what,
           "as many numbers of std::normal_distribution over mt19937_64",
           {Sense::at_most, 4.0},
           times_its_time,
           against_standard_library},
          {"sampling-numpy", what, "as many numbers of NumPy's standard_normal", {}, times_its_time, against_numpy}};
}

}  // namespace askrff::bench
