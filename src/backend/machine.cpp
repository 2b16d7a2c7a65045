// What the library found on this machine.
#include "askrff/execution.hpp"

#include "backend/backend.hpp"
#include "core/platform.hpp"
#include "core/resources.hpp"

namespace askrff {

Machine describe_machine() {
  Machine machine;
  machine.processor = platform::processor_name();
  for (const backend::Primitives* each : backend::available()) machine.backends.emplace_back(each->name);
  machine.backend = backend::select(Backend::automatic).name;
  machine.n_processors = available_processors();
  machine.n_threads = resolved_threads({});
  return machine;
}

void streaming_fill(std::span<float> out, float value) { backend::select(Backend::simd).fill(out.data(), out.size(), value); }

}  // namespace askrff
