// Users' functions of a difference, as callables on blocks.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "askrff/function_kernel.hpp"

namespace askrff::test {

/// A function of one difference, called for every row.
template <class Function>
BlockFunction for_every_row(Function f) {
  return [f](MatrixView<const double> differences, std::span<double> values) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = f(differences.row(i));
  };
}

/// The values of a kernel, without its measure.
inline BlockFunction values_of(std::shared_ptr<const Kernel> kernel) {
  return [kernel](MatrixView<const double> differences, std::span<double> values) { kernel->evaluate(differences, values); };
}

/// What a call says that throws an askrff::Error of the caller's mistake.
template <class Call>
std::string refusal_text(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace askrff::test
