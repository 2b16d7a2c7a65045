// Ctrl-C while the library computes: whoever waits asks now and then whether a signal has come.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>

#include "askrff/kernel.hpp"
#include "bindings.hpp"

namespace askrff::python {

/// Asks the interpreter for signals, at most twenty times a second and only on the thread it was made on: Python handles signals on its
/// main thread, and a call from another one need not ask.
class Interrupts {
 public:
  /// Without the lock of the interpreter. Throws nb::python_error (KeyboardInterrupt, or what a handler raised).
  void check() {
    using namespace std::chrono_literals;
    if (std::this_thread::get_id() != owner_) return;
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < 50ms) return;
    last_ = now;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  }

 private:
  std::thread::id owner_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

/// Calls work(first, count) for pieces of n_rows rows, with a look at signals before each. cost: of a row, in numbers made; pieces are
/// small enough to take a fraction of a second.
template <class Work>
void by_row_blocks(std::size_t n_rows, std::size_t cost, const Work& work) {
  constexpr std::size_t most_numbers = std::size_t{1} << 24, least_rows = 64;
  const std::size_t block_rows = std::max(least_rows, most_numbers / std::max<std::size_t>(cost, 1));
  Interrupts interrupts;
  std::size_t first = 0;
  do {  // once for no rows too: the library checks what it is given
    const std::size_t count = std::min(block_rows, n_rows - first);
    work(first, count);
    first += count;
    interrupts.check();
  } while (first < n_rows);
}

/// The kernel, with a look at signals whenever it is evaluated: a hook into searches and fits that have none of their own.
std::shared_ptr<const Kernel> watched(std::shared_ptr<const Kernel> kernel);

}  // namespace askrff::python
