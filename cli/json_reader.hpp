// JSON from files nobody vouches for: bounded before it is parsed, every value checked for its type, every error naming its place.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "askrff/views.hpp"

namespace askrff::cli {

/// Throws DataError, as "file: …", if `text` is larger, deeper or made of more values than a file of this program may be: parsing it would
/// take memory out of proportion.
void check_json_bounds(const std::string& file, std::string_view text);

/// The file's content. Throws DataError if it cannot be read, is out of bounds or is not JSON.
nlohmann::json read_json_file(const std::string& file);

/// A value and where it stands. All members throw DataError "file: place is …, expected …". Does not own the value.
class JsonField {
 public:
  JsonField(const std::string& file, const nlohmann::json& value, std::string place = "")
      : file_(&file), value_(&value), place_(std::move(place)) {}

  JsonField at(const std::string& key) const;
  JsonField at(std::size_t index) const;
  /// Absent and null are the same.
  std::optional<JsonField> maybe(const std::string& key) const;
  const nlohmann::json& value() const { return *value_; }

  double number() const;
  std::size_t count(std::size_t least, std::size_t most) const;
  bool flag() const;
  /// At most `longest` bytes.
  std::string text(std::size_t longest = 4096) const;
  /// Elements of an array.
  std::size_t size() const;
  std::vector<double> numbers() const;
  std::vector<double> numbers(std::size_t size) const;
  /// Rows of `cols` numbers each; at least one.
  Matrix<double> matrix(std::size_t cols) const;

  [[noreturn]] void refuse(const std::string& what) const;

 private:
  [[noreturn]] void expected(const std::string& what) const;

  const std::string* file_;
  const nlohmann::json* value_;
  std::string place_;
};

}  // namespace askrff::cli
