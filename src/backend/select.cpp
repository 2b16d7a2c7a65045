// Which backend runs: the caller's choice, the environment's, or the best there is.
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "backend/backend.hpp"

namespace askrff::backend {

const Primitives& select(Backend backend) {
  if (backend == Backend::automatic) {
    const char* name = std::getenv("ASKRFF_BACKEND");
    if (name && *name && std::string_view(name) != "reference" && std::string_view(name) != "automatic")
      throw std::invalid_argument(fmt::format("ASKRFF_BACKEND is '{}', expected automatic or reference", name));
  }
  return reference_primitives();
}

}  // namespace askrff::backend
