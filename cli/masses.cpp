// askrff masses: how large the Jordan parts of a kernel's measure are, exactly, by quadrature or fitted on data.
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "askrff/approximate.hpp"
#include "askrff/map.hpp"
#include "askrff/measure.hpp"
#include "interrupt.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "kernel_options.hpp"
#include "map_options.hpp"
#include "messages.hpp"
#include "options.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

enum class Method { exact, quadrature, subset };

constexpr Word<Method> method_words[] = {{Method::exact, "exact", "closed forms"},
                                         {Method::quadrature, "quadrature", "at most 3 dimensions"},
                                         {Method::subset, "subset", "least squares on rows of --data (the paper's Algorithm 2)"}};
constexpr std::span<const Word<Method>> words_of(Method) { return method_words; }

struct MassesOptions {
  KernelOptions kernel;
  DataOptions data;
  MapFlags map;
  Method method = Method::exact;
  std::size_t dim = 0;
};

struct Result {
  std::size_t dim = 0;
  Masses masses;
  std::unique_ptr<const ComplexMeasure> measure;  ///< null for the subset fit
  std::size_t frequencies_per_part = 0;
  std::uint64_t n_rows = 0;
};

/// The masses of Algorithm 2 as they stand in the records of the parts.
Masses fitted_masses(const SpectralAtoms& atoms) {
  Masses masses;
  for (const PartRecord& record : atoms.parts()) masses.of(record.part) = record.mass;
  masses.total = masses.real_positive + masses.real_negative + 2 * masses.imaginary_positive;
  masses.total_variation = std::numeric_limits<double>::quiet_NaN();
  return masses;
}

// Masses are those of parts; these samplers know no parts.
void check_sampler(Sampler sampler) {
  if (sampler == Sampler::structured || sampler == Sampler::quadrature || sampler == Sampler::ridge || sampler == Sampler::grid)
    throw InvalidArgument(
        "--sampler",
        fmt::format("{} draws the whole measure at once, expected one that draws its parts: exact, rejection, orthogonal, mub or "
                    "sobol",
                    name_of(sampler)));
}

Result fit_on_data(const MassesOptions& options, const ChosenKernel& chosen) {
  if (!options.data.is_given()) throw InvalidArgument("--data", "--method subset fits the masses on data, expected a file or builtin:NAME");
  options.map.check();
  check_sampler(options.map.values.sampler);
  DataStream rows = options.data.open({.stop = stop_token()});
  const std::size_t dim = rows.n_columns();
  if (options.dim != 0 && options.dim != dim)
    throw InvalidArgument("--dim", fmt::format("got {}, but {} has {} columns", options.dim, options.data.source, dim));
  chosen.check_dim(dim);
  const MapOptions& asked = options.map.values;
  const DrawnRows drawn = draw_rows(rows, options.data.scale, asked.seed, asked.n_subset, stop_token());
  warn_if_any(drawn.scaling_warning());
  const ApproximateOptions how{.n_frequencies = options.map.frequencies.per_part(dim),
                               .estimator = Estimator::jordan,
                               .sampler = asked.sampler,
                               .weights = Weights::subset,
                               .n_subset = asked.n_subset,
                               .seed = asked.seed,
                               .min_acceptance = asked.min_acceptance};
  return {dim, fitted_masses(approximate(*chosen.kernel, drawn.X, how)), nullptr, how.n_frequencies, drawn.n_rows};
}

Result integrate(const MassesOptions& options, const ChosenKernel& chosen) {
  const std::string reason = fmt::format("only with --method subset, the method is {}", name_of(options.method));
  options.data.refuse_all(reason);
  options.map.refuse_all_but_seed(reason);
  options.map.refuse_seed(reason);
  if (options.dim == 0) throw InvalidArgument("--dim", "missing, expected the dimension of the data");
  auto measure = chosen.measure(options.dim);
  const Masses masses = options.method == Method::exact ? exact_masses(*measure) : quadrature_masses(*measure, {.stop = stop_token()});
  return {options.dim, masses, std::move(measure), 0, 0};
}

/// log ‖part‖ where the exact moments are known; null (NaN) elsewhere, and for an empty part (-inf).
double log_mass(const MassesOptions& options, const Result& result, Part part) {
  if (options.method != Method::exact || !result.measure) return std::numeric_limits<double>::quiet_NaN();
  const auto moments = result.measure->exact_moments(part);
  return moments ? moments->log_mass : std::numeric_limits<double>::quiet_NaN();
}

Json to_json(const MassesOptions& options, const ChosenKernel& chosen, const Result& result) {
  const Masses& masses = result.masses;
  Json json = {{"kernel", chosen.name},
               {"parameters", chosen.parameters_json(result.dim)},
               {"dim", result.dim},
               {"method", name_of(options.method)},
               {"real_positive", masses.real_positive},
               {"real_negative", masses.real_negative},
               {"imaginary_positive", masses.imaginary_positive},
               {"total", masses.total},
               {"total_variation", masses.total_variation},
               {"k0", chosen.kernel->at_zero(result.dim)}};
  for (const Part part : all_parts) json["log_" + std::string(traits(part).name)] = log_mass(options, result, part);
  if (options.method != Method::subset) return json;
  json["seed"] = options.map.values.seed;
  json["sampler"] = name_of(options.map.values.sampler);
  json["subset"] = options.map.values.n_subset;
  json["data"] = options.data.source;
  json["rows"] = result.n_rows;
  json["frequencies_per_part"] = result.frequencies_per_part;
  return json;
}

std::string to_text(const MassesOptions& options, const ChosenKernel& chosen, const Result& result) {
  const Masses& masses = result.masses;
  const auto shown = [](double value) { return std::isnan(value) ? std::string("unknown") : fmt::format("{:.15g}", value); };
  Table table({{"", Align::left}, {"value", Align::left}, {"", Align::left}});
  table.add({"real_positive", shown(masses.real_positive), "‖μ_R⁺‖"});
  const double log_negative = log_mass(options, result, Part::real_negative);
  table.add({"real_negative", shown(masses.real_negative),
             std::isfinite(log_negative) ? fmt::format("‖μ_R⁻‖, logarithm {:.15g}", log_negative) : "‖μ_R⁻‖"});
  table.add({"imaginary_positive", shown(masses.imaginary_positive), "‖μ_I⁺‖ = ‖μ_I⁻‖"});
  table.add({"total", shown(masses.total), "‖μ‖ = ‖μ_R⁺‖ + ‖μ_R⁻‖ + 2‖μ_I⁺‖"});
  table.add({"total variation", shown(masses.total_variation), "∫|μ|"});
  table.add({"k(0)", shown(chosen.kernel->at_zero(result.dim)), "= ‖μ_R⁺‖ - ‖μ_R⁻‖"});
  std::string how = options.method == Method::exact ? "exact" : "by quadrature";
  if (options.method == Method::subset)
    how = fmt::format("fitted on {} rows of {} with {} frequencies per part", options.map.values.n_subset, options.data.source,
                      result.frequencies_per_part);
  return fmt::format("{}, masses {}\n\n{}", chosen.title(result.dim), how, table.text());
}

Report run_masses(const MassesOptions& options) {
  const ChosenKernel chosen = options.kernel.choose();
  const Result result = options.method == Method::subset ? fit_on_data(options, chosen) : integrate(options, chosen);
  return {to_json(options, chosen, result), to_text(options, chosen, result)};
}

}  // namespace

Command add_masses(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "masses", "The masses of the Jordan parts of a kernel's Fourier measure");
  auto options = std::make_shared<MassesOptions>();
  options->map.values.estimator = Estimator::jordan;
  options->map.values.sampler = Sampler::exact;
  options->map.values.weights = Weights::subset;
  options->map.frequencies = {512, false};
  options->kernel.add_without_data(*parser);
  add_dim(*parser, options->dim);
  add_word(*parser, "--method", options->method, "How the masses are found.");
  options->data.add_to(*parser, "Data is for --method subset.");
  options->map.add_frequencies(*parser, "Of each part: 512, or 4d for 4·dimension");
  options->map.add_seed(*parser);
  options->map.add_subset(*parser);
  options->map.add_sampler(*parser);
  add_footer(
      *parser,
      "The file of --data is gone through once, whatever its size: of more than 20 000 rows and --subset so many are drawn by --seed.\n"
      "Examples:\n"
      "  askrff masses --kernel shift-gaussian --dim 8 --sigma 2 --shift 0.25\n"
      "  askrff masses --kernel cosh-gaussian --beta 0.1,0.3 --dim 2 --method quadrature\n"
      "  askrff masses --kernel sinh-gaussian --method subset --data builtin:gauss1d --subset 10 --frequencies 1024");
  return {parser, [options] { return run_masses(*options); }};
}

}  // namespace askrff::cli
