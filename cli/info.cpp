// askrff info: what is in a data file, read block by block.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "askrff/data.hpp"
#include "command.hpp"
#include "data_options.hpp"
#include "options.hpp"
#include "plural.hpp"
#include "table.hpp"

namespace askrff::cli {
namespace {

struct InfoOptions {
  DataOptions data;
  Execution execution;
};

/// Words of the file for the terminal.
std::string safe_text(const std::string& text) { return printable(text, 40); }

Json labels_json(const DataSummary& summary) {
  if (!summary.has_labels) return nullptr;
  Json json{{"classes", nullptr}, {"lowest", nullptr}, {"highest", nullptr}};
  if (!summary.classes.empty()) {
    json["classes"] = Json::array();
    for (const ClassCount& one : summary.classes) json["classes"].push_back({{"label", one.label}, {"rows", one.n_rows}});
  }
  if (summary.label_range) {
    json["lowest"] = summary.label_range->first;
    json["highest"] = summary.label_range->second;
  }
  return json;
}

std::string name_of_column(const DataSummary& summary, std::size_t j) {
  return summary.column_names.empty() ? "" : summary.column_names[j];
}

Json to_json(const InfoOptions& options, const DataSummary& summary) {
  return {{"data", options.data.source},        {"rows", summary.n_rows},
          {"columns", summary.columns.size()},  {"zeros", summary.n_zeros()},
          {"zero_share", summary.zero_share()}, {"repeated_rows", summary.n_repeated},
          {"labels", labels_json(summary)}};
}

/// What there is one of for every column.
std::vector<LongArray> arrays_of(const std::shared_ptr<const DataSummary>& summary) {
  const LongArray constant{"constant_columns", [summary](const std::function<void(const Json&)>& put) {
                             for (std::size_t j = 0; j < summary->columns.size(); ++j)
                               if (summary->columns[j].is_constant()) put(j + 1);
                           }};
  const LongArray ranges{
      "ranges", [summary](const std::function<void(const Json&)>& put) {
        for (std::size_t j = 0; j < summary->columns.size(); ++j) {
          const ColumnSummary& column = summary->columns[j];
          Json range{{"column", j + 1}};
          if (!summary->column_names.empty()) range["name"] = name_of_column(*summary, j);
          range.update({{"lowest", column.lowest}, {"mean", column.mean}, {"highest", column.highest}, {"zeros", column.n_zeros}});
          put(range);
        }
      }};
  return {constant, ranges};
}

/// "none", or "2 of 57: 3, 7".
std::string constant_columns_text(const DataSummary& summary) {
  constexpr std::size_t max_listed = 10;
  std::string list;
  std::size_t count = 0;
  for (std::size_t j = 0; j < summary.columns.size(); ++j) {
    if (!summary.columns[j].is_constant()) continue;
    if (++count <= max_listed) list += fmt::format("{}{}", list.empty() ? "" : ", ", j + 1);
  }
  if (count == 0) return "none";
  return fmt::format("{} of {}: {}{}", count, summary.columns.size(), list, count > max_listed ? ", …" : "");
}

std::string labels_text(const DataSummary& summary) {
  if (!summary.has_labels) return "none";
  if (summary.classes.empty())
    return summary.label_range ? fmt::format("numbers from {} to {}", summary.label_range->first, summary.label_range->second)
                               : fmt::format("more than {} different words", SummaryOptions{}.max_classes);
  return fmt::format("{} class{}", summary.classes.size(), summary.classes.size() == 1 ? "" : "es");
}

std::string classes_text(const DataSummary& summary) {
  if (summary.classes.empty()) return "";
  Table table({{"class", Align::left}, {"rows"}, {"share"}});
  for (const ClassCount& one : summary.classes)
    table.add({safe_text(one.label), fmt::format("{}", one.n_rows),
               fmt::format("{:.1f} %", 100 * static_cast<double>(one.n_rows) / static_cast<double>(summary.n_rows))});
  return "\n" + table.text();
}

/// A line per column; of many the first and the last.
std::string ranges_text(const DataSummary& summary) {
  constexpr std::size_t max_lines = 24, n_last = 8;
  const std::size_t n = summary.columns.size();
  Table table({{"column", Align::left}, {"lowest"}, {"mean"}, {"highest"}, {"zeros"}});
  for (std::size_t j = 0; j < n; ++j) {
    if (n > max_lines && j == max_lines - n_last) {
      table.add({fmt::format("… {} more", n - max_lines), "", "", "", ""});
      j = n - n_last;
    }
    const ColumnSummary& column = summary.columns[j];
    const std::string name = safe_text(name_of_column(summary, j));
    table.add({fmt::format("{}{}{}", j + 1, name.empty() ? "" : " ", name), fmt::format("{:.6g}", column.lowest),
               fmt::format("{:.6g}", column.mean), fmt::format("{:.6g}", column.highest),
               fmt::format("{:.1f} %", 100 * static_cast<double>(column.n_zeros) / static_cast<double>(summary.n_rows))});
  }
  return "\n" + table.text();
}

Report run_info(const InfoOptions& options) {
  DataStream stream = options.data.open(options.execution);
  const auto found = std::make_shared<const DataSummary>(summarise(stream, {.execution = options.execution}));
  const DataSummary& summary = *found;
  const std::string text = fmt::format(
      "{}: {} × {}\n\nlabels            {}\nzeros             {:.1f} % of the values\nrepeated rows     {}\n"
      "constant columns  {}\n{}{}",
      options.data.source, counted(summary.n_rows, "row"), counted(summary.columns.size(), "column"), labels_text(summary),
      100 * summary.zero_share(), summary.n_repeated, constant_columns_text(summary), classes_text(summary), ranges_text(summary));
  return {.json = to_json(options, summary), .text = text, .long_arrays = arrays_of(found)};
}

}  // namespace

Command add_info(CLI::App& app) {
  CLI::App* parser = add_subcommand(app, "info", "What is in a data file: size, classes, ranges, zeros, repeated rows, constant columns");
  auto options = std::make_shared<InfoOptions>();
  options->data.add_unscaled_to(*parser);
  options->data.add_labels_to(*parser);
  options->data.require();
  add_threads(*parser, options->execution);
  add_footer(
      *parser,
      "The file is read block by block, so it may be larger than memory; 8 bytes are kept for every row to find those that repeat an "
      "earlier\n"
      "one (same values; labels are not looked at). --json has every column, the table only the first and last of many.\n"
      "Examples:\n"
      "  askrff info --data train.libsvm.xz\n"
      "  askrff info --data table.csv --label class --json\n"
      "  askrff info --data X.npy --labels y.npy\n"
      "  askrff info --data 'part-*.csv' --label class");
  return {parser, [options] { return run_info(*options); }};
}

}  // namespace askrff::cli
