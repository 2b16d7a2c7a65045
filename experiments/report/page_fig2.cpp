// The section of figure 2.
#include <algorithm>
#include <iterator>
#include <set>

#include "experiments/report/text.hpp"
#include "experiments/report/numbers.hpp"
#include "experiments/report/page_parts.hpp"

namespace askrff::experiments {
namespace {

constexpr SectionText text{
    "fig2", "Figure 2: error of the kernel matrix",
    "The paper approximates the kernel matrix of 1000 random rows of each data set, scaled to [0,1]ᵈ, with M = d·2¹ … d·2¹⁰ frequencies of "
    "each part and masses fitted on Nₛ = 50 rows, and plots the relative Frobenius error over 10 trials.",
    "There are no published numbers to set beside ours: the figure is a picture that is not part of the paper's source. The text says that "
    "the average error decreases as M grows and that the standard deviations “reduce significantly”, in agreement with its uniform bound, "
    "by which the error falls like M to the power −1/2."};

constexpr Concern concerns[] = {
    {1,
     "The paper's estimator is run with the corrected sign; as printed its kernel would be symmetric, and its error would stay at what the "
     "asymmetry leaves."},
    {3, "The curve with exact masses uses the closed forms in place of the fit."},
    {4,
     "All frequencies are drawn exactly. By rejection, as the paper describes, one part of shift-gaussian would never be finished in these "
     "dimensions."},
    {15,
     "Masses fitted on 50 rows are biased, but they also make up for some of the luck of the draw: the curve with exact masses on the same "
     "frequencies shows what comes of both."}};

template <class Record>
const Record* find_record(const std::vector<Record>& records, const std::string& dataset, const std::string& kernel,
                          const std::string& method) {
  const auto found =
      std::ranges::find_if(records, [&](const Record& r) { return r.dataset == dataset && r.kernel == kernel && r.method == method; });
  return found == records.end() ? nullptr : &*found;
}

/// A table of data sets and kernels by methods; cell_of(record) fills it.
template <class Record, class CellOf>
Html table_by_method(std::string_view caption, const std::vector<Record>& records, const std::vector<Method>& methods,
                     const CellOf& cell_of) {
  std::vector<HtmlTable::Column> columns{{"kernel", false}};
  for (const Method& method : methods) columns.push_back({method.title});
  HtmlTable table(caption, columns);
  for (const std::string& dataset : distinct(records, &Record::dataset)) {
    table.group(dataset);
    for (const std::string& kernel : distinct(records, &Record::kernel)) {
      std::vector<Html> cells{escaped(kernel)};
      for (const Method& method : methods) {
        const Record* record = find_record(records, dataset, kernel, method.name);
        cells.push_back(record ? cell_of(*record) : escaped(no_number));
      }
      table.row(cells);
    }
  }
  return table.done();
}

/// Only methods of which there is a record.
template <class Record>
std::vector<Method> methods_in(const std::vector<Record>& records, const std::vector<Method>& methods) {
  std::vector<Method> used;
  std::ranges::copy_if(methods, std::back_inserter(used),
                       [&](const Method& m) { return std::ranges::find(records, m.name, &Record::method) != records.end(); });
  return used;
}

Html slopes_table(const Figure2& figure) {
  if (figure.slopes.empty()) return {};
  const std::string paper = figure.methods.empty() ? "" : figure.methods.front().name;
  return table_by_method("Slope of the error in M; the paper's estimator should lie between −0.55 and −0.45", figure.slopes,
                         methods_in(figure.slopes, figure.methods), [&](const Slope& s) {
                           const Html number = escaped(signed_fixed(s.slope, 3));
                           return s.method == paper ? number + html(" {}", verdict(s.pass, "in range", "outside")) : number;
                         });
}

Html gains_table(const Figure2& figure) {
  if (figure.comparisons.empty()) return {};
  return table_by_method(
      "Least gain over the M a method was run with: the paper's mean error divided by the method's; ✓ where it is above 1",
      figure.comparisons, methods_in(figure.comparisons, figure.methods),
      [](const Comparison& c) { return verdict(c.pass, rounded(c.least_gain), rounded(c.least_gain)); });
}

/// The smallest, a middle and the largest M.
std::vector<std::size_t> few_multiples(const Figure2& figure) {
  std::set<std::size_t> distinct_multiples;
  for (const ErrorPoint& p : figure.points) distinct_multiples.insert(p.multiple);
  const std::vector<std::size_t> all(distinct_multiples.begin(), distinct_multiples.end());
  if (all.size() <= 3) return all;
  return {all.front(), all[all.size() / 2 - 1], all.back()};
}

std::vector<Html> error_cells(const Figure2& figure, const std::string& dataset, const std::string& kernel, std::size_t multiple) {
  std::vector<Html> cells{html("{}, M/d = {}", kernel, multiple)};
  for (const Method& method : figure.methods) {
    const auto found = std::ranges::find_if(figure.points, [&](const ErrorPoint& p) {
      return p.dataset == dataset && p.kernel == kernel && p.multiple == multiple && p.method == method.name;
    });
    cells.push_back(escaped(found == figure.points.end() ? no_number : rounded(found->error)));
  }
  return cells;
}

Html errors_table(const Figure2& figure) {
  std::vector<HtmlTable::Column> columns{{"kernel", false}};
  for (const Method& method : figure.methods) columns.push_back({method.title});
  HtmlTable table("Relative error, mean ± std", columns);
  for (const std::string& dataset : distinct(figure.points, &ErrorPoint::dataset)) {
    table.group(dataset);
    for (const std::string& kernel : distinct(figure.points, &ErrorPoint::kernel))
      for (const std::size_t multiple : few_multiples(figure)) table.row(error_cells(figure, dataset, kernel, multiple));
  }
  return table.done();
}

Html methods_part(const std::vector<Method>& methods) {
  Html items;
  for (const Method& method : methods) items += html("<dt>{}</dt><dd>{}</dd>\n", method.title, method.description);
  return html("<dl class=\"rows\">\n{}</dl>\n", items);
}

}  // namespace

Html fig2_section(const std::optional<Figure2>& figure, const std::vector<DrawnPicture>& pictures) {
  if (!figure) return section(text, not_run_yet(text.name) + errata_part(concerns));
  return section(text, methods_part(figure->methods) + figures_part(pictures) + findings_part(figure->findings) + slopes_table(*figure) +
                           gains_table(*figure) +
                           details("Mean errors at the smallest, a middle and the largest M", errors_table(*figure)) +
                           files_part(text.name, figure->seconds) + errata_part(concerns));
}

}  // namespace askrff::experiments
