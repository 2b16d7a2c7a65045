// Two sides measured in turn: one ratio per repeat, so that a machine that slows down for a while slows down both.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace askrff::bench {

/// Seconds one call took. A side that lives in another process brings its own clock; the others are made by timed().
using Sample = std::function<double()>;

/// Times `call`; `prepare` runs before it and is not timed.
Sample timed(std::function<void()> call, std::function<void()> prepare = {});

struct Effort {
  std::size_t repeats = 11;
  double sample_seconds = 0.05;  ///< a quicker call is repeated until it has taken this long, and its mean taken
  double budget_seconds = 60;    ///< after this a row is content with min_repeats
  std::size_t min_repeats = 5;
};

/// Seconds per call, the i-th of one side taken right before the i-th of the other.
struct Pairs {
  std::vector<double> ours, theirs;
};

/// A B A B …, after two unrated calls of each side.
Pairs alternate(const Sample& ours, const Sample& theirs, const Effort& effort);

/// The same for sides that take a minute: no unrated calls, `repeats` of each.
Pairs alternate_slowly(const Sample& ours, const Sample& theirs, std::size_t repeats);

/// Quartiles, interpolated linearly.
struct Spread {
  double lower = 0, median = 0, upper = 0;
};
/// Throws std::logic_error if there are no values.
Spread spread_of(std::vector<double> values);

/// The best of some calls after one unrated: enough to choose between two ways of doing the same.
double best_seconds(const Sample& sample, std::size_t calls = 3);

}  // namespace askrff::bench
