// Where the knots of a table are.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>

#include "found_measures/line_probes.hpp"
#include "found_measures/line_table.hpp"

namespace askrff::found_measures {
namespace {

constexpr std::size_t max_even_pieces = 16384;  // equally wide ones, where the transform may oscillate
constexpr std::size_t max_table_pieces = 100'000;
constexpr int pieces_per_octave = 8, max_octaves = 600;
constexpr std::size_t at_once = 64;    // pieces between two looks at the stop token
constexpr double most_missing = 1e-2;  // of max|f|

/// The transform at both ends and in the middle, which becomes a knot too.
struct TablePiece {
  double from, to;
  std::complex<double> first, middle, last;

  double centre() const { return 0.5 * (from + to); }
  double mass() const { return (to - from) / 6 * (std::abs(first) + 4 * std::abs(middle) + std::abs(last)); }
  /// ∫|μ - table| over it: a sixth of the width times how far the middle is from the line between the ends.
  double error() const { return (to - from) / 6 * std::abs(middle - 0.5 * (first + last)); }
};

struct WorstFirst {
  bool operator()(const std::pair<double, std::size_t>& a, const std::pair<double, std::size_t>& b) const {
    return a.first < b.first || (a.first == b.first && a.second > b.second);
  }
};

}  // namespace

class LineTable::Builder {
 public:
  Builder(const LineProfile& profile, double tolerance, const Search& search)
      : profile_(profile), search_(search), size_(profile.largest()), allowed_(0.125 * tolerance * size_) {}

  void build(LineTable& table) {
    start();
    go_outwards();
    refine();
    std::ranges::sort(pieces_, {}, &TablePiece::from);
    const std::size_t kept = best_cut();
    for (std::size_t i = 0; i < kept; ++i) {
      add_knot(table, pieces_[i].from, pieces_[i].first);
      add_knot(table, pieces_[i].centre(), pieces_[i].middle);
    }
    add_knot(table, pieces_[kept - 1].to, pieces_[kept - 1].last);
    table.error_ = 2 * missing_ + 4 * profile_.grain();
    if (table.error_ <= most_missing * size_) return;
    throw NoMeasure(search_.owner(),
                    fmt::format("k's Fourier measure falls too slowly: {:.2g} of its mass is left out however far it is followed, as "
                                "with a jump or a cusp; smooth it, or use the calibrated route or Nyström",
                                table.error_ / size_));
  }

 private:
  TablePiece piece(double from, double to, std::complex<double> first) const {
    return {from, to, first, profile_.fourier(0.5 * (from + to)), profile_.fourier(to)};
  }
  void append(double width) {
    if (pieces_.size() % at_once == 0) search_.go_on();
    pieces_.push_back(piece(end_, end_ + width, end_value_));
    end_ += width;
    end_value_ = pieces_.back().last;
  }
  static void add_knot(LineTable& table, double omega, std::complex<double> value) {
    table.knots_.push_back(omega);
    table.values_.push_back(value);
  }

  // Pieces narrow enough for every oscillation, until nearly all energy is found: ∫f² = 4π ∫|μ|² over ω ≥ 0.
  void start() {
    const double width = coarse_power_of_two(1 / profile_.extent()), wanted = (1 - 1e-7) * profile_.energy() / (4 * std::numbers::pi);
    end_value_ = profile_.fourier(0);
    double found = 0;
    while (pieces_.size() < max_even_pieces && (found < wanted || pieces_.size() < 16)) {
      append(width);
      const TablePiece& last = pieces_.back();
      found += width / 6 * (std::norm(last.first) + 4 * std::norm(last.middle) + std::norm(last.last));
    }
  }

  void go_outwards() {
    const double nothing = allowed_ / 8, enough = std::max(4 * end_, 4 / profile_.finest());
    double before = 0;
    for (int octave = 0; octave < max_octaves; ++octave) {
      const double width = end_ / pieces_per_octave;
      double mass = 0;
      for (int i = 0; i < pieces_per_octave; ++i) {
        append(width);
        mass += pieces_.back().mass();
      }
      const double ratio = before > 0 ? std::min(mass / before, 0.99) : 0.5;
      beyond_ = mass * ratio / (1 - ratio);
      if (end_ > enough && mass <= nothing && before <= 8 * nothing) return;
      before = mass;
    }
  }

  // The worst piece is halved until all together are good enough.
  void refine() {
    std::priority_queue<std::pair<double, std::size_t>, std::vector<std::pair<double, std::size_t>>, WorstFirst> worst;
    double sum = 0;
    const auto enter = [&](std::size_t i) {
      const double error = pieces_[i].error();
      sum += error;
      worst.emplace(error, i);
    };
    for (std::size_t i = 0; i < pieces_.size(); ++i) enter(i);
    while (sum > allowed_ && pieces_.size() < max_table_pieces) {
      if (pieces_.size() % at_once == 0) search_.go_on(std::sqrt(allowed_ / sum));
      const auto [error, i] = worst.top();
      worst.pop();
      sum -= error;
      const TablePiece whole = pieces_[i];
      const double middle = whole.centre();
      pieces_[i] = {whole.from, middle, whole.first, profile_.fourier(0.5 * (whole.from + middle)), whole.middle};
      pieces_.push_back({middle, whole.to, whole.middle, profile_.fourier(0.5 * (middle + whole.to)), whole.last});
      enter(i);
      enter(pieces_.size() - 1);
    }
  }

  // Pieces that are not followed are worse than none, and far out there is only what the grain of the values leaves: as few are kept as
  // leave little more missing than the least.
  std::size_t best_cut() {
    std::vector<double> missing(pieces_.size());
    double rest = beyond_, error = 0;
    for (std::size_t i = pieces_.size(); i-- > 0;) {
      missing[i] = rest;
      rest += pieces_[i].mass();
    }
    for (std::size_t i = 0; i < pieces_.size(); ++i) missing[i] += error += pieces_[i].error();
    const double enough = *std::ranges::min_element(missing) + 0.25 * allowed_;
    const auto first = std::ranges::find_if(missing, [&](double each) { return each <= enough; });
    missing_ = *first;
    return static_cast<std::size_t>(first - missing.begin()) + 1;
  }

  const LineProfile& profile_;
  const Search& search_;
  double size_, allowed_;
  std::vector<TablePiece> pieces_;
  double end_ = 0, beyond_ = 0, missing_ = 0;
  std::complex<double> end_value_;
};

LineTable::LineTable(const LineProfile& profile, double tolerance, const Search& search) : parity_(profile.parity()) {
  Builder(profile, tolerance, search).build(*this);
  finish();
}

}  // namespace askrff::found_measures
