// Finds and runs gnuplot.
#include "experiments/report/gnuplot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "experiments/report/child.hpp"
#include "experiments/report/report.hpp"
#include "experiments/report/text.hpp"

namespace askrff::experiments {
namespace {

constexpr const char* remedy = "install it (Debian: gnuplot-nox, fonts-dejavu-core), or go without figures (--no-figures)";

/// The last line that says something: before it gnuplot repeats the command and points at a column.
std::string last_words(const std::string& err) {
  std::string words;
  for (std::size_t begin = 0; begin < err.size();) {
    const std::size_t end = std::min(err.find('\n', begin), err.size());
    const std::string line = err.substr(begin, end - begin);
    if (line.find_first_not_of(" \t^") != std::string::npos) words = line.substr(line.find_first_not_of(" \t"));
    begin = end + 1;
  }
  return words.empty() ? "and said nothing" : fmt::format("and said \"{}\"", clean(words));
}

}  // namespace

std::string run_gnuplot(const std::string& what, const std::string& commands, std::chrono::milliseconds time_out) {
  const auto program = find_program("gnuplot");
  if (!program) throw std::runtime_error(fmt::format("{}: gnuplot, which draws the figures, is in no folder of PATH; {}", what, remedy));
  // -d: no settings of the user, so that a report looks the same everywhere.
  const ChildOutcome outcome = run_child(*program, {"-d"}, commands, time_out);
  const std::string who = fmt::format("{}: {}", what, program->string());
  if (outcome.timed_out)
    throw std::runtime_error(
        fmt::format("{} did not end within {} s {}", who, static_cast<double>(time_out.count()) / 1000, last_words(outcome.err)));
  if (outcome.exit_code < 0)
    throw std::runtime_error(fmt::format("{} was ended by signal {} {}", who, -outcome.exit_code, last_words(outcome.err)));
  if (outcome.exit_code > 0)
    throw std::runtime_error(fmt::format("{} failed with exit code {} {}", who, outcome.exit_code, last_words(outcome.err)));
  if (outcome.out.empty()) throw std::runtime_error(fmt::format("{} wrote nothing {}", who, last_words(outcome.err)));
  return outcome.out;
}

std::string gnuplot_string(const std::string& text) {
  std::string quoted = "'";
  // In single quotes only the quote has a meaning, and backquotes run commands elsewhere: print's own quotation marks have none and look
  // better.
  for (const char c : clean(text)) quoted += c == '\'' ? std::string("’") : c == '`' ? std::string("‘") : std::string(1, c);
  return quoted + "'";
}

void require_gnuplot() {
  try {
    run_gnuplot("figures", "set terminal pngcairo size 20,20\nset terminal svg size 20,20\nplot [0:1] x\n");
  } catch (const std::runtime_error& error) {
    const std::string message = error.what();
    if (message.find(remedy) != std::string::npos) throw;
    throw std::runtime_error(fmt::format("{}; {}", message, remedy));
  }
}

}  // namespace askrff::experiments
