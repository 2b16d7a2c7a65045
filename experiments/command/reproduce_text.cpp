// Tables of what was reached.
#include "experiments/command/reproduce_text.hpp"

#include <fmt/format.h>

#include <cmath>

#include "table.hpp"

namespace askrff::experiments {
namespace {

using namespace cli;

std::string spread_text(const Spread& spread, const char* digits) {
  const std::string mean = fmt::format(fmt::runtime(digits), spread.mean);
  return std::isnan(spread.deviation) ? mean : mean + " ± " + fmt::format(fmt::runtime(digits), spread.deviation);
}

std::string findings_text(const std::vector<std::string>& findings) {
  std::string text = findings.empty() ? "" : "\n";
  for (const std::string& finding : findings) text += "- " + finding + "\n";
  return text + "\n";
}

std::string fig1_text(const Figure1& figure) {
  Table table({{"kernel", Align::left}, {"mass", Align::left}, {"exact"}, {"estimated"}, {"within 2 s.e."}});
  for (const MassCheck& check : figure.checks)
    table.add(
        {check.kernel, check.part, fmt::format("{:.5g}", check.exact), spread_text(check.estimate, "{:.4g}"), check.within ? "yes" : "no"});
  return "Figure 1: masses estimated by the paper's algorithm\n\n" + table.text() + findings_text(figure.findings);
}

std::string fig2_text(const Figure2& figure) {
  Table table({{"data", Align::left}, {"kernel", Align::left}, {"slope"}, {"", Align::left}});
  for (const Slope& slope : figure.slopes)
    if (slope.method == "paper")
      table.add({slope.dataset, slope.kernel, fmt::format("{:.3f}", slope.slope), slope.pass ? "as M^-½" : "falls short"});
  return "Figure 2: error of the kernel matrix, the paper's estimator\n\n" + table.text() + findings_text(figure.findings);
}

std::string fig3_text(const Figure3& figure) {
  Table table({{"data", Align::left}, {"kernel", Align::left}, {"log2(M/d)"}, {"accuracy %"}, {"sampling [s]"}});
  for (const AccuracyPoint& point : figure.points)
    table.add({point.dataset, point.kernel, fmt::format("{:.3g}", point.log2_multiple), spread_text(point.accuracy, "{:.2f}"),
               fmt::format("{:.2g}", point.sampling_seconds.mean)});
  return "Figure 3: accuracy and sampling time\n\n" + table.text() + findings_text(figure.findings);
}

std::string table1_text(const Table1& table1) {
  Table table({{"data", Align::left}, {"row", Align::left}, {"accuracy %"}, {"paper"}, {"difference"}, {"", Align::left}});
  for (const Cell& cell : table1.cells)
    table.add({cell.dataset, cell.row, spread_text(cell.accuracy, "{:.2f}"),
               cell.paper ? fmt::format("{:.2f} ± {:.2f}", cell.paper->mean, cell.paper->deviation) : "",
               cell.paper ? fmt::format("{:+.1f} s.d.", cell.difference()) : "",
               !cell.pass   ? ""
               : *cell.pass ? "pass"
                            : "falls short"});
  return "Table 1: test accuracy\n\n" + table.text() + findings_text(table1.findings);
}

}  // namespace

std::string reproduction_text(const Results& results, const std::string& report) {
  std::string text;
  if (results.fig1) text += fig1_text(*results.fig1);
  if (results.fig2) text += fig2_text(*results.fig2);
  if (results.fig3) text += fig3_text(*results.fig3);
  if (results.table1) text += table1_text(*results.table1);
  return text + fmt::format("The report: {}\n", report);
}

}  // namespace askrff::experiments
