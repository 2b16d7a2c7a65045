// Standard output written in full or reported as failed; standard error one line at a time.
#include "messages.hpp"

#include <cerrno>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>

#include "askrff/errors.hpp"

namespace askrff::cli {
namespace {

const char* program_name = "askrff";

void print_line(std::string_view kind, std::string_view message) {
  std::string line = std::string(program_name) + ": " + std::string(kind);
  std::string text;
  for (const char c : message) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  line += printable(text, text.size());
  while (line.ends_with(' ')) line.pop_back();
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace

void name_messages_after(const char* program) { program_name = program; }

void write_output(std::string_view text) {
  errno = 0;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return;
  throw WriteError("standard output: cannot be written: " + std::generic_category().message(errno));
}

void write_to_standard_error(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

void print_error(std::string_view message) { print_line("", message); }

void print_out_of_memory() noexcept {
  for (const char* const part : {program_name, ": out of memory; fewer rows, columns or --frequencies need less\n"})
    if (::write(STDERR_FILENO, part, std::strlen(part)) < 0) return;  // there is nobody to tell
}

void print_warning(std::string_view message) { print_line("warning: ", message); }

void warn_if_any(std::string_view message) {
  if (!message.empty()) print_warning(message);
}

}  // namespace askrff::cli
