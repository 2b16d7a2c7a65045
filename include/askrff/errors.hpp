// What the library throws. std::invalid_argument: the caller's mistake; the types below: everything else, and where in the data.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace askrff {

/// A computation that could not reach its stated accuracy or end in bounded time; the message gives the figure it reached.
class NumericalError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A data source that cannot be read as what it claims to be. The message starts with "source:line:" where there is a line.
class DataError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// An output that could not be written in full (disk full, device error); nothing is left under the final name.
class WriteError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace askrff
