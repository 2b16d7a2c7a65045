// Eigen's dense factorisations, which look at a token: they may take minutes for thousands of landmarks, and have no loop of ours to look
// from. Eigen asserts its arguments in every block of every product and loop, and its assertions may throw (its own tests rely on it):
// here they look at the token instead. In a namespace of its own, so that nobody else's Eigen gets them. For one source file only.
#pragma once

#include <cstdint>
#include <string_view>

#include "askrff/execution.hpp"

namespace askrff::landmarks {

/// While one lives, Eigen's calls on this thread throw Stopped on request.
class EigenStop {
 public:
  explicit EigenStop(const StopToken& stop) : before_(token_) { token_ = &stop; }
  ~EigenStop() { token_ = before_; }
  EigenStop(const EigenStop&) = delete;
  EigenStop& operator=(const EigenStop&) = delete;

  /// Whether the assertion is one of the packing of a block, of which a product has one for some milliseconds of work.
  static constexpr bool is_of_a_product(std::string_view condition) { return condition.find("PanelMode") != std::string_view::npos; }

  /// The other assertions are many for every step of an algorithm: it will do to look at some of them.
  template <bool always>
  static void look() {
    if ((always || ++n_asserted_ % 64 == 0) && token_ != nullptr) token_->check();
  }

 private:
  static inline thread_local const StopToken* token_ = nullptr;
  static inline thread_local std::uint32_t n_asserted_ = 0;
  const StopToken* before_;
};

}  // namespace askrff::landmarks

#ifdef EIGEN_CORE_H
#error "stoppable_eigen.hpp must come before any other header of Eigen"
#endif
#define eigen_assert(condition) ::askrff::landmarks::EigenStop::look<::askrff::landmarks::EigenStop::is_of_a_product(#condition)>()
#define Eigen askrff_stoppable_eigen
#include <Eigen/Dense>
