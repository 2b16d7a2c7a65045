// NPY arrays.
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = askrff::fuzz::text_of(data, size);
  askrff::fuzz::read_both_ways(bytes, {.format = askrff::DataFormat::npy});
  askrff::fuzz::read_both_ways(bytes, {.format = askrff::DataFormat::npy, .label = "1"});
  return 0;
}
