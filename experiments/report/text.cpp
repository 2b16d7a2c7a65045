// Cleans text.
#include "experiments/report/text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace askrff::experiments {

std::string clean(std::string_view text) {
  using Json = nlohmann::json;
  // The JSON library decodes UTF-8 strictly (no overlong forms, no surrogates), so its writer is the judge.
  std::string valid = Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
  const auto is_control = [](unsigned char byte) { return byte < 0x20 || byte == 0x7F; };
  std::ranges::replace_if(valid, is_control, ' ');
  return valid;
}

std::string file_stem(std::string_view text) {
  std::string stem;
  for (const char c : text) {
    const bool upper = c >= 'A' && c <= 'Z', kept = upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (kept) stem += upper ? static_cast<char>(c - 'A' + 'a') : c;
    if (!kept && !stem.empty() && stem.back() != '-') stem += '-';
  }
  if (stem.ends_with('-')) stem.pop_back();
  return stem.empty() ? "x" : stem;
}

}  // namespace askrff::experiments
