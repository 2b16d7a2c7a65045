// Writes the lines.
#include "experiments/report/csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <concepts>
#include <string_view>

namespace askrff::experiments {
namespace {

/// Quoted only where RFC 4180 asks for it.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}
std::string field(double number) { return std::isfinite(number) ? fmt::format("{}", number) : ""; }
std::string field(std::unsigned_integral auto count) { return fmt::format("{}", count); }

struct Absent {};
std::string field(Absent) { return ""; }

template <class First, class... Rest>
std::string line(const First& first, const Rest&... rest) {
  std::string text = field(first);
  ((text += ',', text += field(rest)), ...);
  return text + '\n';
}

}  // namespace

std::string csv_of(const Figure1& figure) {
  std::string text = "kernel,part,n_frequencies,n_trials,mean,std,exact\n";
  for (const MassPoint& p : figure.points)
    text += line(p.kernel, p.part, p.n_frequencies, p.estimate.n_trials, p.estimate.mean, p.estimate.deviation, p.exact);
  return text;
}

std::string csv_of(const Figure2& figure) {
  std::string text = "dataset,kernel,method,dim,multiple,n_frequencies,n_features,n_trials,mean,std\n";
  for (const ErrorPoint& p : figure.points)
    text += line(p.dataset, p.kernel, p.method, p.dim, p.multiple, p.n_frequencies, p.n_features, p.error.n_trials, p.error.mean,
                 p.error.deviation);
  return text;
}

std::string csv_of(const Figure3& figure) {
  std::string text =
      "dataset,kernel,dim,log2_multiple,n_frequencies,n_features,n_trials,accuracy_mean,accuracy_std,sampling_seconds_mean,"
      "sampling_seconds_std\n";
  for (const AccuracyPoint& p : figure.points)
    text += line(p.dataset, p.kernel, p.dim, p.log2_multiple, p.n_frequencies, p.n_features, p.accuracy.n_trials, p.accuracy.mean,
                 p.accuracy.deviation, p.sampling_seconds.mean, p.sampling_seconds.deviation);
  for (const LinearAccuracy& p : figure.linear)
    text += line(p.dataset, "linear", Absent{}, Absent{}, Absent{}, Absent{}, p.accuracy.n_trials, p.accuracy.mean, p.accuracy.deviation,
                 Absent{}, Absent{});
  return text;
}

std::string csv_of(const Table1& table) {
  std::string text =
      "dataset,row,n_frequencies,n_features,n_trials,mean,std,paper,paper_std,difference,pass,training_seconds,microseconds_per_row\n";
  for (const Cell& c : table.cells) {
    const double none = std::nan("");
    text += line(c.dataset, c.row, c.n_frequencies, c.n_features, c.accuracy.n_trials, c.accuracy.mean, c.accuracy.deviation,
                 c.paper ? c.paper->mean : none, c.paper ? c.paper->deviation : none, c.difference(),
                 c.pass ? (*c.pass ? "true" : "false") : "", c.training_seconds, c.microseconds_per_row);
  }
  return text;
}

}  // namespace askrff::experiments
