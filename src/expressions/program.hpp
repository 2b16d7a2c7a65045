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
inline constexpr std::size_t block_size = 512;

/// What a name stands for.
struct Meaning {
  enum class Kind { constant, input, root_of_input, table };
  Kind kind = Kind::constant;
  double constant = 0;
  std::size_t input = 0;  ///< its place; of root_of_input the value is the square root of it, and it is never negative
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
  /// One coordinate's share of a product over coordinates: the formula is exp(u)·f, and what comes out is u + input 1 and f times input 2,
  /// so that many coordinates cost one exponential. Where exponents() or factors() is false, there is no such part and no such output.
  static Program factor(const Syntax& syntax, const Meanings& meanings);
  bool exponents() const { return exponents_; }
  bool factors() const { return factors_; }

  std::size_t n_registers() const { return n_registers_; }
  std::size_t n_instructions() const { return instructions_.size(); }

  /// registers: n_registers() · block_size numbers; n ≤ block_size. The only output may be an input; of factor() each may be the one that
  /// it adds to or multiplies.
  void run(const backend::Primitives& primitives, std::span<const double* const> inputs, std::size_t n, double* registers,
           std::span<double* const> outputs) const;
  void run(const backend::Primitives& primitives, std::span<const double* const> inputs, std::size_t n, double* registers,
           double* out) const {
    run(primitives, inputs, n, registers, std::span<double* const>(&out, 1));
  }

 private:
  Program() = default;
  friend class Compiler;
  struct Source {
    enum class Kind : std::uint32_t { constant, input, reg };
    Kind kind = Kind::constant;
    std::uint32_t place = 0;
  };
  struct Instruction {
    bool is_table = false, is_output = false;  ///< is_output: target is the place of an output, else a register
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
