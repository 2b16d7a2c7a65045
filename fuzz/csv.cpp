// CSV text, with and without a column of labels.
#include "target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = askrff::fuzz::text_of(data, size);
  askrff::fuzz::read_both_ways(text, {.format = askrff::DataFormat::csv});
  askrff::fuzz::read_both_ways(text, {.format = askrff::DataFormat::csv, .label = "2"});
  askrff::fuzz::read_both_ways(text, {.format = askrff::DataFormat::csv, .label = "y"});
  return 0;
}
