// Puts the page together.
#include "experiments/report/page.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "experiments/report/embedded.hpp"
#include "experiments/report/page_parts.hpp"

namespace askrff::experiments {
namespace {

struct Count {
  std::size_t good = 0, all = 0;

  void add(bool is_good) { good += is_good ? 1 : 0, ++all; }
};

Html count_item(const Count& count, std::string_view what) {
  return count.all == 0 ? Html{} : html("<li><strong>{} of {}</strong> {}</li>\n", count.good, count.all, what);
}

/// The verdicts of all artefacts in numbers.
Html counts_part(const Results& results) {
  Count cells, masses, slopes, gains;
  if (results.table1)
    for (const Cell& c : results.table1->cells)
      if (c.pass) cells.add(*c.pass);
  if (results.fig1)
    for (const MassCheck& c : results.fig1->checks) masses.add(c.within);
  if (results.fig2) {
    for (const Slope& s : results.fig2->slopes)
      if (!results.fig2->methods.empty() && s.method == results.fig2->methods.front().name) slopes.add(s.pass);
    for (const Comparison& c : results.fig2->comparisons) gains.add(c.pass);
  }
  const Html items =
      count_item(cells, "cells of table 1 are as accurate as published, within two standard deviations (linear: 1.2 points)") +
      count_item(masses, "masses of figure 1 lie within two standard errors of the exact ones") +
      count_item(slopes, "curves of the paper's estimator in figure 2 fall like M to the power −1/2, within 0.05") +
      count_item(gains, "curves of other methods in figure 2 lie below the paper's at every M");
  return items.markup.empty() ? Html{} : html("<ul class=\"counts\">\n{}</ul>\n", items);
}

Html notices_part(const std::vector<std::string>& notices) {
  if (notices.empty()) return {};
  Html items;
  for (const std::string& notice : notices) items += html("<li>{}</li>\n", notice);
  return html("<div class=\"notices\" role=\"note\" aria-label=\"Notices\"><ul>\n{}</ul></div>\n", items);
}

Html head_part(const Results& results) {
  return html(
      "<header>\n<h1>The experiments of the paper, run again</h1>\n"
      "<p>M. He, F. He, F. Liu, X. Huang: <cite>Random Fourier Features for Asymmetric Kernels</cite> (2022). Three figures and a table, "
      "made anew by askrff {} with {} {}: the published numbers beside ours where there are any, what the paper claims where there are "
      "none, and the errata that concern each.</p>\n</header>\n",
      results.run.version, results.run.n_trials, results.run.n_trials == 1 ? "trial" : "trials");
}

Html contents_part() {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> entries{{{"fig1", "Figure 1: masses"},
                                                                                  {"fig2", "Figure 2: errors"},
                                                                                  {"fig3", "Figure 3: accuracy and time"},
                                                                                  {"table1", "Table 1: comparison"},
                                                                                  {"run", "What was run"}}};
  Html items;
  for (const auto& [anchor, title] : entries) items += html("<li><a href=\"#{}\">{}</a></li>\n", anchor, title);
  return html("<nav aria-label=\"Contents\"><ul>\n{}</ul></nav>\n", items);
}

void replace(std::string& text, std::string_view mark, std::string_view content) { text.replace(text.find(mark), mark.size(), content); }

}  // namespace

std::string page_of(const Results& results, const DrawnPictures& pictures) {
  const Html contents = head_part(results) + notices_part(results.run.notices) + counts_part(results) + contents_part() + html("<main>\n") +
                        fig1_section(results.fig1, pictures.fig1) + fig2_section(results.fig2, pictures.fig2) +
                        fig3_section(results.fig3, pictures.fig3) + table1_section(results.table1) + run_section(results) +
                        html("</main>\n<footer>Made by askrff {} on {}.</footer>", results.run.version, results.run.date);
  std::string page(page_skeleton);
  replace(page, "<!--style-->", page_style);
  replace(page, "<!--contents-->", contents.markup);
  return page;
}

}  // namespace askrff::experiments
