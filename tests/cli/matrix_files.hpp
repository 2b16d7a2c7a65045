// Matrices in files, for tests of the command line.
#pragma once

#include <fstream>
#include <string>

#include "askrff/data.hpp"
#include "cli/command.hpp"
#include "support/matrices.hpp"

namespace askrff::test {

inline std::string written(const TemporaryFolder& folder, const std::string& name, const Matrix<double>& rows) {
  const std::string path = folder.file(name);
  NpyWriter file(path, rows.rows(), rows.cols(), NpyWriter::Type::float64);
  file.append(rows.view());
  file.finish();
  return path;
}

/// LIBSVM text; numbers that are 0 are left out.
inline std::string written_sparse(const TemporaryFolder& folder, const std::string& name, const Matrix<double>& rows) {
  const std::string path = folder.file(name);
  std::ofstream file(path);
  file.precision(17);
  for (std::size_t i = 0; i < rows.rows(); ++i) {
    file << i % 2;
    for (std::size_t j = 0; j < rows.cols(); ++j)
      if (rows(i, j) != 0) file << ' ' << j + 1 << ':' << rows(i, j);
    file << '\n';
  }
  return path;
}

}  // namespace askrff::test
