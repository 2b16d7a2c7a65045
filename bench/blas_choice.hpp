// The fastest BLAS to be had: libraries and core types are tried in short child processes, because OpenBLAS reads the core type only when
// it is loaded, guesses an old one for processors it does not know, and dies of instructions the processor lacks.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace askrff::bench {

/// One library with one core type, tried in a child.
struct Probe {
  std::string library;
  std::string core_type;  ///< OPENBLAS_CORETYPE; empty: not set
  std::string core;       ///< what the library says it runs
  double gflops = 0;      ///< of sgemm on one thread, geometric mean over the shapes tried
  std::string error;      ///< why it was of no use; empty if it was
};

/// Every core type this processor can run, in every library.
std::vector<Probe> probe_blas(const std::vector<std::string>& libraries, bool quick);

/// The fastest, of all or of one library; none if nothing ran.
std::optional<Probe> fastest(const std::vector<Probe>& probes, const std::string& library = {});

/// The child's part: loads `library`, measures sgemm and returns one line of JSON. Throws std::runtime_error.
std::string probe_in_this_process(const std::string& library, bool quick);

}  // namespace askrff::bench
