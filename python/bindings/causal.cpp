// Causal kernels in time and Hawkes processes.
#include <algorithm>
#include <memory>
#include <utility>

#include "arrays.hpp"
#include "askrff/causal.hpp"
#include "askrff/hawkes.hpp"
#include "calls.hpp"

namespace askrff::python {

using namespace nb::literals;

namespace {

/// The numbers of an array of one row: how Python passes those of one dimension.
template <class T>
std::span<const T> row_of(const Array& array, const char* who, const char* what) {
  const MatrixView<const T> view = view_of<T>(array, who, what);
  return {view.data(), view.rows() * view.cols()};
}
template <class T>
std::vector<T> copy_of(const Array& array, const char* who, const char* what) {
  const std::span<const T> row = row_of<T>(array, who, what);
  return {row.begin(), row.end()};
}

ExponentialSum sum_of(const Array& amplitudes, const Array& rates) {
  ExponentialSum sum{copy_of<double>(amplitudes, "ExponentialSum", "amplitudes"), copy_of<double>(rates, "ExponentialSum", "rates")};
  sum.check();
  return sum;
}

nb::object exponential_values(const Array& amplitudes, const Array& rates, const Array& times, bool integral) {
  const ExponentialSum sum = sum_of(amplitudes, rates);
  const std::span<const double> t = row_of<double>(times, "ExponentialSum", "t");
  return to_array(released([&] {
    std::vector<double> values(t.size());
    std::ranges::transform(t, values.begin(), [&](double time) { return integral ? sum.integral(time) : sum.value(time); });
    return values;
  }));
}

/// function(times) gives as many numbers, as an array of one row; the caller has seen to it.
nb::tuple fit_exponentials(const nb::object& function, double horizon, double tolerance, double shortest, std::size_t max_terms) {
  const TimeFunction phi = [&](std::span<const double> t, std::span<double> out) {
    const nb::gil_scoped_acquire lock;
    const nb::object values = function(to_array(std::vector<double>(t.begin(), t.end())));
    const std::vector<double> numbers = copy_of<double>(nb::cast<Array>(values), "fit_exponential_sum", "φ");
    std::copy_n(numbers.begin(), out.size(), out.begin());
  };
  ExponentialFit fit = interruptible(1, [&](const Execution& execution) {
    return fit_exponential_sum(phi, horizon, {.tolerance = tolerance, .shortest = shortest, .max_terms = max_terms}, execution);
  });
  return nb::make_tuple(to_array(std::move(fit.sum.amplitudes)), to_array(std::move(fit.sum.rates)), fit.error);
}

class CausalProduct {
 public:
  CausalProduct(const Array& amplitudes, const Array& rates, const Array& targets, const Array& sources) {
    const ExponentialSum sum = sum_of(amplitudes, rates);
    const auto t = row_of<double>(targets, "CausalOperator", "targets"), s = row_of<double>(sources, "CausalOperator", "sources");
    product_ = released([&] { return std::make_unique<CausalOperator>(sum, t, s); });
  }
  nb::object apply(const Array& V, bool transposed, std::size_t n_threads) const {
    const auto vectors = view_of<double>(V, "CausalOperator", "V");
    return to_array(interruptible(n_threads, [&](const Execution& execution) {
      return transposed ? product_->apply_transposed(vectors, execution) : product_->apply(vectors, execution);
    }));
  }

 private:
  std::unique_ptr<CausalOperator> product_;
};

/// branching: that of all decays, one below the other.
HawkesParameters parameters_of(const Array& baseline, const Array& branching, const Array& decays) {
  constexpr const char* who = "HawkesProcess";
  HawkesParameters parameters{copy_of<double>(baseline, who, "baseline"), {}, copy_of<double>(decays, who, "decay")};
  const auto rows = view_of<double>(branching, who, "branching");
  const std::size_t n = parameters.n_types();
  for (std::size_t k = 0; n > 0 && k < rows.rows() / n; ++k) {
    Matrix<double> matrix(n, rows.cols());
    for (std::size_t u = 0; u < n; ++u) std::ranges::copy(rows.row(k * n + u), matrix.row(u).begin());
    parameters.branching.push_back(std::move(matrix));
  }
  parameters.check();
  return parameters;
}

nb::tuple to_tuple(const HawkesParameters& parameters) {
  const std::size_t n = parameters.n_types();
  Matrix<double> branching(n * parameters.branching.size(), n);
  for (std::size_t k = 0; k < parameters.branching.size(); ++k)
    for (std::size_t u = 0; u < n; ++u) std::ranges::copy(parameters.branching[k].row(u), branching.row(k * n + u).begin());
  return nb::make_tuple(to_array(parameters.baseline), to_array(std::move(branching)), to_array(parameters.decays));
}

HawkesEvents make_events(const Array& times, const Array& types, double horizon, std::size_t n_types) {
  auto t = copy_of<double>(times, "HawkesProcess", "times");
  auto u = copy_of<std::uint32_t>(types, "HawkesProcess", "types");
  return released([&] { return HawkesEvents(std::move(t), std::move(u), horizon, n_types); });
}

nb::tuple fit_events(const HawkesEvents& events, const Array& decays, std::size_t n_threads) {
  const HawkesFitOptions options{copy_of<double>(decays, "HawkesProcess", "decays")};
  const HawkesFit fit = interruptible(n_threads, [&](const Execution& execution) { return fit_hawkes(events, options, execution); });
  return nb::make_tuple(to_tuple(fit.parameters), to_tuple(fit.standard_errors), fit.log_likelihood, fit.n_steps);
}

void bind_hawkes(nb::module_& module) {
  nb::class_<HawkesEvents>(module, "HawkesEvents", "Events in the order of time, with their types.")
      .def_prop_ro("times", [](const HawkesEvents& events) { return to_array(std::vector(events.times().begin(), events.times().end())); })
      .def_prop_ro("types", [](const HawkesEvents& events) { return to_array(std::vector(events.types().begin(), events.types().end())); });
  module.def("hawkes_events", &make_events, "times"_a, "types"_a, "horizon"_a, "n_types"_a,
             "Times and types (uint32), an array of one row each, in any order.");
  module.def("fit_hawkes", &fit_events, "events"_a, "decays"_a, "n_threads"_a = 0,
             "Parameters, their standard errors, the log-likelihood and the number of steps.");
  module.def(
      "hawkes_intensity",
      [](const Array& baseline, const Array& branching, const Array& decays, const HawkesEvents& events, const Array& times,
         std::size_t n_threads) {
        const HawkesParameters parameters = parameters_of(baseline, branching, decays);
        const std::span<const double> t = row_of<double>(times, "HawkesProcess", "t");
        return to_array(
            interruptible(n_threads, [&](const Execution& execution) { return hawkes_intensity(parameters, events, t, execution); }));
      },
      "baseline"_a, "branching"_a, "decays"_a, "events"_a, "times"_a, "n_threads"_a = 0, "Times × types.");
  module.def(
      "hawkes_log_likelihood",
      [](const Array& baseline, const Array& branching, const Array& decays, const HawkesEvents& events, std::size_t n_threads) {
        const HawkesParameters parameters = parameters_of(baseline, branching, decays);
        const HawkesLikelihood result =
            interruptible(n_threads, [&](const Execution& execution) { return hawkes_log_likelihood(parameters, events, execution); });
        return nb::make_tuple(result.value, to_tuple(result.gradient));
      },
      "baseline"_a, "branching"_a, "decays"_a, "events"_a, "n_threads"_a = 0, "The value, and its gradient in all parameters.");
  module.def(
      "simulate_hawkes",
      [](const Array& baseline, const Array& branching, const Array& decays, double horizon, std::uint64_t seed, std::size_t max_events) {
        const HawkesParameters parameters = parameters_of(baseline, branching, decays);
        return interruptible(1,
                             [&](const Execution& execution) { return simulate_hawkes(parameters, horizon, seed, max_events, execution); });
      },
      "baseline"_a, "branching"_a, "decays"_a, "horizon"_a, "seed"_a, "max_events"_a = default_max_events, "HawkesEvents of a seed.");
  module.def(
      "branching_ratio",
      [](const Array& baseline, const Array& branching, const Array& decays) {
        const HawkesParameters parameters = parameters_of(baseline, branching, decays);
        return released([&] { return parameters.branching_ratio(); });
      },
      "baseline"_a, "branching"_a, "decays"_a, "The largest absolute eigenvalue of the branching matrix.");
}

}  // namespace

void bind_causal(nb::module_& module) {
  module.def("exponential_values", &exponential_values, "amplitudes"_a, "rates"_a, "times"_a, "integral"_a = false,
             "Values of a sum of exponentials, or its integrals from 0; arrays of one row.");
  module.def("fit_exponential_sum", &fit_exponentials, "function"_a, "horizon"_a, "tolerance"_a, "shortest"_a, "max_terms"_a,
             "Amplitudes, rates and the error reached; function(times) gives an array of one row.");
  nb::class_<CausalProduct>(module, "CausalProduct", "φ(targets - sources) by its products.")
      .def(nb::init<const Array&, const Array&, const Array&, const Array&>(), "amplitudes"_a, "rates"_a, "targets"_a, "sources"_a)
      .def("apply", &CausalProduct::apply, "V"_a, "transposed"_a = false, "n_threads"_a = 0,
           "Its product with V, or that of its transpose.");
  bind_hawkes(module);
}

}  // namespace askrff::python
