// Options as CLI11 has them.
#include "options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <utility>

#include "askrff/errors.hpp"
#include "interrupt.hpp"

namespace askrff::cli {

CLI::App* add_subcommand(CLI::App& app, const std::string& name, const std::string& help) { return app.add_subcommand(name, help); }

void add_footer(CLI::App& app, const std::string& text) { app.footer(text); }

CLI::Option* add_text_option(CLI::App& app, const std::string& option, std::function<void(const std::string&)> read,
                             const std::string& help, const std::string& type_name, const std::string& default_text) {
  CLI::Option* added = app.add_option_function<std::string>(option, std::move(read), help)->type_name(type_name);
  return default_text.empty() ? added : added->default_str(default_text);
}

CLI::Option* add_text(CLI::App& app, const std::string& option, std::string& value, const std::string& help, const std::string& type_name) {
  const auto read = [&app, &value, option, is_file = type_name == "FILE"](const std::string& text) {
    for (const CLI::App* at = text.size() > 1 && text[0] == '-' ? &app : nullptr; at != nullptr; at = at->get_parent())
      if (at->get_option_no_throw(text) != nullptr)
        throw InvalidArgument(option,
                              fmt::format("got {}, which is another option{}", text, is_file ? "; a file of this name is ./" + text : ""));
    value = text;
  };
  return app.add_option_function<std::string>(option, read, help)->type_name(type_name);
}

CLI::Option* add_texts(CLI::App& app, const std::string& option, std::vector<std::string>& values, const std::string& help,
                       const std::string& type_name) {
  const auto read = [&values, option](const std::vector<std::string>& texts) {
    for (const std::string& text : texts)
      if (text.empty()) throw InvalidArgument(option, "got \"\", expected the name of a file");
    values = texts;
  };
  return app.add_option_function<std::vector<std::string>>(option, read, help)
      ->type_name(type_name)
      ->expected(1, CLI::detail::expected_max_vector_size);
}

CLI::Option* add_repeated(CLI::App& app, const std::string& option, std::function<void(const std::string&)> read, const std::string& help,
                          const std::string& type_name) {
  const auto read_all = [read = std::move(read)](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) read(text);
  };
  return app.add_option_function<std::vector<std::string>>(option, read_all, help)
      ->type_name(type_name)
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->allow_extra_args(false);
}

CLI::Option* add_flag(CLI::App& app, const std::string& option, bool& value, const std::string& help) {
  return app.add_flag(option, value, help);
}

CLI::Option* required(CLI::Option* option, bool is_required) { return option->required(is_required); }

CLI::Option* with_default(CLI::Option* option, const std::string& text) { return option->default_str(text); }

CLI::Option* in_group(CLI::Option* option, const std::string& group) { return option->group(group); }

CLI::Option* add_threads(CLI::App& app, Execution& execution) {
  execution.stop = stop_token();
  return add_count(app, "--threads", execution.n_threads, "Threads; results are the same bits for any number", 1, 1024)
      ->default_str("ASKRFF_THREADS, or all processors");
}

bool given(const CLI::Option* option) { return option != nullptr && option->count() > 0; }

void refuse_if_given(const CLI::Option* option, const std::string& reason) {
  if (given(option)) throw InvalidArgument(option->get_name(), reason);
}

void refuse_all_but(const CLI::App& app, const std::vector<std::string>& few, const std::string& reason) {
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (name != "--help" && name != "--json" && std::ranges::find(few, name) == few.end()) refuse_if_given(option, reason);
  }
}

}  // namespace askrff::cli
