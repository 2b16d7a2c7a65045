// The section that says what was run.
#include "experiments/report/numbers.hpp"
#include "experiments/report/page_parts.hpp"

namespace askrff::experiments {
namespace {

Html entry(std::string_view name, const Html& value) { return html("<dt>{}</dt><dd>{}</dd>\n", name, value); }

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

Html files_of(const DatasetRecord& dataset) {
  Html list;
  for (const FileRecord& file : dataset.files) list += html("<br>{}: <code>{}</code>", file.name, file.sha256);
  return list;
}

Html datasets_part(const RunRecord& run) {
  if (run.datasets.empty()) return {};
  HtmlTable table("Sizes", {{"data set", false}, {"columns"}, {"training rows"}, {"test rows"}});
  Html origins;
  for (const DatasetRecord& d : run.datasets) {
    table.row({escaped(d.name), escaped(grouped(d.dim)), escaped(grouped(d.n_training)), escaped(grouped(d.n_test))});
    const Html content = d.content_sha256.empty() ? Html{} : html("<br>parsed content: <code>{}</code>", d.content_sha256);
    origins += entry(d.name, escaped(d.origin) + (d.is_built_in ? escaped("; built in") : Html{}) + files_of(d) + content);
  }
  return html(
      "<h3>Data sets</h3>\n{}<p>Where the rows come from, and the SHA-256 of the files and of the numbers and classes parsed from "
      "them:</p>\n"
      "<dl class=\"rows\">\n{}</dl>\n",
      table.done(), origins);
}

Html times_part(const Results& results) {
  HtmlTable table("Time of all trials, also those of earlier runs", {{"artefact", false}, {"time"}});
  const auto add = [&](std::string_view name, const auto& artefact) {
    table.row({escaped(name), artefact ? escaped(duration(artefact->seconds)) : escaped("not run yet")});
  };
  add("Figure 1", results.fig1);
  add("Figure 2", results.fig2);
  add("Figure 3", results.fig3);
  add("Table 1", results.table1);
  return table.done();
}

}  // namespace

Html run_section(const Results& results) {
  const RunRecord& run = results.run;
  Html entries = entry("askrff", escaped(run.version)) + entry("command", html("<code>{}</code>", run.command)) +
                 entry("date", escaped(run.date)) + entry("processor", escaped(run.processor)) +
                 entry("backend", html("{}, {} {}, {} {} at a time", run.backend, run.n_threads, run.n_threads == 1 ? "thread" : "threads",
                                       run.n_at_once, run.n_at_once == 1 ? "trial" : "trials")) +
                 entry("seed", html("{}", run.seed)) + entry("trials", html("{}{}", run.n_trials, run.quick ? " (a quick run)" : "")) +
                 entry("kernels", escaped(joined(run.kernels))) + entry("time of this call", escaped(duration(run.seconds)));
  const SectionText text{"run", "What was run", "Everything below is also in run.json beside this page.", ""};
  return section(text, html("<dl class=\"rows\">\n{}</dl>\n", entries) + times_part(results) + datasets_part(run));
}

}  // namespace askrff::experiments
