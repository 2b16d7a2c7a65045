// What the library says of its own functions, said of the user's call.
#pragma once

#include <stdexcept>
#include <string>

#include "askrff/errors.hpp"

namespace askrff::cli {

/// The message without the function it starts with ("RidgeSums::add: ", "cholesky: "); the message itself if it starts with none. Of
/// a Cholesky factorisation that fails, what its matrix is made of.
std::string without_function(const std::string& message);

/// Calls work(). Where a function of the library refuses its numbers, the error says so of `source` and gives `advice`; errors in words
/// for users pass as they are.
template <class Work>
auto in_plain_words(const std::string& source, const std::string& advice, const Work& work) {
  const auto said = [&](const std::exception& error) {
    const std::string message = error.what(), rest = without_function(message);
    return rest == message ? message : source + ": " + rest + "; " + advice;
  };
  try {
    return work();
  } catch (const DataError&) {
    throw;
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(said(error));
  } catch (const NumericalError& error) {
    throw NumericalError(said(error));
  }
}

/// Calls write(), which is to write the file of --out: errors are in the name of that option.
template <class Write>
void as_out(const Write& write) {
  try {
    write();
  } catch (const WriteError& error) {
    throw WriteError("--out: " + without_function(error.what()));
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument("--out: " + without_function(error.what()));
  }
}

}  // namespace askrff::cli
