// OpenBLAS by dlopen, as Debian builds it (32-bit sizes) and as NumPy ships it (other names, 64-bit sizes).
#include "blas.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <stdexcept>

namespace askrff::bench {
namespace {

// The values of CBLAS's enumerations.
constexpr int row_major = 101, no_transpose = 111, transposed = 112, lower = 122;
int op(bool transpose) { return transpose ? transposed : no_transpose; }

template <class Function>
Function* symbol(void* handle, const std::string& name) {
  return reinterpret_cast<Function*>(dlsym(handle, name.c_str()));
}

template <class Function>
Function* needed_symbol(void* handle, const std::string& name) {
  Function* const found = symbol<Function>(handle, name);
  if (found == nullptr) throw std::runtime_error("the library has no " + name);
  return found;
}

template <class Int>
struct Types {
  using Gemm = void(int, int, int, Int, Int, Int, float, const float*, Int, const float*, Int, float, float*, Int);
  using Gemv = void(int, int, Int, Int, float, const float*, Int, const float*, Int, float, float*, Int);
  using Syrk = void(int, int, int, Int, Int, float, const float*, Int, float, float*, Int);
  using Potrf = void(const char*, const Int*, double*, const Int*, Int*, std::size_t);
};

}  // namespace

template <class Int>
void Blas::bind(void* handle, const std::string& prefix, const std::string& suffix) {
  const auto name = [&](const std::string& plain) { return prefix + plain + suffix; };
  auto* const gemm = needed_symbol<typename Types<Int>::Gemm>(handle, name("cblas_sgemm"));
  auto* const gemv = needed_symbol<typename Types<Int>::Gemv>(handle, name("cblas_sgemv"));
  auto* const syrk = needed_symbol<typename Types<Int>::Syrk>(handle, name("cblas_ssyrk"));
  needed_symbol<void(int)>(handle, name("openblas_set_num_threads"))(1);
  if (auto* const core = symbol<const char*()>(handle, name("openblas_get_corename"))) core_ = core();

  const auto size = [](std::size_t n) { return static_cast<Int>(n); };
  gemm_ = [=](bool a, bool b, std::size_t m, std::size_t n, std::size_t k, const float* A, std::size_t lda, const float* B, std::size_t ldb,
              float* C) { gemm(row_major, op(a), op(b), size(m), size(n), size(k), 1, A, size(lda), B, size(ldb), 0, C, size(n)); };
  gemv_ = [=](bool a, std::size_t m, std::size_t n, const float* A, const float* x, float* y) {
    gemv(row_major, op(a), size(m), size(n), 1, A, size(n), x, 1, 0, y, 1);
  };
  syrk_ = [=](std::size_t m, std::size_t n, const float* A, float* C) {
    syrk(row_major, lower, transposed, size(n), size(m), 1, A, size(n), 0, C, size(n));
  };
  if (auto* const potrf = symbol<typename Types<Int>::Potrf>(handle, name("dpotrf_"))) {
    potrf_ = [=](std::size_t n, double* A) {
      const Int order = size(n);
      Int info = 0;
      // Fortran counts by columns: our lower triangle is its upper one.
      potrf("U", &order, A, &order, &info, 1);
      return info == 0;
    };
  }
}

Blas::Blas(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) throw std::runtime_error(dlerror());
  if (dlsym(handle, "scipy_cblas_sgemm64_") != nullptr)
    bind<std::int64_t>(handle, "scipy_", "64_");
  else
    bind<std::int32_t>(handle, "", "");
}

void Blas::product(std::size_t m, std::size_t n, std::size_t k, const float* A, const float* B, float* C) const {
  gemm_(false, false, m, n, k, A, k, B, n, C);
}

void Blas::product_of_rows(std::size_t m, std::size_t n, std::size_t k, const float* A, const float* B, float* C) const {
  gemm_(false, true, m, n, k, A, k, B, k, C);
}

void Blas::gram(std::size_t m, std::size_t n, const float* A, float* C) const { gemm_(true, false, n, n, m, A, n, A, n, C); }

void Blas::half_gram(std::size_t m, std::size_t n, const float* A, float* C) const { syrk_(m, n, A, C); }

void Blas::multiply(std::size_t m, std::size_t n, const float* A, const float* x, float* y) const { gemv_(false, m, n, A, x, y); }

void Blas::multiply_transposed(std::size_t m, std::size_t n, const float* A, const float* x, float* y) const { gemv_(true, m, n, A, x, y); }

void Blas::cholesky(std::size_t n, double* A) const {
  if (!potrf_) throw std::logic_error("Blas::cholesky: there is none; ask has_cholesky first");
  if (!potrf_(n, A)) throw std::runtime_error("dpotrf: the matrix is not positive definite");
}

}  // namespace askrff::bench
