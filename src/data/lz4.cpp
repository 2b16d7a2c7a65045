// LZ4 frames by liblz4, into memory that grows with what they hold.
#include "data/lz4.hpp"

#include <lz4frame.h>

#include <algorithm>
#include <memory>
#include <new>

namespace askrff::data {
namespace {

struct FreeLz4Context {
  void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
};
using Lz4Context = std::unique_ptr<LZ4F_dctx, FreeLz4Context>;

Lz4Context make_lz4_context() {
  LZ4F_dctx* context = nullptr;
  if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0) throw std::bad_alloc();
  return Lz4Context(context);
}

}  // namespace

std::optional<std::vector<char>> decompress_lz4(std::string_view bytes, std::size_t size) {
  const Lz4Context context = make_lz4_context();
  constexpr std::size_t first_bytes = std::size_t{1} << 16;
  std::vector<char> out(std::min(size, first_bytes));
  std::size_t done = 0;
  bool in_frame = false;
  while (!bytes.empty() || in_frame) {
    if (done == out.size() && done < size) out.resize(std::min(size, 2 * done));
    std::size_t n_in = bytes.size(), n_out = out.size() - done;
    const std::size_t result = LZ4F_decompress(context.get(), out.data() + done, &n_out, bytes.data(), &n_in, nullptr);
    if (LZ4F_isError(result) != 0) return std::nullopt;
    bytes.remove_prefix(n_in);
    done += n_out;
    in_frame = result != 0;
    if (n_in == 0 && n_out == 0) return std::nullopt;  // a frame is cut, or holds more than `size`
  }
  if (done != size) return std::nullopt;
  return out;
}

}  // namespace askrff::data
