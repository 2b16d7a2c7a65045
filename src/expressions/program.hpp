// What an expression becomes: instructions on registers of block_size values each, which a backend's elementwise functions carry out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.hpp"
#include "core/aligned.hpp"
#include "expressions/syntax.hpp"
#include "expressions/table.hpp"

namespace askrff::expressions {

/// Values that go through a program at once: registers stay in the first cache, and a call of a primitive costs little beside its loop.
inline constexpr std::size_t block_size = 1024;

/// What a name stands for.
struct Meaning {
  enum class Kind { constant, input, root_of_input, difference_of_inputs, table };
  Kind kind = Kind::constant;
  double constant = 0;
  std::size_t input = 0;  ///< its place; root_of_input: the square root of it, which is never negative; difference: it minus the next one
  std::shared_ptr<const Table> table = {};
};

/// One for each name of a Syntax.
using Meanings = std::vector<Meaning>;

class Program {
 public:
  /// Equal parts are computed once, what is constant now. Small whole powers are products, a division by a constant is a product with its
  /// inverse, a power of a constant an exponential, so that a value differs from that of the plain expression by roundings; the error of
  /// a function stands in backend/elementwise.hpp. Throws InvalidArgument if a constant part is not finite.
  Program(const Syntax& syntax, const Meanings& meanings);
  /// One coordinate's share of a product over coordinates: the formula is exp(u)·f, and what comes out is u + one input and f times
  /// another, the two behind those that the meanings name, so that many coordinates cost one exponential. Where exponents() or factors() is
  /// false, there is no such part and no such output.
  static Program factor(const Syntax& syntax, const Meanings& meanings);
  bool exponents() const { return exponents_; }
  bool factors() const { return factors_; }

  std::size_t n_registers() const { return n_registers_; }
  std::size_t n_instructions() const { return instructions_.size(); }

  /// registers: n_registers() · block_size numbers; n ≤ block_size. One number may stand for n in the inputs of a difference. The only
  /// output may be an input; of factor() each may be the one that it adds to or multiplies.
  void run(const backend::Primitives& primitives, std::span<const backend::Operand> inputs, std::size_t n, double* registers,
           std::span<double* const> outputs) const;
  void run(const backend::Primitives& primitives, std::span<const backend::Operand> inputs, std::size_t n, double* registers,
           double* out) const {
    run(primitives, inputs, n, registers, std::span<double* const>(&out, 1));
  }

 private:
  Program() = default;
  friend class Compiler;
  struct Source {
    enum class Kind : std::uint32_t { constant, input, reg, carried };
    Kind kind = Kind::constant;
    std::uint32_t place = 0;
  };
  struct Instruction {
    bool is_table = false, is_output = false;  ///< is_output: target is the place of an output, else a register
    bool goes_on = false;                      ///< the next instruction carries its result, which has no target
    backend::Elementwise function = {};
    std::uint32_t table = 0, target = 0;
    Source sources[3] = {};
  };

  std::vector<Instruction> instructions_;
  std::vector<double> constants_;
  std::vector<std::shared_ptr<const Table>> tables_;
  std::size_t n_registers_ = 0;
  std::vector<std::optional<Source>> copied_;  ///< for each output where it is found at the end, unless an instruction has written it
  bool exponents_ = false, factors_ = false;
};

}  // namespace askrff::expressions
