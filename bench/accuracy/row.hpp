// What a row of the accuracy benchmark is, what it may use, and the list of all rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "askrff/random.hpp"
#include "problems.hpp"
#include "runner.hpp"

namespace askrff::accuracy {

using bench::Skipped;

struct Sizes {
  std::size_t evaluation_rows = 1000, training_rows = 4000;
  std::size_t trials = 10, curve_trials = 3;
  std::size_t divisor = 1;         ///< of numbers of frequencies and features
  std::size_t max_per_dim = 1024;  ///< the paper's estimator is run up to this many frequencies per part and dimension
  std::size_t certificates = 1000, certificate_evaluation_rows = 1000;
  std::size_t timed_rows = 4000;
  static Sizes quick() { return {40, 160, 2, 1, 32, 4, 3, 60, 64}; }
};

struct Settings {
  Sizes sizes;
  bool quick = false;
  std::string data_dir;  ///< with the four data sets; may be empty
};

/// Points (number of features, error) of one method on one problem, for the plots.
struct Curve {
  std::string data, kernel, method;
  std::vector<std::pair<double, double>> points = {};
};

/// What measuring a row gives.
struct Figures {
  double value = 0;
  double deviation = std::numeric_limits<double>::quiet_NaN();  ///< standard deviation over trials; NaN if there is one only
  std::size_t trials = 1;
  std::string note = {};
  bool is_lower_bound = false;  ///< the value is at least this
  double allowance = 0;         ///< added to the target: the statistical error the row allows for
  std::vector<Curve> curves = {};
};

enum class Sense { at_least, at_most, none };
struct Target {
  Sense sense = Sense::none;
  double value = 0;
  std::string addition = {};  ///< what Figures::allowance is, in words
};

/// Settings, data, and what earlier rows of the run have found.
class Context {
 public:
  explicit Context(Settings settings) : settings_(std::move(settings)) {}

  const Sizes& sizes() const { return settings_.sizes; }
  bool quick() const { return settings_.quick; }
  const std::string& data_dir() const { return settings_.data_dir; }
  /// A number of frequencies or features, smaller in a quick run.
  std::size_t scaled(std::size_t n) const { return std::max<std::size_t>(n / settings_.sizes.divisor, std::min<std::size_t>(n, 12)); }

  /// The real data called `name`; read once. Throws Skipped where its files are not there.
  const Problem& real_data(const std::string& name);
  /// Uniform in [0,1]^dim; made once.
  const Problem& uniform_data(std::size_t dim);
  /// Standard normal; made once.
  const Problem& normal_data(std::size_t dim);

  /// Values of rows measured before, by name.
  std::map<std::string, double> found;

 private:
  Settings settings_;
  std::map<std::string, Problem> problems_;
};

/// Seeds of the trials. The base is used nowhere else: nothing was tuned on these draws.
inline constexpr std::uint64_t base_seed = 20261115;
inline std::uint64_t trial_seed(std::size_t trial) { return derive_seed(base_seed, trial); }

struct Benchmark {
  std::string name, what, unit;
  Target target;
  std::function<Figures(Context&)> measure;  ///< throws Skipped
};

/// Rows that answer one question; a section of the page.
struct Group {
  std::string title, about;
  std::vector<Benchmark> rows;
};

// One function per group, each in the file rows_TOPIC.cpp; their order is the order of the page.
Group saving_rows();
Group uniform_rows();
Group regime_rows();
Group nystrom_rows();
Group orthogonal_rows();
Group gaussian_rows();
Group quadrature_rows();
Group calibration_rows();
Group certificate_rows();
Group structured_rows();
std::vector<Group> all_groups();

}  // namespace askrff::accuracy
