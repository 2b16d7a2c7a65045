// What a program says: its output, its one-line errors and its warnings.
#pragma once

#include <string_view>

namespace askrff::cli {

/// Writes all of `text` to standard output. A reader that has gone (EPIPE) has seen enough; any other failure throws WriteError.
void write_output(std::string_view text);

/// The same to standard error, where nobody is told of a failure.
void write_to_standard_error(std::string_view text);

/// Errors and warnings start with the name of the program, which must outlive them. Called by run_program() before anything is printed.
void name_messages_after(const char* program);

/// "PROGRAM: message" on standard error, always one line; bytes that are no UTF-8 as \xNN.
void print_error(std::string_view message);

/// The same of memory that did not suffice; needs none itself.
void print_out_of_memory() noexcept;

/// "PROGRAM: warning: message" on standard error, always one line.
void print_warning(std::string_view message);
/// The same unless the message is empty.
void warn_if_any(std::string_view message);

}  // namespace askrff::cli
