// Environment variables for the length of a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace askrff::test {

/// Sets the variable (or removes it, for no value) and puts back what was there.
class EnvironmentVariable {
 public:
  EnvironmentVariable(std::string name, const std::optional<std::string>& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) before_ = before;
    put(value);
  }
  ~EnvironmentVariable() { put(before_); }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  void put(const std::optional<std::string>& value) const { value ? setenv(name_.c_str(), value->c_str(), 1) : unsetenv(name_.c_str()); }
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace askrff::test
