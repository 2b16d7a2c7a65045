// Writes results as JSON.
#include "experiments/report/json.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "experiments/report/text.hpp"

namespace askrff::experiments {
namespace {

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json texts(const std::vector<std::string>& values) {
  Json list = Json::array();
  for (const std::string& value : values) list.push_back(clean(value));
  return list;
}

template <class Record, class Convert>
Json list_of(const std::vector<Record>& records, const Convert& convert) {
  Json list = Json::array();
  for (const Record& record : records) list.push_back(convert(record));
  return list;
}

Json spread(const Spread& s) { return {{"mean", number(s.mean)}, {"std", number(s.deviation)}, {"n_trials", s.n_trials}}; }

Json cell(const Cell& c) {
  return {{"dataset", clean(c.dataset)},
          {"row", clean(c.row)},
          {"mean", number(c.accuracy.mean)},
          {"std", number(c.accuracy.deviation)},
          {"n_trials", c.accuracy.n_trials},
          {"paper", c.paper ? number(c.paper->mean) : Json(nullptr)},
          {"paper_std", c.paper ? number(c.paper->deviation) : Json(nullptr)},
          {"allowed_std", c.paper ? number(c.allowed_deviation) : Json(nullptr)},
          {"difference", number(c.difference())},
          {"pass", c.pass ? Json(*c.pass) : Json(nullptr)},
          {"n_frequencies", c.n_frequencies},
          {"n_features", c.n_features},
          {"training_seconds", number(c.training_seconds)},
          {"microseconds_per_row", number(c.microseconds_per_row)}};
}

Json mass_point(const MassPoint& p) {
  return {{"kernel", clean(p.kernel)},
          {"part", clean(p.part)},
          {"n_frequencies", p.n_frequencies},
          {"estimate", spread(p.estimate)},
          {"exact", number(p.exact)}};
}

Json mass_check(const MassCheck& c) {
  return {{"kernel", clean(c.kernel)},
          {"part", clean(c.part)},
          {"n_frequencies", c.n_frequencies},
          {"exact", number(c.exact)},
          {"estimate", spread(c.estimate)},
          {"many", spread(c.many)},
          {"within", c.within},
          {"explanation", clean(c.explanation)}};
}

Json error_point(const ErrorPoint& p) {
  return {{"dataset", clean(p.dataset)}, {"kernel", clean(p.kernel)},        {"method", clean(p.method)},  {"dim", p.dim},
          {"multiple", p.multiple},      {"n_frequencies", p.n_frequencies}, {"n_features", p.n_features}, {"error", spread(p.error)}};
}

Json accuracy_point(const AccuracyPoint& p) {
  return {{"dataset", clean(p.dataset)},
          {"kernel", clean(p.kernel)},
          {"dim", p.dim},
          {"log2_multiple", number(p.log2_multiple)},
          {"n_frequencies", p.n_frequencies},
          {"n_features", p.n_features},
          {"accuracy", spread(p.accuracy)},
          {"sampling_seconds", spread(p.sampling_seconds)}};
}

Json slope(const Slope& s) {
  return {{"dataset", clean(s.dataset)},
          {"kernel", clean(s.kernel)},
          {"method", clean(s.method)},
          {"slope", number(s.slope)},
          {"pass", s.pass}};
}

Json comparison(const Comparison& c) {
  return {{"dataset", clean(c.dataset)},
          {"kernel", clean(c.kernel)},
          {"method", clean(c.method)},
          {"least_gain", number(c.least_gain)},
          {"pass", c.pass}};
}

Json method(const Method& m) { return {{"name", clean(m.name)}, {"title", clean(m.title)}, {"description", clean(m.description)}}; }

Json linear_accuracy(const LinearAccuracy& l) { return {{"dataset", clean(l.dataset)}, {"accuracy", spread(l.accuracy)}}; }

Json table_row(const TableRow& r) {
  return {{"id", clean(r.id)}, {"title", clean(r.title)}, {"description", clean(r.description)}, {"in_paper", r.in_paper}};
}

Json dataset(const DatasetRecord& d) {
  return {{"name", clean(d.name)},
          {"origin", clean(d.origin)},
          {"dim", d.dim},
          {"n_training", d.n_training},
          {"n_test", d.n_test},
          {"content_sha256", clean(d.content_sha256)},
          {"files", list_of(d.files,
                            [](const FileRecord& f) -> Json {
                              return {{"name", clean(f.name)}, {"sha256", clean(f.sha256)}};
                            })},
          {"is_built_in", d.is_built_in}};
}

}  // namespace

Json json_of(const Figure1& figure) {
  return {{"points", list_of(figure.points, mass_point)},
          {"checks", list_of(figure.checks, mass_check)},
          {"findings", texts(figure.findings)},
          {"seconds", number(figure.seconds)}};
}

Json json_of(const Figure2& figure) {
  return {{"methods", list_of(figure.methods, method)}, {"points", list_of(figure.points, error_point)},
          {"slopes", list_of(figure.slopes, slope)},    {"comparisons", list_of(figure.comparisons, comparison)},
          {"findings", texts(figure.findings)},         {"seconds", number(figure.seconds)}};
}

Json json_of(const Figure3& figure) {
  return {{"points", list_of(figure.points, accuracy_point)},
          {"linear", list_of(figure.linear, linear_accuracy)},
          {"findings", texts(figure.findings)},
          {"seconds", number(figure.seconds)}};
}

Json json_of(const Table1& table) {
  return {{"datasets", texts(table.datasets)},
          {"rows", list_of(table.rows, table_row)},
          {"cells", list_of(table.cells, cell)},
          {"findings", texts(table.findings)},
          {"seconds", number(table.seconds)}};
}

Json json_of(const RunRecord& run) {
  return {{"version", clean(run.version)}, {"command", clean(run.command)},
          {"date", clean(run.date)},       {"processor", clean(run.processor)},
          {"backend", clean(run.backend)}, {"n_threads", run.n_threads},
          {"n_at_once", run.n_at_once},    {"seed", run.seed},
          {"n_trials", run.n_trials},      {"quick", run.quick},
          {"kernels", texts(run.kernels)}, {"datasets", list_of(run.datasets, dataset)},
          {"notices", texts(run.notices)}, {"seconds", number(run.seconds)}};
}

Json json_of(const Results& results) {
  Json all{{"cells", Json::array()}, {"run", json_of(results.run)}};
  if (results.fig1) all["fig1"] = json_of(*results.fig1);
  if (results.fig2) all["fig2"] = json_of(*results.fig2);
  if (results.fig3) all["fig3"] = json_of(*results.fig3);
  if (!results.table1) return all;
  // The cells stand at the top, where a program looks for them first, and not a second time inside the table.
  Json table = json_of(*results.table1);
  all["cells"] = std::move(table["cells"]);
  table.erase("cells");
  all["table1"] = std::move(table);
  return all;
}

}  // namespace askrff::experiments
