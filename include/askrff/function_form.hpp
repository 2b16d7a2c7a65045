// What is known of a user's function that is to be a kernel, and by which route its Fourier measure is to be found.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "askrff/views.hpp"
#include "askrff/words.hpp"

namespace askrff {

/// How the Fourier measure of a function is found, by what the function is made of.
enum class Route { automatic, product, radial, ridge, grid, calibrated };

inline constexpr Word<Route> route_words[] = {
    {Route::automatic, "auto", "the first of product, radial, ridge and grid that fits the function, else calibrated"},
    {Route::product, "product", "a product of functions of one coordinate each: one transform for each that differs"},
    {Route::radial, "radial", "a function of the distance alone: a Hankel transform"},
    {Route::ridge, "ridge", "a Gaussian across one direction, any function along it: one transform"},
    {Route::grid, "grid", "any function in at most 3 dimensions: a fast Fourier transform"},
    {Route::calibrated, "calibrated", "no transform: generic frequencies, every weight fitted to data"}};
constexpr std::span<const Word<Route>> words_of(Route) { return route_words; }

/// values[i] = k(δ_i), δ_i the i-th row of `differences`. What it throws comes out as it was thrown.
using BlockFunction = std::function<void(MatrixView<const double> differences, std::span<double> values)>;

struct FunctionForm {
  Route route = Route::automatic;
  std::vector<double> direction = {};  ///< of a ridge; empty: found
  double tolerance = 1e-6;             ///< of k, relative to its largest value, that transforms aim at; 1e-8 to 0.1
  bool symmetric = false;              ///< k(δ) = k(-δ), which is taken at its word
  bool thread_safe = true;             ///< whether the function may be called from several threads at once
  std::string name = "function";       ///< in messages
  /// Of a function that is smooth but where it passes from one piece to the next: a number for each difference that is the same all over a
  /// piece. Its transform then takes less time. Empty: pieces are not known.
  BlockFunction pieces = {};
  /// In `dim` dimensions, distances from 0 along coordinate i near which the function may do something so narrow that looks all over would
  /// miss it. Along directions between the coordinates those of the first are taken. Empty: none are known.
  std::function<std::vector<double>(std::size_t dim, std::size_t i)> lengths = {};
};

}  // namespace askrff
