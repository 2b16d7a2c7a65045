// What the pictures have in common: colours, symbols, words.
#pragma once

#include <cstddef>
#include <string>

#include "experiments/report/picture.hpp"

namespace askrff::experiments {

inline constexpr const char* x_label = "log₂(M/d)";
inline constexpr const char* neutral_colour = "#555555";

/// The index-th of Okabe and Ito's colours, told apart by the colour-blind, with a symbol of its own, told apart in grey.
Look look_of(std::size_t index, const std::string& title);

/// A shift along x that keeps the error bars of n curves apart.
double apart(std::size_t index, std::size_t n);

/// "3 panels, one per kernel"
std::string panels_in_words(std::size_t n);

}  // namespace askrff::experiments
