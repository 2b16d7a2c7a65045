// NPY files as text, made for tests.
#pragma once

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace askrff::test {

inline std::string with_header(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) file += static_cast<char>(dictionary.size() >> (8 * i) & 0xFF);
  return file + dictionary + data;
}

inline std::string header(const std::string& type, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }   \n";
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool big_endian = false) {
  std::string bytes;
  for (const T value : values) {
    char buffer[sizeof(T)];
    std::memcpy(buffer, &value, sizeof(T));
    if (big_endian) std::reverse(buffer, buffer + sizeof(T));
    bytes.append(buffer, sizeof(T));
  }
  return bytes;
}

}  // namespace askrff::test
