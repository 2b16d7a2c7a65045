// Parses the call, runs one subcommand, prints its report; turns exceptions into one line and an exit code.
#include "program.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <stdexcept>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "askrff/version.hpp"
#include "interrupt.hpp"
#include "messages.hpp"

namespace askrff::cli {
namespace {

constexpr const char* call_rules =
    "\n\nEvery subcommand takes --json (one object on standard output) and --help.\n"
    "Exit codes: 0 done, 1 the work failed, 2 the call or the input was wrong, 130 stopped by Ctrl-C.";

std::string names_of(const std::vector<Command>& commands) {
  std::string names;
  for (const Command& command : commands) names += (names.empty() ? "" : ", ") + command.parser->get_name();
  return names;
}

/// CLI11 would call a missing or misspelt subcommand "not expected": say what is expected instead.
void check_subcommand(const char* program, const std::vector<Command>& commands, const std::vector<std::string>& arguments) {
  const std::string expected = fmt::format("expected one of {}; see {} --help", names_of(commands), program);
  if (arguments.empty()) throw std::invalid_argument("no subcommand given; " + expected);
  const std::string& first = arguments.front();
  if (first.starts_with('-')) return;
  for (const Command& command : commands)
    if (command.parser->get_name() == first) return;
  throw std::invalid_argument(fmt::format("unknown subcommand \"{}\"; {}", first, expected));
}

/// The same for the subcommands of a subcommand.
void check_nested(const char* program, const std::vector<Command>& commands, const std::vector<std::string>& arguments) {
  for (const Command& command : commands) {
    const auto nested = command.parser->get_subcommands({});
    if (nested.empty() || command.parser->get_name() != arguments.front()) continue;
    const std::string name = arguments.front();
    std::string names;
    for (const CLI::App* one : nested) names += (names.empty() ? "" : ", ") + one->get_name();
    const std::string expected = fmt::format("expected one of {}; see {} {} --help", names, program, name);
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
  return std::invalid_argument(name.empty() ? fmt::format("{}; see {} --help", what, app.get_name())
                                            : fmt::format("{}: {}; see {} {} --help", name, what, app.get_name(), name));
}

/// The name of a function or type of the library, rather than of an option, a kernel, a variable of the environment or a place in the data.
bool is_of_the_library(std::string_view where) {
  constexpr std::string_view in_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:";
  const bool is_kernel = std::ranges::any_of(kernel_registry(), [&](const KernelInfo& kernel) { return kernel.name == where; });
  return !is_kernel && !where.starts_with("ASKRFF_") && where.find_first_not_of(in_names) == std::string_view::npos;
}

/// The message, and where, unless that means nothing to a user.
std::string said_to_user(const std::exception& error) {
  const auto* ours = dynamic_cast<const Error*>(&error);
  const bool hides_place = ours && !dynamic_cast<const DataError*>(&error) && is_of_the_library(ours->where());
  return hides_place ? std::string(ours->message()) : error.what();
}

/// What goes to standard output, and the exit code after it.
struct Output {
  std::string text;
  int exit_code = 0;
};

Output output_of(const Program& program, const std::vector<std::string>& arguments) {
  CLI::App app(program.description, program.name);
  app.set_version_flag("--version", fmt::format("{} {}", program.name, ASKRFF_VERSION), "Print the version and exit");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.get_formatter()->column_width(28);
  app.footer(std::string(program.examples) + call_rules);
  app.require_subcommand(1);

  bool json = false;
  constexpr const char* json_help = "Print one JSON object instead of tables";
  app.add_flag("--json", json, json_help);
  std::vector<Command> commands;
  for (const auto add : program.commands) {
    commands.push_back(add(app));
    commands.back().parser->add_flag("--json", json, json_help);
    for (CLI::App* nested : commands.back().parser->get_subcommands({})) nested->add_flag("--json", json, json_help);
  }

  check_subcommand(program.name, commands, arguments);
  check_nested(program.name, commands, arguments);
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

int run_program(const Program& program, int argc, char** argv) {
  constexpr int work_failed = 1, call_was_wrong = 2, stopped_by_user = 130;
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write, which write_output understands
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit likewise
  name_messages_after(program.name);
  stop_on_signals();
  try {
    const Output output = output_of(program, std::vector<std::string>(argv + 1, argv + argc));
    write_output(output.text);
    return output.exit_code;
  } catch (const StoppedByUser& stopped) {
    print_error(stopped.what());
    return stopped_by_user;
  } catch (const Stopped&) {
    print_error("stopped; nothing was written");
    return stopped_by_user;
  } catch (const std::invalid_argument& error) {
    print_error(said_to_user(error));
    return call_was_wrong;
  } catch (const std::bad_alloc&) {
    print_error("out of memory; try fewer --frequencies or fewer rows");
    return work_failed;
  } catch (const std::exception& error) {
    print_error(said_to_user(error));
    return work_failed;
  }
}

}  // namespace askrff::cli
