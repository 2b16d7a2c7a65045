// The results as JSON.
#include <cmath>
#include <string>
#include <utility>

#include "experiments/report/report.hpp"

namespace askrff::cli {

static void to_json(experiments::Json& json, const Spread& s) { json = {{"mean", s.mean}, {"std", s.deviation}, {"n_trials", s.n_trials}}; }

}  // namespace askrff::cli

namespace askrff::experiments {

// Found by the JSON library for lists of these records, too.

static void to_json(Json& json, const MassPoint& p) {
  json = {{"kernel", p.kernel}, {"part", p.part}, {"n_frequencies", p.n_frequencies}, {"estimate", p.estimate}, {"exact", p.exact}};
}

static void to_json(Json& json, const MassCheck& c) {
  json = {{"kernel", c.kernel}, {"part", c.part},     {"n_frequencies", c.n_frequencies}, {"exact", c.exact}, {"estimate", c.estimate},
          {"many", c.many},     {"within", c.within}, {"explanation", c.explanation}};
}

static void to_json(Json& json, const Method& m) { json = {{"name", m.name}, {"title", m.title}, {"description", m.description}}; }

static void to_json(Json& json, const ErrorPoint& p) {
  json = {{"dataset", p.dataset},       {"kernel", p.kernel},
          {"method", p.method},         {"dim", p.dim},
          {"multiple", p.multiple},     {"n_frequencies", p.n_frequencies},
          {"n_features", p.n_features}, {"error", p.error}};
}

static void to_json(Json& json, const Slope& s) {
  json = {{"dataset", s.dataset}, {"kernel", s.kernel}, {"method", s.method}, {"slope", s.slope}, {"pass", s.pass}};
}

static void to_json(Json& json, const Comparison& c) {
  json = {{"dataset", c.dataset}, {"kernel", c.kernel}, {"method", c.method}, {"least_gain", c.least_gain}, {"pass", c.pass}};
}

static void to_json(Json& json, const AccuracyPoint& p) {
  json = {{"dataset", p.dataset},
          {"kernel", p.kernel},
          {"dim", p.dim},
          {"log2_multiple", p.log2_multiple},
          {"n_frequencies", p.n_frequencies},
          {"n_features", p.n_features},
          {"accuracy", p.accuracy},
          {"sampling_seconds", p.sampling_seconds}};
}

static void to_json(Json& json, const LinearAccuracy& l) { json = {{"dataset", l.dataset}, {"accuracy", l.accuracy}}; }

static void to_json(Json& json, const TableRow& r) {
  json = {{"id", r.id}, {"title", r.title}, {"description", r.description}, {"in_paper", r.in_paper}};
}

static void to_json(Json& json, const Cell& c) {
  const Json none;
  json = {{"dataset", c.dataset},
          {"row", c.row},
          {"mean", c.accuracy.mean},
          {"std", c.accuracy.deviation},
          {"n_trials", c.accuracy.n_trials},
          {"paper", c.paper ? Json(c.paper->mean) : none},
          {"paper_std", c.paper ? Json(c.paper->deviation) : none},
          {"allowed_std", c.paper ? Json(c.allowed_deviation) : none},
          {"difference", c.difference()},
          {"pass", c.pass ? Json(*c.pass) : none},
          {"n_frequencies", c.n_frequencies},
          {"n_features", c.n_features},
          {"training_seconds", c.training_seconds},
          {"microseconds_per_row", c.microseconds_per_row}};
}

static void to_json(Json& json, const FileRecord& f) { json = {{"name", f.name}, {"sha256", f.sha256}}; }

static void to_json(Json& json, const DatasetRecord& d) {
  json = {{"name", d.name},     {"origin", d.origin},
          {"dim", d.dim},       {"n_training", d.n_training},
          {"n_test", d.n_test}, {"content_sha256", d.content_sha256},
          {"files", d.files},   {"is_built_in", d.is_built_in}};
}

static void to_json(Json& json, const RunRecord& r) {
  json = {{"version", r.version},   {"command", r.command},     {"date", r.date},           {"processor", r.processor},
          {"backend", r.backend},   {"n_threads", r.n_threads}, {"n_at_once", r.n_at_once}, {"seed", r.seed},
          {"n_trials", r.n_trials}, {"quick", r.quick},         {"kernels", r.kernels},     {"datasets", r.datasets},
          {"notices", r.notices},   {"seconds", r.seconds}};
}

static void to_json(Json& json, const Figure1& f) {
  json = {{"points", f.points}, {"checks", f.checks}, {"findings", f.findings}, {"seconds", f.seconds}};
}

static void to_json(Json& json, const Figure2& f) {
  json = {{"methods", f.methods},         {"points", f.points},     {"slopes", f.slopes},
          {"comparisons", f.comparisons}, {"findings", f.findings}, {"seconds", f.seconds}};
}

static void to_json(Json& json, const Figure3& f) {
  json = {{"points", f.points}, {"linear", f.linear}, {"findings", f.findings}, {"seconds", f.seconds}};
}

static void to_json(Json& json, const Table1& t) {
  json = {{"datasets", t.datasets}, {"rows", t.rows}, {"findings", t.findings}, {"seconds", t.seconds}};
}

namespace {

/// One line of valid UTF-8: what is none becomes U+FFFD, control characters become spaces.
std::string clean(const std::string& text) {
  // The JSON library decodes UTF-8 strictly (no overlong forms, no surrogates), so its writer is the judge.
  std::string valid = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  for (char& c : valid)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  return valid;
}

/// Data sets, command lines and notices may hold anything, and results what is no number.
void make_valid(Json& json) {
  if (json.is_structured())
    for (Json& member : json) make_valid(member);
  else if (json.is_string())
    json = clean(json.get_ref<const std::string&>());
  else if (json.is_number_float() && !std::isfinite(json.get<double>()))
    json = nullptr;
}

}  // namespace

Json json_of(const Results& results) {
  // The cells stand at the top, where a program looks for them first, and not a second time inside the table.
  Json all{{"cells", results.table1 ? Json(results.table1->cells) : Json::array()}, {"run", results.run}};
  if (results.fig1) all["fig1"] = *results.fig1;
  if (results.fig2) all["fig2"] = *results.fig2;
  if (results.fig3) all["fig3"] = *results.fig3;
  if (results.table1) all["table1"] = *results.table1;
  make_valid(all);
  return all;
}

}  // namespace askrff::experiments
