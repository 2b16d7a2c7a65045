// Python functions the library calls: who keeps them alive, and what is made of their results.
#pragma once

#include <string>

#include "arrays.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// A function that a Python object (a Kernel) owns where the garbage collector sees it; known by a weak reference to that object only. May
/// be destroyed with or without the interpreter's lock, and after the interpreter.
class OwnedFunction {
 public:
  /// owner: a weak reference; attribute: of the object, the function.
  OwnedFunction(nb::object owner, std::string name) : owner_(std::move(owner)), name_(std::move(name)) {}
  OwnedFunction(const OwnedFunction&) = delete;
  OwnedFunction& operator=(const OwnedFunction&) = delete;
  ~OwnedFunction();

  const std::string& name() const { return name_; }
  /// "kernel NAME: the function ", for messages.
  std::string who() const { return "kernel " + name_ + ": the function "; }
  /// The function itself; under the lock. Throws std::runtime_error if its owner is gone.
  nb::object get() const;

  /// Of the owner.
  static constexpr const char* attribute = "_function";

 private:
  nb::object owner_;
  std::string name_;
};

/// A NumPy array with a copy of the numbers, which cannot be written to: nobody knows what a function keeps.
nb::object read_only_copy(MatrixView<const double> values);

/// What a function returned as a float64 array in C order. Whole numbers and truth values are numbers too, in any order of bytes; complex
/// numbers and text are not, and masked ones are not there: TypeError, beginning with `who`.
nb::object as_float64(const nb::object& result, const std::string& who);

/// The shape of what was returned, for messages.
std::string shape_text(const nb::object& result);

/// Copies what a function returned to `out`. Throws std::invalid_argument for another shape or numbers that are not finite, TypeError as
/// as_float64; `who` begins the message, `of` says what it was called with.
void copy_result(const nb::object& result, MatrixView<double> out, const std::string& who, const std::string& of);

}  // namespace askrff::python
