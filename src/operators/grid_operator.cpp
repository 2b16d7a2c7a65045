// Values at the points Y → modes of the grid, each times its weight → values at the points X.
#include "askrff/grid_operator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "core/checks.hpp"
#include "nufft/nufft.hpp"

namespace askrff {
namespace {

constexpr const char* operator_name = "GridOperator";

/// Both transforms err; so does what was left out of the grid.
constexpr double transform_share = 0.25;

/// Transforms err relative to all weights together. Where k is moved away from the points or its parts cancel, it is much smaller than
/// these.
double transform_tolerance(const ChosenGrid& chosen, const SpectralAtoms& atoms) {
  double sum = 0;
  for (const std::complex<double> weight : atoms.weights()) sum += std::abs(weight);
  const double share = chosen.largest > 0 ? std::min(1.0, chosen.largest / sum) : 1.0;
  return transform_share * share * chosen.grid.tolerance;
}

/// The atoms' weights in the order of modes, as complex numbers for both signs of a frequency, times what undoes the windows.
template <class T>
class ModeWeights {
 public:
  ModeWeights(const SpectralAtoms& atoms, const nufft::Nufft<T>& nufft, const StopToken& stop)
      : shape_(nufft.shape()), re_(shape_.n_modes()), im_(shape_.n_modes()) {
    nufft::for_each_mode(shape_, [&](std::size_t place, std::size_t j, bool conjugate, std::size_t a, std::size_t b, std::size_t c) {
      if (place % 65536 == 0) stop.check();
      const std::complex<double> weight = conjugate ? std::conj(atoms.weights()[j]) : atoms.weights()[j];
      const double correction = nufft.corrected(0, a) * nufft.corrected(1, b) * nufft.corrected(2, c);
      const double factor = (j == 0 ? 1.0 : 0.5) * correction * correction;
      re_[place] = static_cast<T>(factor * weight.real());
      im_[place] = static_cast<T>(factor * weight.imag());
    });
  }

  void multiply(nufft::GridTransform<T>& modes, bool conjugate) const {
    const T sign = conjugate ? T{-1} : T{1};
    const std::size_t n = shape_.modes(2);
    for (std::size_t a = 0, at = 0; a < shape_.modes(0); ++a)
      for (std::size_t b = 0; b < shape_.modes(1); ++b, at += n) {
        T *const re = modes.re(a, b), *const im = modes.im(a, b);
        for (std::size_t c = 0; c < n; ++c) {
          const T x = re[c], y = im[c], u = re_[at + c], v = sign * im_[at + c];
          re[c] = x * u - y * v;
          im[c] = x * v + y * u;
        }
      }
  }

 private:
  nufft::GridShape shape_;
  std::vector<T> re_, im_;
};

template <class T>
const FrequencyGrid& grid_of(const SpectralAtoms& atoms, MatrixView<const T> X) {
  if (!atoms.grid()) throw InvalidArgument(operator_name, "these atoms are not on a grid");
  require_columns(X, atoms.dim(), operator_name, "X", "the grid has");
  return *atoms.grid();
}

/// Only differences matter: counted from one of the points they lose no digits far from the origin.
template <class T>
nufft::Torus torus_around(MatrixView<const T> X, const FrequencyGrid& grid) {
  nufft::Torus torus = nufft::Torus::of(grid);
  if (X.rows() > 0) torus.origin.assign(X.row(0).begin(), X.row(0).end());
  return torus;
}

template <class T>
bool same_rows(MatrixView<const T> X, MatrixView<const T> Y) {
  return X.data() == Y.data() && X.rows() == Y.rows() && X.stride() == Y.stride();
}

}  // namespace

template <class T>
struct GridOperator<T>::Plan {
  ChosenGrid chosen;
  nufft::Nufft<T> nufft;
  ModeWeights<T> weights;
  std::shared_ptr<const nufft::SortedPoints<T>> x, y;

  Plan(ChosenGrid grid, const SpectralAtoms& atoms, MatrixView<const T> X, MatrixView<const T> Y, const Execution& execution)
      : chosen(std::move(grid)),
        nufft(chosen.grid.half, torus_around(X, chosen.grid), transform_tolerance(chosen, atoms), execution.stop),
        weights(atoms, nufft, execution.stop),
        x(std::make_shared<nufft::SortedPoints<T>>(nufft.sorted(X, execution.stop))),
        y(same_rows(X, Y) ? x : std::make_shared<nufft::SortedPoints<T>>(nufft.sorted(Y, execution.stop))) {}

  Matrix<T> sums(const nufft::SortedPoints<T>& from, const nufft::SortedPoints<T>& to, bool conjugate, MatrixView<const T> V,
                 const Execution& execution) const {
    if (V.rows() != from.size()) throw InvalidArgument(operator_name, fmt::format("V has {} rows, expected {}", V.rows(), from.size()));
    require_finite<T>(V, operator_name, "V", execution.stop);
    Matrix<T> out(to.size(), V.cols());
    if (out.empty() || from.size() == 0) return out;
    nufft::GridTransform<T> transform = nufft.transform(execution);
    for (std::size_t column = 0; column < V.cols(); ++column) {
      nufft.to_modes(from, V.data() + column, V.stride(), transform, execution);
      weights.multiply(transform, conjugate);
      nufft.to_points(transform, to, out.data() + column, out.cols(), execution);
    }
    return out;
  }
};

template <class T>
GridOperator<T>::GridOperator(const Kernel& kernel, MatrixView<const T> X, MatrixView<const T> Y, const GridOptions& options,
                              const Execution& execution) {
  kernel.find_measure(X.cols(), execution);
  ChosenGrid chosen = choose_grid(kernel, extent_of(X, Y), options);
  const SpectralAtoms atoms = grid_atoms(*kernel.measure(X.cols()), chosen.grid, execution.stop);
  plan_ = std::make_shared<const Plan>(std::move(chosen), atoms, X, Y, execution);
}

template <class T>
GridOperator<T>::GridOperator(const SpectralAtoms& atoms, MatrixView<const T> X, MatrixView<const T> Y, const Execution& execution) {
  const FrequencyGrid& grid = grid_of(atoms, X);
  grid.require_extent(extent_of(X, Y), operator_name);
  plan_ = std::make_shared<const Plan>(ChosenGrid{grid}, atoms, X, Y, execution);
}

template <class T>
std::size_t GridOperator<T>::rows() const {
  return plan_->x->size();
}
template <class T>
std::size_t GridOperator<T>::cols() const {
  return plan_->y->size();
}
template <class T>
const FrequencyGrid& GridOperator<T>::grid() const {
  return plan_->chosen.grid;
}
template <class T>
const ChosenGrid& GridOperator<T>::chosen() const {
  return plan_->chosen;
}

template <class T>
Matrix<T> GridOperator<T>::apply(MatrixView<const T> V, const Execution& execution) const {
  return plan_->sums(*plan_->y, *plan_->x, false, V, execution);
}

template <class T>
Matrix<T> GridOperator<T>::apply_transposed(MatrixView<const T> V, const Execution& execution) const {
  return plan_->sums(*plan_->x, *plan_->y, true, V, execution);
}

template class GridOperator<float>;
template class GridOperator<double>;

}  // namespace askrff
