// The reference backend: plain loops, written to be read, and the judge of every faster one. Computes in double, rounds once.
// Error of a wave: (dim + 2)/2 · 2^-52 · Σ|ω_k x_k| in the phase, 1 ulp of libm in cos and sin; valid for every finite phase.
#include <algorithm>
#include <cmath>

#include "backend/backend.hpp"
#include "backend/reference/elementwise.hpp"
#include "backend/reference/grid.hpp"

namespace askrff::backend {
namespace {

class PlainFrequencies final : public Projection {
 public:
  explicit PlainFrequencies(MatrixView<const double> view) : matrix(view.rows(), view.cols()) {
    for (std::size_t j = 0; j < view.rows(); ++j) std::ranges::copy(view.row(j), matrix.row(j).begin());
  }
  Matrix<double> matrix;
};

std::unique_ptr<const Projection> make_projection(MatrixView<const double> frequencies) {
  return std::make_unique<PlainFrequencies>(frequencies);
}

std::unique_ptr<const Projection> make_structured_projection(const HadamardBlocks& blocks) {
  return std::make_unique<PlainFrequencies>(blocks.frequencies());
}

/// ω_j·x.
template <class T>
double phase_of(std::span<const double> frequency, const InputRows<T>& x, std::size_t i) {
  double phase = 0;
  if (x.is_sparse) {
    const SparseRow<T> row = x.sparse.row(i);
    for (std::size_t k = 0; k < row.size; ++k) phase += frequency[row.columns[k]] * static_cast<double>(row.values[k]);
  } else {
    for (std::size_t k = 0; k < frequency.size(); ++k) phase += frequency[k] * static_cast<double>(x.dense.row(i)[k]);
  }
  return phase;
}

/// Calls visit(j, Re(a_j e^{iω_j·x}), Im(a_j e^{iω_j·x})) for every wave of row i.
template <class T, class Visit>
void for_each_wave(const Projection& projection, const Amplitudes& amplitudes, const InputRows<T>& x, std::size_t i, const Visit& visit) {
  const Matrix<double>& frequencies = static_cast<const PlainFrequencies&>(projection).matrix;
  for (std::size_t j = 0; j < frequencies.rows(); ++j) {
    const double phase = phase_of(frequencies.row(j), x, i);
    const double cosine = std::cos(phase), sine = std::sin(phase), along = amplitudes.along()[j], across = amplitudes.across()[j];
    visit(j, along * cosine - across * sine, along * sine + across * cosine);
  }
}

template <class T>
void waves(const Projection& projection, const Amplitudes& amplitudes, InputRows<T> x, Rows<T> out, Store) {
  for (std::size_t i = 0; i < x.count; ++i)
    for_each_wave(projection, amplitudes, x, i, [&](std::size_t j, double cosine, double sine) {
      out.row(i)[j] = static_cast<T>(cosine);
      out.row(i)[amplitudes.size() + j] = static_cast<T>(sine);
    });
}

template <class T>
void waves_times(const Projection& projection, const Amplitudes& amplitudes, InputRows<T> x, const T* weights, T* out) {
  for (std::size_t i = 0; i < x.count; ++i) {
    double sum = 0;
    for_each_wave(projection, amplitudes, x, i, [&](std::size_t j, double cosine, double sine) {
      sum += cosine * static_cast<double>(weights[j]) + sine * static_cast<double>(weights[amplitudes.size() + j]);
    });
    out[i] += static_cast<T>(sum);
  }
}

template <class T>
void waves_transposed_times(const Projection& projection, const Amplitudes& amplitudes, InputRows<T> x, const T* values, double* out) {
  for (std::size_t i = 0; i < x.count; ++i)
    for_each_wave(projection, amplitudes, x, i, [&](std::size_t j, double cosine, double sine) {
      out[j] += cosine * static_cast<double>(values[i]);
      out[amplitudes.size() + j] += sine * static_cast<double>(values[i]);
    });
}

/// out(i,j) = update of the value finish(fold of step over coordinates) for all pairs of rows.
template <class T, class Out, class Entry>
void for_each_pair(Rows<const T> a, Rows<const T> b, Rows<Out> out, Update update, const Entry& entry) {
  for (std::size_t i = 0; i < a.count; ++i)
    for (std::size_t j = 0; j < b.count; ++j) {
      const Out value = static_cast<Out>(entry(a.row(i), b.row(j)));
      Out& target = out.row(i)[j];
      target = update == Update::set ? value : update == Update::add ? target + value : target - value;
    }
}

template <class T>
void product(Rows<const T> a, Rows<const T> b, std::size_t n, Rows<T> out, Update update) {
  for_each_pair(a, b, out, update, [n](const T* x, const T* y) {
    double sum = 0;
    for (std::size_t f = 0; f < n; ++f) sum += static_cast<double>(x[f]) * static_cast<double>(y[f]);
    return sum;
  });
}

template <class T>
void transposed_product(Rows<const T> a, Rows<const T> b, const T* weights, std::size_t b_cols, std::size_t first, bool upper,
                        Rows<double> out) {
  for (std::size_t f = first; f < first + out.count; ++f)
    for (std::size_t g = upper ? f : 0; g < b_cols; ++g) {
      double sum = 0;
      for (std::size_t i = 0; i < a.count; ++i)
        sum += (weights ? static_cast<double>(weights[i]) : 1.0) * static_cast<double>(a.row(i)[f]) * static_cast<double>(b.row(i)[g]);
      out.row(f - first)[g] += sum;
    }
}

template <class T>
void rows_times(Rows<const T> a, std::size_t n, const T* weights, T* out) {
  product<T>(a, {weights, 1, n}, n, {out, a.count, 1}, Update::add);
}

template <class T>
void rows_transposed_times(Rows<const T> a, std::size_t n, const T* values, double* out) {
  transposed_product<T>(a, {values, a.count, 1}, nullptr, 1, 0, false, {out, n, 1});
}

void pairs(PairForm form, Rows<const double> x, Rows<const double> y, std::size_t dim, Rows<double> out) {
  for_each_pair(x, y, out, Update::set, [form, dim](const double* a, const double* b) {
    double value = form == PairForm::product ? 1.0 : 0.0;
    for (std::size_t k = 0; k < dim; ++k) {
      const double difference = a[k] - b[k];
      if (form == PairForm::squared) value += difference * difference;
      if (form == PairForm::absolute) value += std::fabs(difference);
      if (form == PairForm::product) value *= 1 + difference * difference;
    }
    return value;
  });
}

void sparse_product(SparseRows<double> a, Rows<const double> b, std::size_t n, Rows<double> out) {
  for (std::size_t i = 0; i < a.count; ++i) {
    std::fill_n(out.row(i), n, 0.0);
    const SparseRow<double> row = a.row(i);
    for (std::size_t k = 0; k < row.size; ++k)
      for (std::size_t f = 0; f < n; ++f) out.row(i)[f] += row.values[k] * b.row(row.columns[k])[f];
  }
}

// One pair after another, of rows that are written out.
void sparse_pairs(PairForm form, SparseRows<double> x, SparseRows<double> y, const double* shift, std::size_t dim, Rows<double> out) {
  std::vector<double> a(dim), b(dim);
  const auto write_out = [dim](const SparseRow<double>& row, const double* start, std::vector<double>& all) {
    for (std::size_t k = 0; k < dim; ++k) all[k] = start ? start[k] : 0.0;
    for (std::size_t k = 0; k < row.size; ++k) all[row.columns[k]] += row.values[k];
  };
  for (std::size_t j = 0; j < y.count; ++j) {
    write_out(y.row(j), nullptr, b);
    for (std::size_t i = 0; i < x.count; ++i) {
      write_out(x.row(i), shift, a);
      pairs(form, {a.data(), 1, dim}, {b.data(), 1, dim}, dim, {out.row(i) + j, 1, 1});
    }
  }
}

void exponentials(double* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) values[i] = std::exp(values[i]);
}

void fill(float* out, std::size_t n, float value) { std::fill_n(out, n, value); }

template <class T>
constexpr ScalarPrimitives<T> table() {
  return {waves<T>, waves_times<T>, waves_transposed_times<T>, rows_times<T>, rows_transposed_times<T>, product<T>, transposed_product<T>};
}

}  // namespace

const Primitives& reference_primitives() {
  static const Primitives primitives{"reference",
                                     make_projection,
                                     make_structured_projection,
                                     table<float>(),
                                     table<double>(),
                                     pairs,
                                     sparse_pairs,
                                     sparse_product,
                                     exponentials,
                                     reference::elementwise,
                                     fill,
                                     reference::grid_primitives<float>(),
                                     reference::grid_primitives<double>()};
  return primitives;
}

}  // namespace askrff::backend
