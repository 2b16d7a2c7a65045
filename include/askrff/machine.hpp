// What the library found on this machine, and the limit its output is measured against.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace askrff {

struct Machine {
  std::string processor;              ///< as the system names it, with its architecture
  std::vector<std::string> backends;  ///< that run here: reference, then simd targets from the best to the plainest
  std::string backend;                ///< the one Backend::automatic takes now
  std::size_t n_processors = 0;       ///< this process may use
  std::size_t n_threads = 0;          ///< a call uses unless told otherwise
};

/// Throws std::invalid_argument if ASKRFF_BACKEND or ASKRFF_THREADS holds nonsense.
Machine describe_machine();

/// Sets every element, writing past the caches as features are written: the time it takes is the limit of a transform.
void streaming_fill(std::span<float> out, float value);

}  // namespace askrff
