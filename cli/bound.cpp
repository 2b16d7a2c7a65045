// askrff bound: how many frequencies the paper's Proposition asks for.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "askrff/operators.hpp"
#include "command.hpp"
#include "kernel_options.hpp"
#include "options.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

struct BoundCommandOptions {
  KernelOptions kernel;
  std::size_t dim = 0;
  BoundOptions bound;
};

Report run_bound(const BoundCommandOptions& options) {
  const ChosenKernel chosen = options.kernel.choose();
  const BoundOptions& asked = options.bound;
  const UniformBound bound = uniform_bound(*chosen.measure(options.dim), asked);
  Report report;
  report.json = {{"kernel", chosen.name},
                 {"parameters", chosen.parameters_json(options.dim)},
                 {"dim", options.dim},
                 {"epsilon", asked.epsilon},
                 {"delta", asked.delta},
                 {"diameter", asked.diameter},
                 {"n_frequencies", bound.n_frequencies},
                 {"n_frequencies_sharp", bound.n_frequencies_sharp},
                 {"beta_d", bound.beta_d},
                 {"sigma_mu2", bound.sigma_mu2},
                 {"alpha_mu2", bound.alpha_mu2},
                 {"total", bound.total}};
  Table table({{"", Align::left}, {"value"}, {"", Align::left}});
  table.add({"frequencies per part", fmt::format("{}", bound.n_frequencies), "the smallest M of the Proposition"});
  table.add({"  sharper", fmt::format("{}", bound.n_frequencies_sharp), "Hoeffding's inequality for each part"});
  table.add({"β_d", fmt::format("{:.6g}", bound.beta_d), ""});
  table.add({"σ_μ²", fmt::format("{:.6g}", bound.sigma_mu2), "E‖ω‖² + E‖ζ‖² + 2E‖ν‖²"});
  table.add({"α_μ²", fmt::format("{:.6g}", bound.alpha_mu2), ""});
  table.add({"‖μ‖", fmt::format("{:.6g}", bound.total), "total mass"});
  report.text = fmt::format(
      "{}\n\n{}\nWith {} frequencies per part, |k̂ - k| ≤ {} everywhere on data of diameter {}, with probability {:.6g}.\n"
      "It is a worst case: askrff approx measures the error on your data.\n",
      chosen.title(options.dim), table.text(), bound.n_frequencies, asked.epsilon, asked.diameter, 1 - asked.delta);
  return report;
}

}  // namespace

Command add_bound(CLI::App& app) {
  CLI::App* parser =
      add_subcommand(app, "bound", "The number of frequencies that guarantees an error everywhere (the paper's Proposition)");
  auto options = std::make_shared<BoundCommandOptions>();
  options->kernel.add_to(*parser);
  required(add_dim(*parser, options->dim));
  with_default(add_number(*parser, "--epsilon", options->bound.epsilon, "Largest error allowed, > 0"), "0.1");
  with_default(add_number(*parser, "--delta", options->bound.delta, "Probability that it is exceeded, in (0,1)"), "0.05");
  required(add_number(*parser, "--diameter", options->bound.diameter, "Diameter of the data, > 0; √d for data in [0,1]^d"));
  add_footer(*parser, "Example:\n  askrff bound --kernel shift-gaussian --dim 57 --epsilon 0.1 --delta 0.05 --diameter 7.55");
  return {parser, [options] { return run_bound(*options); }};
}

}  // namespace askrff::cli
