// The text of an expression and what it says: the parser. First step of an expression's way to values: text, syntax, program (program.hpp).
//
// Why by hand: muParser and tinyexpr evaluate one point at a time and call the C library for each function, exprtk and muParser's bulk mode
// loop over points in the same way; a kernel matrix needs vector instructions over blocks of pairs, which an interpreter of points cannot
// give. The language is small, so its parser is shorter than the bridge to a library would be, and its limits are our own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/elementwise.hpp"

namespace askrff::expressions {

/// What a text may have. So the work for one value is bounded, and so is the depth of the parser's calls.
inline constexpr std::size_t max_length = 4096, max_depth = 100, max_operations = 1000;

/// A function of the language: a name, how many arguments, what it becomes, times a factor.
struct Function {
  std::string_view name;
  std::size_t min_arguments, max_arguments;
  backend::Elementwise operation;  ///< more than two arguments of one of two: taken one after another
  double factor;
  std::string_view meaning;
};
std::span<const Function> functions();
/// Null if there is none of that name.
const Function* find_function(std::string_view name);

struct Node {
  enum class Kind { number, name, table, operation };
  Kind kind = Kind::number;
  backend::Elementwise operation = {};
  std::uint32_t arguments[3] = {};  ///< nodes before this one, as many as the operation has; one for a table
  double number = 0;
  std::uint32_t name = 0;    ///< place in Syntax::names, of a name or a table
  std::uint32_t column = 0;  ///< where it stands in the text, from 1
};

/// A name that is no function of the language, once.
struct Name {
  std::string text;
  std::size_t column = 0;  ///< where it stands first
  bool is_table = false;   ///< used as a function of one argument
};

/// Every node behind its arguments; the last one is the whole expression.
struct Syntax {
  std::vector<Node> nodes;
  std::vector<Name> names;
};

/// Throws InvalidArgument "expression, column N: got …, expected …".
Syntax parse(std::string_view text);

/// Throws InvalidArgument with the column in its place.
[[noreturn]] void refuse_at(std::size_t column, const std::string& message);

}  // namespace askrff::expressions
