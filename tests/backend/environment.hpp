// ASKRFF_BACKEND for the length of a test.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace askrff::test {

/// Sets the variable (or removes it, for a null name) and puts back what was there.
class BackendEnvironment {
 public:
  explicit BackendEnvironment(const char* name) {
    if (const char* before = std::getenv(variable)) before_ = before;
    put(name);
  }
  ~BackendEnvironment() { put(before_ ? before_->c_str() : nullptr); }
  BackendEnvironment(const BackendEnvironment&) = delete;
  BackendEnvironment& operator=(const BackendEnvironment&) = delete;

 private:
  static void put(const char* name) { name ? setenv(variable, name, 1) : unsetenv(variable); }
  static constexpr const char* variable = "ASKRFF_BACKEND";
  std::optional<std::string> before_;
};

}  // namespace askrff::test
