// Writes a report of made-up results, for the browser to look at: sample_report FOLDER. Exit code 77 where gnuplot is missing.
#include <cstdio>
#include <exception>

#include "experiments/report/report.hpp"
#include "experiments/sample_results.hpp"

int main(int argc, char** argv) {
  using namespace askrff;
  if (argc != 2) return std::fputs("usage: sample_report FOLDER\n", stderr), 2;
  try {
    experiments::require_gnuplot();
  } catch (const std::exception& error) {
    return std::printf("sample_report: skipped: %s\n", error.what()), 77;
  }
  try {
    experiments::Results results = test::sample_results();
    results.run.notices = {"These numbers are made up: they show what a report looks like."};
    experiments::write_report(results, argv[1]);
  } catch (const std::exception& error) {
    return std::fprintf(stderr, "sample_report: %s\n", error.what()), 1;
  }
  return 0;
}
