// A small data set that the catalogue does not know, for tests of reading, downloading and verifying.
#pragma once

#include <string>

#include "experiments/datasets/catalogue.hpp"
#include "experiments/datasets/content.hpp"

namespace askrff::test {

inline const std::string small_text = "1 1:0.5 3:2\n-1 2:-0.25\n1 1:1e-3 2:4 3:-1\n";

inline experiments::CatalogueFile small_file() {
  const Matrix<double> X(3, 3, {0.5, 0, 2, 0, -0.25, 0, 1e-3, 4, -1});
  experiments::ContentDigest digest;
  digest.add(X, {1, -1, 1});
  experiments::CatalogueFile file;
  file.name = "small";
  file.address = "https://127.0.0.1:9/small";
  file.content = {.n_rows = 3, .n_columns = 3, .n_positive = 2, .sha256 = digest.finish()};
  return file;
}

/// With the checksum of its bytes on record.
inline experiments::CatalogueFile small_file_with_bytes() {
  experiments::CatalogueFile file = small_file();
  experiments::Sha256 digest;
  digest.add(small_text);
  file.n_bytes = small_text.size();
  file.sha256 = digest.finish();
  return file;
}

}  // namespace askrff::test
