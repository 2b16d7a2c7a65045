// A law on ω ≥ 0 whose density is linear between knots, drawn from by the inverse of its distribution function in portable arithmetic.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace askrff::found_measures {

class HalfLaw {
 public:
  struct Draw {
    double omega;
    int sign;  ///< of the piece it lies in
  };

  /// A piece from the end of the last one, or from `from` if that lies further out, to `to`, with these densities ≥ 0 at its ends.
  void add(double from, double to, double first, double last, int sign = 1);
  /// |·| of a function that is linear from `first` to `last`: one or two pieces with their signs.
  void add_absolute(double from, double to, double first, double last);
  /// max(·, 0) of a function that is linear from `first` to `last`.
  void add_positive(double from, double to, double first, double last);

  double mass() const { return cumulative_.empty() ? 0.0 : cumulative_.back(); }
  double second_moment() const { return moment_; }  ///< ∫ ω² density
  double mass_beyond(double cut) const;
  /// Where the share u of the mass lies below, 0 < u < 1; the mass must not be 0.
  Draw at(double u) const;

 private:
  struct Piece {
    double from, to, first, last;
    int sign;
  };
  std::vector<Piece> pieces_;
  std::vector<double> cumulative_;  // to the end of every piece
  double moment_ = 0;
};

}  // namespace askrff::found_measures
