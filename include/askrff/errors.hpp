// What the library throws. Every exception is an askrff::Error, which keeps the place apart from the message, and one of the standard
// library's: std::invalid_argument for the caller's mistakes, std::runtime_error for everything else.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace askrff {

/// What all of them have. what() is "where: message", or the message alone where there is no place to name.
class Error {
 public:
  virtual ~Error() = default;
  virtual const char* what() const noexcept = 0;
  /// Who refused: the function ("FeatureMap::left"), or the place in the data ("train.csv:17"). May be empty.
  std::string_view where() const noexcept { return std::string_view(what()).substr(0, where_size_); }
  /// What was wrong, what was expected.
  std::string_view message() const noexcept { return std::string_view(what()).substr(where_size_ == 0 ? 0 : where_size_ + 2); }

 protected:
  explicit Error(std::size_t where_size) noexcept : where_size_(where_size) {}
  Error(const Error&) = default;
  Error& operator=(const Error&) = default;
  static std::string joined(std::string_view where, std::string_view message) {
    return where.empty() ? std::string(message) : std::string(where).append(": ").append(message);
  }

 private:
  std::size_t where_size_;
};

/// The caller's mistake: sizes, values, options.
class InvalidArgument : public std::invalid_argument, public Error {
 public:
  explicit InvalidArgument(const std::string& message) : std::invalid_argument(message), Error(0) {}
  InvalidArgument(std::string_view where, std::string_view message) : std::invalid_argument(joined(where, message)), Error(where.size()) {}
  const char* what() const noexcept override { return std::invalid_argument::what(); }
};

/// A data source that cannot be read as what it claims to be; where() is "source" or, if there is a line, "source:line".
class DataError : public InvalidArgument {
 public:
  using InvalidArgument::InvalidArgument;
};

/// A computation that could not reach its stated accuracy or end in bounded time; the message gives the figure it reached.
class NumericalError : public std::runtime_error, public Error {
 public:
  explicit NumericalError(const std::string& message) : std::runtime_error(message), Error(0) {}
  NumericalError(std::string_view where, std::string_view message) : std::runtime_error(joined(where, message)), Error(where.size()) {}
  const char* what() const noexcept override { return std::runtime_error::what(); }
};

/// An output that could not be written in full (disk full, device error); nothing is left under the final name.
class WriteError : public std::runtime_error, public Error {
 public:
  explicit WriteError(const std::string& message) : std::runtime_error(message), Error(0) {}
  WriteError(std::string_view where, std::string_view message) : std::runtime_error(joined(where, message)), Error(where.size()) {}
  const char* what() const noexcept override { return std::runtime_error::what(); }
};

/// The work was asked to stop (Execution::stop) and has stopped.
class Stopped : public std::runtime_error, public Error {
 public:
  Stopped() : std::runtime_error("stopped on request"), Error(0) {}
  const char* what() const noexcept override { return std::runtime_error::what(); }
};

/// Text from outside for a message or a terminal: one line, control characters and bytes that are no UTF-8 as `\xNN`, cut after about
/// `max_bytes`.
std::string printable(std::string_view text, std::size_t max_bytes = 100);

}  // namespace askrff
