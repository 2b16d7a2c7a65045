// A recursion along ordered items that is cut at fixed places: what chunks leave behind is found for each by itself, carried from one to
// the next in order, and then all chunks are gone through, on any number of threads and with the same bits.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/ceil_div.hpp"
#include "core/threads.hpp"

namespace askrff {

/// The items of a chunk, first … last - 1.
struct Chunk {
  std::size_t first, last;
  std::size_t size() const { return last - first; }
};

/// Where a recursion is cut: at most `most` chunks of at least 1024 items, by the items alone. may_begin(i), i ≥ 1: whether item i may be
/// the first of a chunk; if not, the chunk before goes on.
class Chunks {
 public:
  template <class MayBegin>
  Chunks(std::size_t n_items, std::size_t most, const MayBegin& may_begin) {
    const std::size_t size = std::max<std::size_t>(1024, ceil_div(n_items, most));
    for (std::size_t first = 0; first < n_items; first = std::max(first + 1, std::min(first + size, n_items))) {
      while (first > 0 && first < n_items && !may_begin(first)) ++first;
      if (first < n_items) begins_.push_back(first);
    }
    begins_.push_back(n_items);
  }
  std::size_t count() const { return begins_.size() - 1; }
  Chunk operator[](std::size_t c) const { return {begins_[c], begins_[c + 1]}; }

 private:
  std::vector<std::size_t> begins_;
};

/// `pass` has: Scratch, a type; n_state, the numbers of a state, which are 0 before the first chunk; prepare(chunk, scratch);
/// leave(chunk, scratch, left), which adds to zeros what the chunk alone leaves at its end; carry(chunk, left, state), which takes `state`
/// from the chunk's begin to its end; and walk(c, chunk, scratch, state), which does the work from the state at the chunk's begin and may
/// use it up.
template <class Pass>
void walk_chunks(Pass& pass, const Chunks& chunks, const Team& team) {
  std::vector<double> state(pass.n_state), left(pass.n_state);
  if (std::min(team.n_threads, chunks.count()) < 2) {  // what was prepared serves both looks at a chunk
    typename Pass::Scratch scratch;
    std::vector<double> begin;
    for (std::size_t c = 0; c < chunks.count(); ++c) {
      team.stop.check();
      const Chunk chunk = chunks[c];
      pass.prepare(chunk, scratch);
      begin = state;
      std::ranges::fill(left, 0.0);
      pass.leave(chunk, scratch, left.data());
      pass.carry(chunk, left.data(), state.data());
      pass.walk(c, chunk, scratch, begin.data());
    }
    return;
  }
  std::vector<std::vector<double>> states(chunks.count());
  parallel_for(chunks.count(), team, [&](std::size_t c) {
    typename Pass::Scratch scratch;
    states[c].resize(pass.n_state);
    pass.prepare(chunks[c], scratch);
    pass.leave(chunks[c], scratch, states[c].data());
  });
  for (std::size_t c = 0; c < chunks.count(); ++c) {
    states[c].swap(left);  // what it leaves
    states[c] = state;     // where it begins
    pass.carry(chunks[c], left.data(), state.data());
  }
  parallel_for(chunks.count(), team, [&](std::size_t c) {
    typename Pass::Scratch scratch;
    pass.prepare(chunks[c], scratch);
    pass.walk(c, chunks[c], scratch, states[c].data());
  });
}

/// b·Δ, at most 800, where e^{-x} is 0: so that 0 is never multiplied by infinity.
inline double decay_exponent(double rate, double span) { return std::min(rate * span, 800.0); }

}  // namespace askrff
