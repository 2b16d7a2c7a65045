// The BLAS other programs on this machine would use, looked at from outside: askrff itself needs none.
#pragma once

#include <optional>
#include <string>

namespace askrff::cli {

struct BlasReport {
  std::string library;      ///< "libopenblas.so.0", …
  std::string core_type;    ///< the processor it believes to run on; empty if it does not say
  int n_threads = 0;        ///< 0 if it does not say
  double sgemm_gflops = 0;  ///< on one thread; 0 if it crashed or did not answer
};

/// OpenBLAS, or another library of the name libblas.so.3; nothing if there is none. It is loaded and measured in a process of its own: a
/// BLAS may crash, and OpenBLAS never returns where it cannot have memory.
std::optional<BlasReport> examine_blas();

}  // namespace askrff::cli
