// Data with labels and the calls of train and predict, for their tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "askrff/random.hpp"
#include "cli/command.hpp"

namespace askrff::test {

inline const Arguments kernel{"--kernel", "shift-gaussian", "--frequencies", "16", "--sigma", "0.5", "--shift", "0.2"};

inline std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline std::string content_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// x, y and a name by the sector of the plane, with a header; a few names are wrong.
inline std::string sectors(std::size_t rows, const std::vector<std::string>& names, std::uint64_t seed = 1) {
  std::ostringstream csv;
  csv << "x,y,kind\n";
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    const double x = random.normal(), y = random.normal(), turn = std::atan2(y, x) / 6.2832 + 0.5;
    const auto k = random.below(50) == 0 ? random.below(names.size()) : static_cast<std::size_t>(turn * static_cast<double>(names.size()));
    csv << x << ',' << y << ",\"" << names[std::min(k, names.size() - 1)] << "\"\n";
  }
  return csv.str();
}

/// x, y, target.
inline std::string surface(std::size_t rows, std::uint64_t seed = 1) {
  std::ostringstream csv;
  csv.precision(17);
  csv << "x,y,z\n";
  for (std::size_t i = 0; i < rows; ++i) {
    RandomStream random(seed, Purpose::builtin_data, i);
    const double x = random.uniform(), y = random.uniform();
    csv << x << ',' << y << ',' << 1000 + std::sin(6 * x) * y + 0.01 * random.normal() << '\n';
  }
  return csv.str();
}

/// Files of one test, and calls about its model.
class Train : public testing::Test {
 protected:
  const TemporaryFolder folder;
  const std::string model = folder.file("m.askrff");
  Arguments train(const std::string& data, const Arguments& more) const {
    return Arguments{"train", "--data", data, "--out", model} + more;
  }
  Arguments predict(const std::string& data, const Arguments& more = {}) const {
    return Arguments{"predict", "--model", model, "--data", data} + more;
  }
};

}  // namespace askrff::test
