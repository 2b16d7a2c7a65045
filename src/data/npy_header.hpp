// The header of an NPY file (format versions 1 to 3): element type, order and shape.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "data/input.hpp"

namespace askrff::data {

struct NpyHeader {
  char kind = 0;              ///< 'f', 'i', 'u' or 'b' (truth values)
  std::size_t item_size = 0;  ///< bytes of an element: 1, 2, 4 or 8
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Consumes magic, version and header; the elements follow. Throws DataError for anything else than one of the types above.
NpyHeader read_npy_header(Input& input);

}  // namespace askrff::data
