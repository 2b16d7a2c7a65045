// What the library found on this machine.
#include "askrff/execution.hpp"

#include <sys/utsname.h>

#include <fstream>

#include "backend/backend.hpp"
#include "core/resources.hpp"

namespace askrff {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  std::string line, name = "unknown processor", family, model;
  const auto value_of = [&line](const char* key, std::string& value) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with(key) && colon != std::string::npos && line[std::string_view(key).size()] == '\t') value = line.substr(colon + 2);
  };
  while (std::getline(file, line) && !line.empty()) {
    value_of("model name", name);
    value_of("cpu family", family);
    value_of("model", model);
  }
  utsname system{};
  const std::string architecture = uname(&system) == 0 ? system.machine : "unknown architecture";
  if (!family.empty()) return name + ", family " + family + ", model " + model + ", " + architecture;
  return name + ", " + architecture;
}

}  // namespace

Machine describe_machine() {
  Machine machine;
  machine.processor = processor_name();
  for (const backend::Primitives* each : backend::available()) machine.backends.emplace_back(each->name);
  machine.backend = backend::select(Backend::automatic).name;
  machine.n_processors = available_processors();
  machine.n_threads = resolved_threads({});
  return machine;
}

void streaming_fill(std::span<float> out, float value) { backend::select(Backend::simd).fill(out.data(), out.size(), value); }

}  // namespace askrff
