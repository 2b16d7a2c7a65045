// LIBSVM text.
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = askrff::fuzz::text_of(data, size);
  askrff::fuzz::read_both_ways(text, {.format = askrff::DataFormat::libsvm});
  askrff::fuzz::read_both_ways(text, {.format = askrff::DataFormat::libsvm, .n_columns = 5});
  askrff::fuzz::read_both_ways(text, {.format = askrff::DataFormat::libsvm, .n_columns = 1000});  // wide enough to be read as sparse rows
  return 0;
}
