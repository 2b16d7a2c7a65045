// Colours and symbols.
#include "experiments/report/looks.hpp"

#include <fmt/format.h>

#include <array>

namespace askrff::experiments {

Look look_of(std::size_t index, const std::string& title) {
  constexpr std::array colours{"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};
  constexpr std::array symbols{7, 5, 9, 11, 13, 6, 4};
  return {title, colours[index % colours.size()], symbols[index % symbols.size()]};
}

double apart(std::size_t index, std::size_t n) {
  constexpr double step = 0.07;
  return step * (static_cast<double>(index) - (static_cast<double>(n) - 1) / 2);
}

std::string panels_in_words(std::size_t n) { return n == 1 ? "One panel" : fmt::format("{} panels, one per kernel", n); }

}  // namespace askrff::experiments
