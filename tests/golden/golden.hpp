// What every test of the reference values needs: reading them, and the kernel an entry speaks of.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "askrff/kernels.hpp"
#include "askrff/views.hpp"
#include "support/shared.hpp"

namespace askrff::test {

using nlohmann::json;

inline json golden(const std::string& file) { return read_json(shared_dir() / "golden" / file); }

inline std::vector<double> vector_of(const json& numbers) {
  std::vector<double> values;
  for (const json& value : numbers) values.push_back(number(value));
  return values;
}

inline Matrix<double> matrix_of(const json& rows) {
  std::vector<double> values;
  for (const json& row : rows)
    for (const double value : vector_of(row)) values.push_back(value);
  return {rows.size(), rows.at(0).size(), std::move(values)};
}

/// The kernel of an entry with "kernel" and, where it is not the paper's setting, "sigma" and "param".
inline std::unique_ptr<Kernel> kernel_of(const json& entry) {
  ParameterValues parameters;
  if (entry.contains("sigma")) parameters.emplace("sigma", number(entry.at("sigma")));
  if (entry.contains("param")) parameters.emplace(entry.at("kernel") == "shift-gaussian" ? "shift" : "beta", vector_of(entry.at("param")));
  return make_kernel(entry.at("kernel").get<std::string>(), parameters);
}

inline std::string label_of(const json& entry) {
  std::string label = entry.at("kernel");
  for (const char* field : {"d", "sigma", "param", "D"})
    if (entry.contains(field)) label += std::string(" ") + field + " " + entry.at(field).dump();
  return label;
}

/// Equal to `relative`, or to `absolute` where that is more.
inline void expect_close(double value, double reference, double relative, double absolute, const char* what) {
  EXPECT_LE(std::fabs(value - reference), std::max(relative * std::fabs(reference), absolute))
      << what << ": " << value << " for " << reference;
}
inline void expect_close(double value, double reference, const char* what) { expect_close(value, reference, 1e-13, 1e-15, what); }

}  // namespace askrff::test
