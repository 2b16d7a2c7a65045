// Results that a report must survive.
#pragma once

#include <limits>
#include <map>
#include <string>

#include "experiments/sample_results.hpp"

namespace askrff::test {

/// Markup, quotes of all sorts, commands, what is no UTF-8, control characters.
inline const std::string hostile = "<script>alert(1)</script> & \"quoted\", 'it' `touch x` $(x) @y \\n \xff\x01\n#";

/// Numbers of all sorts that are none.
inline experiments::Results broken_results() {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  experiments::Results results = sample_results({.datasets = {"a", "b"}, .n_multiples = 3});
  results.fig1->points[0].estimate.mean = none;
  results.fig1->points[1].exact = std::numeric_limits<double>::infinity();
  results.fig1->checks[0].estimate = {none, none, 0};
  results.fig2->points[0].error.mean = 0;
  results.fig2->points[1].error = {-1, 2, 3};
  results.fig2->points[2].error = {none, none, 0};
  results.fig2->slopes[0].slope = none;
  results.fig2->comparisons[0].least_gain = std::numeric_limits<double>::infinity();
  results.fig3->points[0].sampling_seconds = {0, 0, 2};
  results.fig3->points[1].log2_multiple = none;
  results.fig3->linear[0].accuracy.mean = none;
  results.table1->cells[0].allowed_deviation = 0;
  results.table1->cells[1].accuracy = {none, none, 0};
  results.table1->cells[2].training_seconds = none;
  results.run.seconds = none;
  return results;
}

inline experiments::Results hostile_results() {
  experiments::Results results = sample_results({.datasets = {hostile, hostile + "2"}, .kernels = {hostile}, .n_multiples = 2});
  for (experiments::MassCheck& check : results.fig1->checks) check.part = check.explanation = hostile;
  results.fig1->findings = results.fig2->findings = results.fig3->findings = results.table1->findings = {hostile};
  for (experiments::Method& method : results.fig2->methods) method.title = method.description = hostile;
  for (experiments::TableRow& row : results.table1->rows) row.title = row.description = hostile;
  experiments::RunRecord& run = results.run;
  run.version = run.command = run.date = run.processor = run.backend = hostile;
  run.notices = {hostile};
  for (experiments::DatasetRecord& d : run.datasets) {
    d.origin = d.content_sha256 = hostile;
    d.files = {{hostile, hostile}};
  }
  return results;
}

/// What `askrff-paper reproduce` might hand over; each must give a whole report.
inline std::map<std::string, experiments::Results> result_variants() {
  std::map<std::string, experiments::Results> all;
  all["plain"] = sample_results();
  all["one trial"] = sample_results({.n_trials = 1});
  all["one of everything"] = sample_results({.datasets = {"letter"}, .kernels = {"sinh-gaussian"}, .n_multiples = 1, .n_trials = 1});
  all["two kernels"] = sample_results({.kernels = {"a", "b"}, .n_multiples = 4});
  all["nothing"] = {};
  all["empty artefacts"] = {{}, experiments::Figure1{}, experiments::Figure2{}, experiments::Figure3{}, experiments::Table1{}};
  all["no numbers"] = broken_results();
  all["hostile"] = hostile_results();
  return all;
}

}  // namespace askrff::test
