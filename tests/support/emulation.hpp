// Whether this program is run by an emulator, where neither time nor memory are those of a processor.
#pragma once

#include <cstdlib>

namespace askrff::test {

/// It says so in the environment (cmake/toolchains). Work then takes as long as the emulator wants, tens of times more than on any
/// processor.
inline bool is_emulated() { return std::getenv("ASKRFF_EMULATED") != nullptr; }

}  // namespace askrff::test
