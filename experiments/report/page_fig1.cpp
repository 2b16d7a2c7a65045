// The section of figure 1.
#include "experiments/report/text.hpp"
#include "experiments/report/numbers.hpp"
#include "experiments/report/page_parts.hpp"

namespace askrff::experiments {
namespace {

constexpr SectionText text{"fig1", "Figure 1: masses estimated on ten points",
                           "The paper draws 2000 points from a normal law in one dimension, fits the masses of the three Jordan parts on "
                           "Nₛ = 10 of them (Algorithm 2), and plots mean and standard deviation over 10 trials for M = 2¹ … 2¹⁰ "
                           "frequencies of each part, beside the exact masses.",
                           "There are no published numbers to set beside ours: the figure is a picture that is not part of the paper's "
                           "source. The text says that the estimates “stabilize around the accurate total masses”, that their deviations "
                           "decrease as M grows, and that the estimation is valid even for a small Nₛ."};

constexpr Concern concerns[] = {
    {1,
     "The fit is run with the corrected sign. As printed the imaginary mass comes out as 0, and the picture would not look as the paper "
     "describes it."},
    {3, "The lines are closed forms, and no numerical integral is needed."},
    {14, "The fit has three unknowns and a closed solution; its cost is that of forming its matrices, O(Nₛ² M)."},
    {15,
     "True of shift-gaussian. For sinh- and cosh-gaussian in one dimension the masses are large, their deviations at M = 1024 are a tenth "
     "of "
     "them, and at small M the fit is drawn towards zero."}};

/// (mean - exact) in standard errors; a dash where there is no error.
Html in_errors(const Spread& estimate, double exact) {
  const double error = estimate.standard_error();
  if (error == 0 && estimate.mean == exact) return escaped("0");
  return escaped(error > 0 ? signed_fixed((estimate.mean - exact) / error, 1) : no_number);
}

Html checks_table(const Figure1& figure) {
  HtmlTable table("Masses at the largest M", {{"part", false},
                                              {"M"},
                                              {"exact"},
                                              {"estimate, mean ± std"},
                                              {"difference in standard errors"},
                                              {"verdict"},
                                              {"many trials, mean ± standard error"}});
  for (const std::string& kernel : distinct(figure.checks, &MassCheck::kernel)) {
    table.group(kernel);
    for (const MassCheck& c : figure.checks) {
      if (c.kernel != kernel) continue;
      const Spread many{c.many.mean, c.many.standard_error(), c.many.n_trials};
      table.row({escaped(part_title(c.part)), escaped(grouped(c.n_frequencies)), escaped(rounded(c.exact, 4)), escaped(rounded(c.estimate)),
                 in_errors(c.estimate, c.exact), verdict(c.within, "within 2", "outside 2"),
                 html("{} <span class=\"quiet\">({} trials)</span>", rounded(many), grouped(c.many.n_trials))});
    }
  }
  return table.done();
}

Html explanations(const Figure1& figure) {
  Html items;
  for (const MassCheck& c : figure.checks)
    if (!c.explanation.empty()) items += html("<li>{}, {}: {}</li>\n", c.kernel, part_title(c.part), c.explanation);
  return items.markup.empty() ? Html{} : html("<p>Why an exact mass lies outside:</p>\n<ul>\n{}</ul>\n", items);
}

}  // namespace

Html fig1_section(const std::optional<Figure1>& figure, const std::vector<DrawnPicture>& pictures) {
  if (!figure) return section(text, not_run_yet(text.name) + errata_part(concerns));
  const Html checks = figure->checks.empty() ? Html{} : checks_table(*figure) + explanations(*figure);
  return section(text, figures_part(pictures) + findings_part(figure->findings) + checks + files_part(text.name, figure->seconds) +
                           errata_part(concerns));
}

}  // namespace askrff::experiments
