// How a call is carried out: the number of threads. Results are the same bits for any number.
#pragma once

#include <cstddef>

namespace askrff {

struct Execution {
  /// 0: what the environment variable ASKRFF_THREADS says, else as many as the process may use. Small work uses fewer.
  std::size_t n_threads = 0;
};

/// The number a call would use: at least 1. Throws std::invalid_argument if ASKRFF_THREADS is not a number from 1 to 1024, or n_threads is
/// above that.
std::size_t resolved_threads(const Execution& execution);

}  // namespace askrff
