// The section of table 1.
#include <algorithm>

#include "experiments/report/numbers.hpp"
#include "experiments/report/page_parts.hpp"

namespace askrff::experiments {
namespace {

constexpr SectionText text{
    "table1", "Table 1: asymmetric and symmetric kernels",
    "The paper compares test accuracies at M = 2d, over 10 trials: for each kernel the asymmetric features (Asy) and those of its "
    "symmetric part (Sym), the Gaussian kernel with σ = 2 (RBF) and a linear classifier. LIBLINEAR, C by 5-fold cross-validation; without "
    "a constant column, as the linear row shows.",
    "A cell passes if our mean is at or above the published one less two standard deviations, those published, or 0.3 points where that is "
    "implausibly small; the linear rows, where nothing is random but the split, if they are within 1.2 points."};

constexpr Concern concerns[] = {
    {1, "The masses of the rows Asy are fitted with the corrected sign. As printed the imaginary part would vanish, and Asy would be Sym."},
    {2, "Dimensions and sizes of ijcnn1 and letter are swapped in the paper's table; here each data set has its own."},
    {4, "The frequencies are drawn exactly, as the paper's sampler would not end."},
    {5,
     "Φ is used, and its columns are counted, without the imaginary unit and without those that repeat others, which changes no inner "
     "product. None of them sees the asymmetry."},
    {6,
     "At the same M an asymmetric row has two or three times the frequencies and features of the RBF row, in the paper up to four times "
     "the "
     "columns. The rows beside the paper's give RBF as many. The row "
     "Sym of sinh-gaussian and the RBF row are one method; here they have the same draws and so the same numbers."},
    {7, "Cosh-gaussian is shift-gaussian with another shift, times a constant: two of the three kernels are one family."}};

const Cell* find_cell(const Table1& table, const std::string& dataset, const std::string& row) {
  const auto found = std::ranges::find_if(table.cells, [&](const Cell& c) { return c.dataset == dataset && c.row == row; });
  return found == table.cells.end() ? nullptr : &*found;
}

/// A number of standard deviations.
Html difference(const Cell& cell) { return escaped(signed_fixed(cell.difference(), 1)); }

/// A linear row may miss the published number on either side.
Html cell_verdict(const Cell& cell) {
  return cell.pass ? verdict(*cell.pass, "pass", cell.difference() > 0 ? "lies above" : "falls short") : escaped(no_number);
}

/// Differences alone, for all data sets.
Html overview(const Table1& table) {
  std::vector<HtmlTable::Column> columns{{"row", false}};
  for (const std::string& dataset : table.datasets) columns.push_back({dataset});
  HtmlTable out("At a glance: ours less the published mean, in allowed standard deviations", columns);
  for (const TableRow& row : table.rows) {
    if (!row.in_paper) continue;
    std::vector<Html> cells{escaped(row.title)};
    for (const std::string& dataset : table.datasets) {
      const Cell* cell = find_cell(table, dataset, row.id);
      if (cell == nullptr || !cell->pass)
        cells.push_back(escaped(no_number));
      else
        cells.push_back(
            html("<span class=\"verdict {}\">{} {}</span>", *cell->pass ? "good" : "bad", *cell->pass ? "✓" : "✗", difference(*cell)));
    }
    out.row(cells);
  }
  return out.done();
}

std::vector<Html> cells_of(const TableRow& row, const Cell& c) {
  const Html published = c.paper ? escaped(fixed(Spread{c.paper->mean, c.paper->deviation, 0}, 3)) : escaped(no_number);
  return {escaped(row.title),
          published,
          escaped(fixed(c.accuracy, 3)),
          difference(c),
          cell_verdict(c),
          c.n_frequencies > 0 ? escaped(grouped(c.n_frequencies)) : escaped(no_number),
          escaped(grouped(c.n_features)),
          escaped(duration(c.training_seconds)),
          escaped(rounded(c.microseconds_per_row, 2))};
}

Html dataset_table(const Table1& table, const std::string& dataset) {
  HtmlTable out(dataset + ": test accuracy in percent, mean ± std", {{"row", false},
                                                                     {"published"},
                                                                     {"ours"},
                                                                     {"difference, std"},
                                                                     {"verdict"},
                                                                     {"frequencies"},
                                                                     {"features"},
                                                                     {"training"},
                                                                     {"µs\u00a0per\u00a0row"}});
  for (const bool in_paper : {true, false}) {
    out.group(in_paper ? "The paper's rows" : "Beside the paper");
    for (const TableRow& row : table.rows) {
      const Cell* cell = row.in_paper == in_paper ? find_cell(table, dataset, row.id) : nullptr;
      if (cell != nullptr) out.row(cells_of(row, *cell));
    }
  }
  return out.done();
}

Html rows_part(const Table1& table) {
  Html items;
  for (const TableRow& row : table.rows) items += html("<dt>{}</dt><dd>{}</dd>\n", row.title, row.description);
  return details("What the rows are", html("<dl class=\"rows\">\n{}</dl>\n", items));
}

}  // namespace

Html table1_section(const std::optional<Table1>& table) {
  if (!table) return section(text, not_run_yet(text.name) + errata_part(concerns));
  Html tables = overview(*table);
  for (const std::string& dataset : table->datasets) tables += dataset_table(*table, dataset);
  return section(
      text, findings_part(table->findings) + rows_part(*table) + tables + files_part(text.name, table->seconds) + errata_part(concerns));
}

}  // namespace askrff::experiments
