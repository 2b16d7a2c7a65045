// Which maps need it, and how a stand-in is told from a kernel of that name: by the field that says what command made the map, which maps
// made in Python do not have.
#include "stand_in.hpp"

#include <stdexcept>
#include <string>

namespace askrff::python {
namespace {

constexpr const char* mark = "python: the kernel is a function, kept elsewhere";

void set_kernel(Preparation& map, const NamedKernel& kernel) {
  map.kernel = kernel;
  map.nystrom->kernel = kernel.kernel;
}

}  // namespace

std::optional<PythonKernel> take_out_function(Preparation& map) {
  if (!map.nystrom || !map.kernel.name.empty()) return std::nullopt;
  PythonKernel kernel{map.kernel, true};
  set_kernel(map, named_kernel("gaussian"));
  map.command = mark;
  return kernel;
}

void put_back_function(Preparation& map, const std::optional<PythonKernel>& kernel) {
  const bool lacks_one = map.nystrom && map.command == mark;
  if (!lacks_one && !kernel) return;
  if (!kernel) throw std::invalid_argument("from_bytes: no kernel, expected the one that to_bytes gave beside these bytes");
  if (!lacks_one)
    throw std::invalid_argument("from_bytes: got the kernel " + kernel->kernel()->name() + ", expected none: these bytes need no other");
  set_kernel(map, kernel->named);
  map.command.clear();
}

}  // namespace askrff::python
