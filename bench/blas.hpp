// A BLAS loaded at run time: the peer of the dense rows, and no dependency of the build.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace askrff::bench {

/// Row-major routines of one OpenBLAS, on one thread. Throws std::runtime_error if the library cannot be loaded or lacks a routine.
class Blas {
 public:
  /// OPENBLAS_CORETYPE must be set before: the library looks once, when it is loaded. It stays loaded.
  explicit Blas(const std::string& library);

  const std::string& core() const { return core_; }                ///< as the library names what it runs
  bool has_cholesky() const { return static_cast<bool>(potrf_); }  ///< OpenBLAS can be built without LAPACK

  /// C (m × n) = A (m × k) · B, B: k × n.
  void product(std::size_t m, std::size_t n, std::size_t k, const float* A, const float* B, float* C) const;
  /// C (m × n) = A (m × k) · Bᵀ, B: n × k.
  void product_of_rows(std::size_t m, std::size_t n, std::size_t k, const float* A, const float* B, float* C) const;
  /// C (n × n) = Aᵀ·A, A: m × n.
  void gram(std::size_t m, std::size_t n, const float* A, float* C) const;
  /// The lower triangle of the same.
  void half_gram(std::size_t m, std::size_t n, const float* A, float* C) const;
  /// y = A·x and y = Aᵀ·x, A: m × n.
  void multiply(std::size_t m, std::size_t n, const float* A, const float* x, float* y) const;
  void multiply_transposed(std::size_t m, std::size_t n, const float* A, const float* x, float* y) const;
  /// The lower triangle of A (n × n) becomes its Cholesky factor. Throws std::runtime_error if A is not positive definite.
  void cholesky(std::size_t n, double* A) const;

 private:
  template <class Int>
  void bind(void* handle, const std::string& prefix, const std::string& suffix);

  using Gemm = void(bool transpose_a, bool transpose_b, std::size_t m, std::size_t n, std::size_t k, const float* A, std::size_t lda,
                    const float* B, std::size_t ldb, float* C);
  using Gemv = void(bool transpose, std::size_t m, std::size_t n, const float* A, const float* x, float* y);
  std::function<Gemm> gemm_;
  std::function<Gemv> gemv_;
  std::function<void(std::size_t m, std::size_t n, const float* A, float* C)> syrk_;
  std::function<bool(std::size_t n, double* A)> potrf_;
  std::string core_;
};

}  // namespace askrff::bench
