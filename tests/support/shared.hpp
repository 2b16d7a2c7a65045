// Where the reference values and real data are, for tests that skip with a reason where they are absent.
#pragma once

#include <gtest/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace askrff::test {

inline std::filesystem::path shared_dir() {
  const char* from_environment = std::getenv("ASKRFF_SHARED_DIR");
  return from_environment ? from_environment : ASKRFF_SHARED_DIR;
}

/// A number of a golden file: a JSON number or a string that keeps its digits (strtod: some underflow, which std::stod would throw at).
inline double number(const nlohmann::json& value) {
  return value.is_string() ? std::strtod(value.get_ref<const std::string&>().c_str(), nullptr) : value.get<double>();
}

inline nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream in(path);
  return nlohmann::json::parse(in);
}

}  // namespace askrff::test

/// Skips the test, with the reason, where shared/PATH is absent.
#define ASKRFF_NEED_SHARED(path)                                                                                        \
  do {                                                                                                                  \
    if (!std::filesystem::exists(askrff::test::shared_dir() / path))                                                    \
      GTEST_SKIP() << "needs " << (askrff::test::shared_dir() / path).string() << ", which is not part of the project"; \
  } while (false)
