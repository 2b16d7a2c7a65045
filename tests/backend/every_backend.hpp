// A test body that runs on every backend of this machine, forced by name.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace askrff::test {

/// The reference, and the simd source compiled for each instruction set.
inline std::vector<std::string> backend_names() {
  std::vector<std::string> all;
  for (const backend::Primitives* each : backend::available()) all.emplace_back(each->name);
  return all;
}

/// Its name in the list of tests.
inline std::string backend_test_name(const testing::TestParamInfo<std::string>& each) {
  std::string name = each.param;
  std::ranges::replace(name, ':', '_');
  return name;
}

class EveryBackend : public testing::TestWithParam<std::string> {
 protected:
  const backend::Primitives& primitives() const { return backend::select(std::string_view(GetParam())); }
  bool is_reference() const { return GetParam() == "reference"; }
};

}  // namespace askrff::test
