// SHA-256 of bytes that come piece by piece, and of files.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace askrff::experiments {

class Sha256 {
 public:
  /// Throws std::runtime_error if the cryptographic library has no SHA-256.
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void add(const void* bytes, std::size_t n);
  void add(std::string_view bytes) { add(bytes.data(), bytes.size()); }
  /// 64 hexadecimal digits in lower case. Nothing can be added afterwards.
  std::string finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Of all bytes of a regular file, read in pieces. Throws DataError if it cannot be read.
std::string sha256_of_file(const std::filesystem::path& path);

}  // namespace askrff::experiments
