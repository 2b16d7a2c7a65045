// Which backend runs: the caller's choice, the environment's, or the best there is.
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "backend/backend.hpp"
#include "askrff/errors.hpp"

namespace askrff::backend {

std::span<const Primitives* const> available() {
  static const std::vector<const Primitives*> all = [] {
    std::vector<const Primitives*> list{&reference_primitives()};
    for (const Primitives* each : simd_primitives()) list.push_back(each);
    return list;
  }();
  return all;
}

const Primitives& select(std::string_view name) {
  if (name == "simd") return *simd_primitives().front();
  std::string names = "simd";
  for (const Primitives* each : available()) {
    if (each->name == name) return *each;
    names += fmt::format(", {}", each->name);
  }
  throw InvalidArgument(fmt::format("there is no backend '{}' here, expected automatic, {}", name, names));
}

const Primitives& select(Backend backend) {
  switch (backend) {
    case Backend::reference:
      return reference_primitives();
    case Backend::simd:
      return *simd_primitives().front();
    case Backend::automatic:
      break;
  }
  const char* name = std::getenv("ASKRFF_BACKEND");
  if (!name || !*name || std::string_view(name) == "automatic") return *simd_primitives().front();
  try {
    return select(std::string_view(name));
  } catch (const std::invalid_argument& error) {
    throw InvalidArgument("ASKRFF_BACKEND", fmt::format("{}", error.what()));
  }
}

}  // namespace askrff::backend
