// Parses the call, runs one subcommand, prints its report; turns exceptions into one line and an exit code.
#include "program.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "askrff/errors.hpp"
#include "askrff/kernels.hpp"
#include "askrff/output_file.hpp"
#include "askrff/version.hpp"
#include "completion.hpp"
#include "interrupt.hpp"
#include "manual.hpp"
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

void print_json(const Report& report, void (*write)(std::string_view)) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;
  // A path need not be UTF-8, JSON must be.
  const auto dump = [](const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); };
  std::string text = dump(report.json);
  for (const LongArray& array : report.long_arrays) {
    text.back() = ',';  // instead of the closing brace: no object is empty here
    text += dump(array.name) + ":[";
    bool is_first = true;
    array.put_elements([&](const Json& element) {
      if (!std::exchange(is_first, false)) text += ',';
      text += dump(element);
      if (text.size() < piece_bytes) return;
      write(text);
      text.clear();
    });
    text += "]}";
  }
  write(text + "\n");
}

/// A failure says what was written elsewhere.
void print(const Report& report, bool json) {
  const auto write = report.to_standard_error ? &write_to_standard_error : &write_output;
  try {
    json ? print_json(report, write) : write(report.text);
  } catch (const WriteError& error) {
    std::string files;
    for (const std::string& file : report.files) files += (files.empty() ? "" : ", ") + file;
    throw WriteError(files.empty() ? error.what() : fmt::format("{}; {} was written before and is complete", error.what(), files));
  }
}

/// "askrff: random Fourier features for …": what follows the name.
std::string summary_of(const Program& program) {
  const std::string text = program.description, start = std::string(program.name) + ": ";
  const std::size_t from = text.starts_with(start) ? start.size() : 0;
  return text.substr(from, text.find_first_of(".\n", from) - from);
}

void write_manual(const Program& program, const CallFacts& facts, const std::vector<std::string>& arguments) {
  if (arguments.size() != 2)
    throw std::invalid_argument(fmt::format("man: got {} arguments, expected the folder for the pages", arguments.size() - 1));
  for (const ManualPage& page : manual_pages(facts, summary_of(program), ASKRFF_VERSION)) {
    OutputFile file(arguments[1] + "/" + page.file, "man");
    file.append(page.text);
    file.finish();
  }
}

/// Whether the arguments were for those who ask about calls rather than for the work; then that has been done.
bool tell_of_calls(const Program& program, const CLI::App& app, const std::vector<std::string>& arguments) {
  if (arguments.empty() || (arguments.front() != "complete" && arguments.front() != "man")) return false;
  const CallFacts facts = call_facts(app, program.name, program.more_words);
  if (arguments.front() == "man")
    write_manual(program, facts, arguments);
  else
    write_output(completions(facts, {arguments.begin() + 1, arguments.end()}));
  return true;
}

/// Does what the arguments say; the exit code.
int run_arguments(const Program& program, const std::vector<std::string>& arguments) {
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

  if (tell_of_calls(program, app, arguments)) return 0;
  check_subcommand(program.name, commands, arguments);
  check_nested(program.name, commands, arguments);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    write_output(app.help());
    return 0;
  } catch (const CLI::CallForVersion& version) {
    write_output(std::string(version.what()) + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    throw explained(app, error);
  }
  for (const Command& command : commands) {
    if (!command.parser->parsed()) continue;
    const Report report = command.run();
    print(report, json);
    return report.exit_code;
  }
  throw std::logic_error("no subcommand was run");
}

constexpr int work_failed = 1, call_was_wrong = 2, stopped_by_user = 130;

/// The exit code, once an exception has been told in one line.
int run_and_tell(const Program& program, const std::vector<std::string>& arguments) {
  try {
    return run_arguments(program, arguments);
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
    print_out_of_memory();
  } catch (const std::length_error&) {  // more than any memory holds
    print_out_of_memory();
  } catch (const std::exception& error) {
    print_error(said_to_user(error));
  }
  return work_failed;
}

/// The last resort: an exception out of a destructor, say, where memory was short while another one was on its way.
[[noreturn]] void end_in_one_line() {
  remove_unfinished_files();
  print_out_of_memory();
  std::_Exit(work_failed);
}

}  // namespace

int run_program(const Program& program, int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write, which write_output understands
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its size limit likewise
  std::set_terminate(end_in_one_line);
  name_messages_after(program.name);
  stop_on_signals();
  try {
    return run_and_tell(program, std::vector<std::string>(argv + 1, argv + argc));
  } catch (...) {  // no memory for the message itself
    print_out_of_memory();
    return work_failed;
  }
}

}  // namespace askrff::cli
