// Kernels as text: names of the registry with their parameters, joined by +, -, * and parentheses.
//
//   sum     = product { (+ | -) product }
//   product = factor { * factor }
//   factor  = number | - factor | ( sum ) | NAME [ ( parameter { , parameter } ) ]
//   parameter = NAME = number | NAME = number/d | NAME = [ number { , number } ]
//
// A name is the longest of the registry that the text goes on with, because names contain hyphens and slashes.
#pragma once

#include <memory>
#include <string_view>

#include "askrff/kernels.hpp"

namespace askrff::kernels {

/// Whether a text is more than a name: it has a parenthesis, + or *, or begins with -, or goes on with - after a name.
bool is_composition(std::string_view text);

/// Throws InvalidArgument, with the position, for what is no kernel; for more than 10 000 characters, 100 kernels or 50 levels of
/// parentheses.
std::unique_ptr<Kernel> kernel_of_text(std::string_view text);

}  // namespace askrff::kernels
