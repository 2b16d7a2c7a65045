// Tells names of functions from words.
#include "plain_words.hpp"

#include <string_view>

namespace askrff::cli {

std::string without_function(const std::string& message) {
  const std::size_t colon = message.find(": ");
  if (colon == std::string::npos) return message;
  const std::string_view start = std::string_view(message).substr(0, colon);
  constexpr std::string_view in_names = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_:";
  if (start.find_first_not_of(in_names) != std::string_view::npos) return message;
  const bool is_function = start.find('_') != std::string_view::npos || start.find("::") != std::string_view::npos || start == "cholesky" ||
                           start == "Model" || start == "Scaler";
  if (start == "cholesky") return "the squares of the features add up to numbers that are too large or too different";
  return is_function ? message.substr(colon + 2) : message;
}

}  // namespace askrff::cli
