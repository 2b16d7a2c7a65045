// SHA-256 by OpenSSL, which uses the processor's instructions for it where there are some.
#include "experiments/datasets/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "askrff/errors.hpp"

namespace askrff::experiments {

struct Sha256::State {
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
};

namespace {
void require(int ok) {
  if (ok != 1) throw std::runtime_error("Sha256: the cryptographic library refused to compute SHA-256");
}
}  // namespace

Sha256::Sha256() : state_(std::make_unique<State>()) { require(EVP_DigestInit_ex(state_->context.get(), EVP_sha256(), nullptr)); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(const void* bytes, std::size_t n) { require(EVP_DigestUpdate(state_->context.get(), bytes, n)); }

std::string Sha256::finish() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int n = 0;
  require(EVP_DigestFinal_ex(state_->context.get(), digest.data(), &n));
  std::string text;
  for (unsigned int i = 0; i < n; ++i) text += fmt::format("{:02x}", digest[i]);
  return text;
}

std::string sha256_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  Sha256 digest;
  std::vector<char> piece(std::size_t{1} << 18);
  while (in) {
    in.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    digest.add(piece.data(), static_cast<std::size_t>(in.gcount()));
  }
  if (!in.eof()) throw DataError(path.string(), fmt::format("cannot be read: {}", std::strerror(errno)));
  return digest.finish();
}

}  // namespace askrff::experiments
