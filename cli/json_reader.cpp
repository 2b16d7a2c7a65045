// Bounds, parsing and typed access.
#include "json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <system_error>

#include "askrff/errors.hpp"

namespace askrff::cli {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 29, most_values = std::size_t{1} << 25, most_keys = 10'000, most_levels = 8;

[[noreturn]] void refuse_file(const std::string& file, const std::string& what) { throw DataError(file + ": " + what); }

std::string content_of(const std::string& file) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(file.c_str(), "rb"), &std::fclose);
  if (!stream) refuse_file(file, "cannot be opened: " + std::generic_category().message(errno));
  std::string text;
  std::vector<char> buffer(std::size_t{1} << 16);
  errno = 0;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), stream.get())) > 0;) {
    text.append(buffer.data(), n);
    if (text.size() > most_bytes) check_json_bounds(file, text);  // refuses a device without an end as well
  }
  if (std::ferror(stream.get()) != 0) refuse_file(file, "cannot be read: " + std::generic_category().message(errno));
  return text;
}

}  // namespace

void check_json_bounds(const std::string& file, std::string_view text) {
  if (text.size() > most_bytes) refuse_file(file, fmt::format("more than {} MiB, expected a smaller feature file", most_bytes >> 20));
  std::size_t level = 0, values = 1, keys = 0;
  bool inside_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') inside_text = !inside_text;
    if (inside_text) {
      i += c == '\\';
      continue;
    }
    if (c == '[' || c == '{') {
      ++values;
      if (++level > most_levels) refuse_file(file, fmt::format("nested more than {} levels deep, expected a feature file", most_levels));
    } else if (c == ']' || c == '}') {
      level -= level > 0;
    } else if (c == ',') {
      ++values;
    } else if (c == ':') {
      ++keys;
    }
  }
  if (values > most_values) refuse_file(file, fmt::format("more than {} values, expected a smaller feature file", most_values));
  if (keys > most_keys) refuse_file(file, fmt::format("more than {} keys, expected a feature file", most_keys));
}

nlohmann::json read_json_file(const std::string& file) {
  const std::string text = content_of(file);
  if (text.empty()) refuse_file(file, "empty, expected a feature file");
  check_json_bounds(file, text);
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    refuse_file(file, fmt::format("not valid JSON at byte {} of {}", error.byte, text.size()));
  } catch (const nlohmann::json::exception&) {
    refuse_file(file, "a number is out of range, expected finite numbers");
  }
}

void JsonField::refuse(const std::string& what) const {
  refuse_file(*file_, (place_.empty() ? std::string("the file") : "\"" + place_ + "\"") + " " + what);
}

void JsonField::expected(const std::string& what) const { refuse(fmt::format("is {}, expected {}", value_->type_name(), what)); }

JsonField JsonField::at(const std::string& key) const {
  const auto field = maybe(key);
  if (!field) refuse_file(*file_, fmt::format("\"{}{}{}\" is missing", place_, place_.empty() ? "" : ".", key));
  return *field;
}

std::optional<JsonField> JsonField::maybe(const std::string& key) const {
  if (!value_->is_object()) expected("an object");
  const auto found = value_->find(key);
  if (found == value_->end() || found->is_null()) return std::nullopt;
  return JsonField(*file_, *found, place_.empty() ? key : place_ + "." + key);
}

JsonField JsonField::at(std::size_t index) const {
  if (index >= size()) refuse(fmt::format("has {} elements, expected more than {}", size(), index));
  return {*file_, (*value_)[index], fmt::format("{}[{}]", place_, index)};
}

double JsonField::number() const {
  if (!value_->is_number()) expected("a number");
  const double number = value_->get<double>();
  if (!std::isfinite(number)) refuse("is not finite");
  return number;
}

std::size_t JsonField::count(std::size_t least, std::size_t most) const {
  const std::string wanted = fmt::format("a whole number from {} to {}", least, most);
  if (!value_->is_number_unsigned()) expected(wanted);
  const auto count = value_->get<std::uint64_t>();
  if (count < least || count > most) refuse(fmt::format("is {}, expected {}", count, wanted));
  return static_cast<std::size_t>(count);
}

bool JsonField::flag() const {
  if (!value_->is_boolean()) expected("true or false");
  return value_->get<bool>();
}

std::string JsonField::text(std::size_t longest) const {
  if (!value_->is_string()) expected("a text");
  const auto& text = value_->get_ref<const std::string&>();
  if (text.size() > longest) refuse(fmt::format("has {} bytes, expected at most {}", text.size(), longest));
  return text;
}

std::size_t JsonField::size() const {
  if (!value_->is_array()) expected("an array");
  return value_->size();
}

std::vector<double> JsonField::numbers() const {
  std::vector<double> numbers(size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const nlohmann::json& element = (*value_)[i];
    if (!element.is_number() || !std::isfinite(element.get<double>())) at(i).number();
    numbers[i] = element.get<double>();
  }
  return numbers;
}

std::vector<double> JsonField::numbers(std::size_t wanted) const {
  if (size() != wanted) refuse(fmt::format("has {} elements, expected {}", size(), wanted));
  return numbers();
}

Matrix<double> JsonField::matrix(std::size_t cols) const {
  if (size() == 0) refuse("is empty, expected at least one row");
  // Sizes first: what is allocated is then no more than what the file holds.
  for (std::size_t i = 0; i < size(); ++i)
    if (!(*value_)[i].is_array() || (*value_)[i].size() != cols) at(i).numbers(cols);
  Matrix<double> matrix(size(), cols);
  for (std::size_t i = 0; i < matrix.rows(); ++i) std::ranges::copy(at(i).numbers(cols), matrix.row(i).begin());
  return matrix;
}

}  // namespace askrff::cli
