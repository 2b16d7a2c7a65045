// Labels in a file of their own, for built-in rows: text or NPY.
#include "target.hpp"

#include "askrff/data.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace askrff;
  const std::string labels = fuzz::memory_file(fuzz::text_of(data, size));
  ReadOptions options{.label_file = labels, .max_bytes = std::uint64_t{1} << 24, .execution = {.n_threads = 1}};
  std::size_t n_whole = 0, n_blocks = 0;
  bool whole = true, blocks = true;
  try {
    n_whole = read_data("builtin:uniform:2:4", options).labels.size();
  } catch (const DataError&) {
    whole = false;
  }
  try {
    DataStream stream("builtin:uniform:2:4", options);
    RowBlock block;
    while (stream.next(block, 3)) n_blocks += block.X.rows();
  } catch (const DataError&) {
    blocks = false;
  }
  if (whole != blocks) fuzz::broken(whole ? "read_data accepts what DataStream refuses" : "DataStream accepts what read_data refuses");
  if (whole && (n_whole != 4 || n_blocks != 4)) fuzz::broken("not one label for each row");
  return 0;
}
