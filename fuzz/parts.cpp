// What travels between a driver and its workers, tasks and results of parts: as it is, and with header and checksum repaired.
#include <string>

#include "askrff/errors.hpp"
#include "parts/pass.hpp"
#include "repaired.hpp"
#include "target.hpp"

namespace askrff::fuzz {
namespace {

/// A task that was accepted can be carried out on two rows of two columns, or refuses them; its result can be joined.
void work(const std::string& task) {
  const parts::PartStart start{.part = 0, .n_before = {3, 4}, .n_here = {}};
  Matrix<double> X(2, 2);
  X(1, 0) = 1;
  try {
    PartWork part(task, start.to_bytes(), {.n_threads = 1});
    RowBlock block{.X = X, .labels = {}, .label_numbers = {0, 1}};
    part.add(block);
    join_results({part.finish()}, {.n_threads = 1});
  } catch (const std::invalid_argument&) {
  } catch (const NumericalError&) {
  }
}

/// A result that was accepted can be joined with nothing.
void join(const std::string& result) {
  try {
    std::vector<io::Records> results;
    results.emplace_back("result", result);
    io::RecordWriter joined;
    parts::pass_of(results[0], "part-result")
        .join(results, {.facts = {}, .start = {}, .execution = {.n_threads = 1}, .kernel = {}}, joined);
    joined.finish();
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace
}  // namespace askrff::fuzz

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace askrff::fuzz;
  const std::string bytes(reinterpret_cast<const char*>(data), size), file = repaired(bytes);
  work(bytes);
  work(file);
  join(file);
  return 0;
}
