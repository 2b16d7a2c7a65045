// Whatever it is: gzip, bzip2, xz or zstd around any format, found by content.
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  askrff::fuzz::read_both_ways(askrff::fuzz::text_of(data, size), {});
  return 0;
}
