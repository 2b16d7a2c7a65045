// Options as CLI11 has them.
#include "options.hpp"

#include <CLI/CLI.hpp>
#include <utility>

namespace askrff::cli {

CLI::Option* add_text_option(CLI::App& app, const std::string& option, std::function<void(const std::string&)> read,
                             const std::string& help, const std::string& type_name, const std::string& default_text) {
  CLI::Option* added = app.add_option_function<std::string>(option, std::move(read), help)->type_name(type_name);
  return default_text.empty() ? added : added->default_str(default_text);
}

CLI::Option* add_threads(CLI::App& app, Execution& execution) {
  return add_count(app, "--threads", execution.n_threads, "Threads; results are the same bits for any number", 1, 1024)
      ->default_str("ASKRFF_THREADS, or all processors");
}

bool given(const CLI::Option* option) { return option != nullptr && option->count() > 0; }

void refuse_if_given(const CLI::Option* option, const std::string& reason) {
  if (given(option)) throw InvalidArgument(option->get_name(), reason);
}

}  // namespace askrff::cli
