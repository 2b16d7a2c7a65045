// How a call is carried out: threads, backend, who may stop it and who hears how far it is; and what there is on this machine. On one
// backend results are the same bits for any of it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace askrff {

/// Which implementation of the hot loops runs; the others are judged by the reference. automatic obeys the environment variable
/// ASKRFF_BACKEND (reference, simd, or simd:TARGET as `askrff doctor` lists them), else takes the fastest there is. simd: the best
/// instruction set of this machine, found at run time.
enum class Backend { automatic, reference, simd };

/// Whether the work is to stop. Copies share one request; all threads of a call see it. A token made by default never stops anything.
class StopToken {
 public:
  StopToken() = default;

  bool stop_requested() const noexcept;
  /// Throws Stopped if a stop was requested. On the thread that made the source its poll is asked first, at most every 20 ms; what that
  /// throws is thrown on, and is a request as well. Costs some nanoseconds.
  void check() const;

 private:
  friend class StopSource;
  struct State;
  std::shared_ptr<State> state_;
};

/// Where a stop is requested. Long work looks at its token between pieces of some milliseconds, ends all its threads and throws Stopped.
class StopSource {
 public:
  StopSource();
  /// Also asks `poll`, on the thread that makes the source and while work runs on it: true requests a stop. For signals that only one
  /// thread may look at (Python's), event loops, deadlines.
  explicit StopSource(std::function<bool()> poll);

  /// From any thread, or in a signal handler.
  void request_stop() noexcept;
  StopToken token() const { return token_; }

 private:
  StopToken token_;
};

/// How far a call is.
struct Progress {
  std::string_view stage;  ///< what is being done, "cross-validation" for example; valid during the call only
  double done = 0;         ///< of this stage, 0 … 1; negative where nobody knows
};

struct Execution {
  /// 0: what the environment variable ASKRFF_THREADS says, else as many as the process may use by its affinity and its control group's
  /// quota. Small work uses fewer.
  std::size_t n_threads = 0;
  Backend backend = Backend::automatic;
  StopToken stop = {};
  /// Called now and then on the calling thread; what it throws ends the work.
  std::function<void(const Progress&)> progress = {};
};

/// The number of threads a call would use: at least 1. Throws InvalidArgument if ASKRFF_THREADS is not a number from 1 to 1024, or
/// n_threads is above that.
std::size_t resolved_threads(const Execution& execution);

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
