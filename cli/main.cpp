// The command line: parses, runs one subcommand, prints its report. Exit codes: 0 done, 1 the work failed, 2 the call or input was wrong,
// 130 stopped by the user.
#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include "askrff/errors.hpp"
#include "askrff/version.hpp"
#include "command.hpp"
#include "interrupt.hpp"
#include "messages.hpp"

namespace askrff::cli {
namespace {

constexpr const char* description =
    "askrff: random Fourier features for asymmetric, indefinite and ordinary kernels, K(X,Y) ≈ left(X)·right(Y)ᵀ.\n"
    "\n"
    "A shift-invariant kernel k(x-y) is the Fourier transform of a complex measure. askrff splits the measure into its Jordan parts,\n"
    "draws frequencies from each and turns rows of data into explicit features whose inner products approximate k, symmetric or not.\n";

constexpr const char* examples =
    "Examples:\n"
    "  askrff demo\n"
    "  askrff approx --data builtin:uniform:8 --kernel sinh-gaussian\n"
    "  askrff choose --data train.csv --kernel shift-gaussian --tolerance 1e-2 --out map.askrff\n"
    "  askrff transform --features map.askrff --data train.csv --side left --out left.npy\n"
    "  askrff train --data train.csv --label class --kernel sinh-gaussian --out m.askrff\n"
    "  askrff predict --model m.askrff --data test.csv --label class\n"
    "  askrff datasets list\n"
    "\n"
    "Every subcommand takes --json (one object on standard output) and --help.\n"
    "Exit codes: 0 done, 1 the work failed, 2 the call or the input was wrong, 130 stopped by Ctrl-C.";

std::string names_of(const std::vector<Command>& commands) {
  std::string names;
  for (const Command& command : commands) names += (names.empty() ? "" : ", ") + command.parser->get_name();
  return names;
}

/// CLI11 would call a missing or misspelt subcommand "not expected": say what is expected instead.
void check_subcommand(const std::vector<Command>& commands, const std::vector<std::string>& arguments) {
  const std::string expected = "expected one of " + names_of(commands) + "; see askrff --help";
  if (arguments.empty()) throw std::invalid_argument("no subcommand given; " + expected);
  const std::string& first = arguments.front();
  if (first.starts_with('-')) return;
  for (const Command& command : commands)
    if (command.parser->get_name() == first) return;
  throw std::invalid_argument(fmt::format("unknown subcommand \"{}\"; {}", first, expected));
}

/// The same for the subcommands of a subcommand.
void check_nested(const std::vector<Command>& commands, const std::vector<std::string>& arguments) {
  for (const Command& command : commands) {
    const auto nested = command.parser->get_subcommands({});
    if (nested.empty() || command.parser->get_name() != arguments.front()) continue;
    const std::string name = arguments.front();
    std::string names;
    for (const CLI::App* one : nested) names += (names.empty() ? "" : ", ") + one->get_name();
    const std::string expected = fmt::format("expected one of {}; see askrff {} --help", names, name);
    if (arguments.size() < 2) throw std::invalid_argument(fmt::format("{}: no subcommand given, {}", name, expected));
    const std::string& second = arguments[1];
    const bool is_known = std::any_of(nested.begin(), nested.end(), [&](const CLI::App* one) { return one->get_name() == second; });
    if (!is_known && !second.starts_with('-'))
      throw std::invalid_argument(fmt::format("{}: unknown subcommand \"{}\", {}", name, second, expected));
  }
}

/// CLI11's "--c: At Most 1 required but received 2" in words.
std::string in_words(const CLI::ParseError& error) {
  const std::string what = error.what();
  const std::size_t colon = what.find(": At Most 1 required but received");
  return colon == std::string::npos ? what : what.substr(0, colon) + ": given more than once, expected once";
}

/// The error of CLI11 with the subcommand it belongs to. A misspelt option is told before those that are missing because of it.
std::invalid_argument explained(const CLI::App& app, const CLI::ParseError& error) {
  std::string name;
  for (auto parsed = app.get_subcommands(); !parsed.empty(); parsed = parsed.front()->get_subcommands())
    name += (name.empty() ? "" : " ") + parsed.front()->get_name();
  const auto unknown = app.remaining(true);
  const std::string what = unknown.empty() ? in_words(error) : fmt::format("\"{}\" is not an option here", unknown.front());
  return std::invalid_argument(name.empty() ? fmt::format("{}; see askrff --help", what)
                                            : fmt::format("{}: {}; see askrff {} --help", name, what, name));
}

/// The message; and where, if that is an option or a place in the data rather than a function of the library.
std::string said_to_user(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  const bool is_function = ours && !dynamic_cast<const DataError*>(&error) && !ours->where().starts_with("--") &&
                           ours->where().find_first_of("./ ") == std::string_view::npos;
  return is_function ? std::string(ours->message()) : error.what();
}

/// What goes to standard output, and the exit code after it.
struct Output {
  std::string text;
  int exit_code = 0;
};

Output output_of(const std::vector<std::string>& arguments) {
  CLI::App app(description, "askrff");
  app.set_version_flag("--version", "askrff " ASKRFF_VERSION, "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.get_formatter()->column_width(28);
  app.footer(examples);
  app.require_subcommand(1);

  bool json = false;
  constexpr const char* json_help = "Print one JSON object instead of tables";
  app.add_flag("--json", json, json_help);
  std::vector<Command> commands;
  for (auto* add : {add_kernels, add_info, add_masses, add_bound, add_approx, add_choose, add_transform, add_train, add_predict,
                    add_inspect, add_datasets, add_demo, add_reproduce, add_doctor}) {
    commands.push_back(add(app));
    commands.back().parser->add_flag("--json", json, json_help);
    for (CLI::App* nested : commands.back().parser->get_subcommands({})) nested->add_flag("--json", json, json_help);
  }

  check_subcommand(commands, arguments);
  check_nested(commands, arguments);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return {app.help()};
  } catch (const CLI::CallForVersion& version) {
    return {std::string(version.what()) + "\n"};
  } catch (const CLI::ParseError& error) {
    throw explained(app, error);
  }
  for (const Command& command : commands) {
    if (!command.parser->parsed()) continue;
    const Report report = command.run();
    // A path need not be UTF-8, JSON must be.
    return {json ? report.json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n" : report.text, report.exit_code};
  }
  throw std::logic_error("no subcommand was run");
}

}  // namespace
}  // namespace askrff::cli

int main(int argc, char** argv) {
  constexpr int work_failed = 1, call_was_wrong = 2, stopped_by_user = 130;
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit likewise
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write, which write_output understands
  try {
    const askrff::cli::Output output = askrff::cli::output_of(std::vector<std::string>(argv + 1, argv + argc));
    askrff::cli::write_output(output.text);
    return output.exit_code;
  } catch (const askrff::cli::Stopped& stopped) {
    askrff::cli::print_error(stopped.what());
    return stopped_by_user;
  } catch (const std::invalid_argument& error) {
    askrff::cli::print_error(askrff::cli::said_to_user(error));
    return call_was_wrong;
  } catch (const std::bad_alloc&) {
    askrff::cli::print_error("out of memory; try fewer --frequencies or fewer rows");
    return work_failed;
  } catch (const std::exception& error) {
    askrff::cli::print_error(askrff::cli::said_to_user(error));
    return work_failed;
  }
}
