// Numbers as people read them on the page. What is no number is a dash, never "nan".
#pragma once

#include <cstddef>
#include <string>

#include "experiments/results.hpp"

namespace askrff::experiments {

inline constexpr const char* no_number = "–";

/// "0.0123", "4.93·10⁻⁴": so many significant digits.
std::string rounded(double value, int digits = 3);
/// "92.689"
std::string fixed(double value, int decimals);
/// "+0.4", "−2.3"
std::string signed_fixed(double value, int decimals);
/// "92.69 ± 0.21"; the mean alone for a single trial.
std::string fixed(const Spread& spread, int decimals);
/// "44.3 ± 5.1", "(4.93 ± 0.31)·10⁻⁴": as many digits as the deviation has two of.
std::string rounded(const Spread& spread);
/// "271 617", with thin spaces.
std::string grouped(std::size_t count);
/// "12 µs", "3.4 s", "5 min 20 s", "2 h 5 min"
std::string duration(double seconds);

}  // namespace askrff::experiments
