// One route after the other.
#include "found_measures/function_measure.hpp"

#include <fmt/format.h>

#include <cmath>

#include "askrff/errors.hpp"
#include "core/vectors.hpp"
#include "found_measures/probed_function.hpp"

namespace askrff::found_measures {
namespace {

using RouteFunction = std::optional<FoundMeasure> (*)(const ProbedFunction&);

struct KnownRoute {
  Route route;
  RouteFunction find;
  const char* form;  ///< what the function has to be
};
constexpr KnownRoute known_routes[] = {
    {Route::product, &product_route, "a product of functions of one coordinate each"},
    {Route::radial, &radial_route, "a function of the distance alone"},
    {Route::ridge, &ridge_route, "a Gaussian across one direction times a function along it"},
    {Route::grid, &grid_route, "a function of at most 3 coordinates that a grid can hold"},
};

FoundMeasure none(std::string reason) { return {nullptr, Route::calibrated, std::move(reason), 0}; }

/// Features drawn from μ are off by ∫|μ|/√M: where parts of a kernel cancel so far, fitted weights do better.
FoundMeasure unless_too_large(const ProbedFunction& k, Route route, FoundMeasure found) {
  constexpr double most = 200;
  const double size = found.measure->modulus_bound().value_or(0) / k.largest();
  if (size <= most) return found;
  return none(fmt::format("∫|μ| is {:.2g} times the largest k, too much to be drawn from; the route {} does it nevertheless", size,
                          name_of(route)));
}

FoundMeasure first_that_fits(const BlockFunction& k, std::size_t dim, const FunctionForm& form, const Search& search) {
  try {
    const ProbedFunction probed(k, dim, form, search);
    std::string failures;
    for (const KnownRoute& known : known_routes) try {
        if (auto found = known.find(probed)) return unless_too_large(probed, known.route, *std::move(found));
      } catch (const RouteFails& failed) {
        failures.append(failures.empty() ? "" : "; ").append(failed.message());
      }
    if (!failures.empty()) return none(std::move(failures));
    return none(fmt::format("in {} dimensions k is neither a product, nor radial, nor a Gaussian ridge{}", dim,
                            dim <= 3 ? ", and does not fit a grid" : ""));
  } catch (const NoMeasure& refused) {
    return none(std::string(refused.message()));
  }
}

FoundMeasure by_route(const BlockFunction& k, std::size_t dim, const FunctionForm& form, const Search& search) {
  const ProbedFunction probed(k, dim, form, search);
  for (const KnownRoute& known : known_routes)
    if (known.route == form.route) {
      if (auto found = known.find(probed)) return *std::move(found);
      throw NoMeasure(form.name,
                      fmt::format("the route {} does not fit: in {} dimensions k is not {}", name_of(form.route), dim, known.form));
    }
  throw InvalidArgument(form.name, "unknown route");
}

}  // namespace

void check_form(const FunctionForm& form) {
  if (!(form.tolerance >= 1e-8 && form.tolerance <= 0.1))
    throw InvalidArgument(form.name, fmt::format("a tolerance of {}, expected 1e-8 to 0.1", form.tolerance));
  bool is_zero = true;
  for (const double value : form.direction) {
    if (!std::isfinite(value)) throw InvalidArgument(form.name, fmt::format("the direction holds {}, expected finite numbers", value));
    is_zero = is_zero && value == 0;
  }
  if (!form.direction.empty() && is_zero) throw InvalidArgument(form.name, "the direction is 0, expected a vector with a length");
}

FoundMeasure measure_of_function(const BlockFunction& k, std::size_t dim, const FunctionForm& form, const Execution& execution) {
  check_form(form);
  if (dim == 0) throw InvalidArgument(form.name, "the dimension is 0, expected at least 1");
  if (form.route == Route::calibrated) return none("the route calibrated was asked for, which has no transform");
  const Search search(form.name, execution);
  FoundMeasure found = form.route == Route::automatic ? first_that_fits(k, dim, form, search) : by_route(k, dim, form, search);
  search.end();
  return found;
}

}  // namespace askrff::found_measures
