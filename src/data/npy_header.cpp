// The header of an NPY file: a Python dictionary with exactly the keys descr, fortran_order and shape, in any order and spacing.
#include "data/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "data/messages.hpp"
#include "data/numbers.hpp"

namespace askrff::data {
namespace {

constexpr std::size_t longest_header = std::size_t{1} << 20;
constexpr std::size_t max_dimensions = 64;  // numpy's own limit

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    expect('{');
    while (!take('}')) {
      const std::string_view key = take_string();
      expect(':');
      parse_value(key);
      if (take('}')) break;
      expect(',');
    }
    skip_spaces();
    if (!text_.empty()) refuse("nothing after the dictionary");
    if (!has_type_ || !has_order_ || !has_shape_) refuse("the keys 'descr', 'fortran_order' and 'shape'");
    return header_;
  }

 private:
  void parse_value(std::string_view key) {
    if (key == "descr" && !has_type_) {
      has_type_ = true;
      return parse_type();
    }
    if (key == "fortran_order" && !has_order_) {
      has_order_ = true;
      header_.fortran_order = take_truth();
      return;
    }
    if (key == "shape" && !has_shape_) {
      has_shape_ = true;
      return parse_shape();
    }
    fail(name_, fmt::format("the NPY header has an unknown or repeated key {}, expected 'descr', 'fortran_order' and 'shape' once each",
                            in_quotes(key)));
  }

  void parse_type() {
    skip_spaces();
    if (text_.starts_with('[')) fail(name_, "the NPY elements are structures, expected plain numbers");
    const std::string_view type = take_string();
    const bool ordered = type.size() == 3 && std::string_view("<>|=").find(type[0]) != std::string_view::npos;
    const std::string_view code = ordered ? type.substr(1) : std::string_view();
    constexpr std::string_view known[] = {"f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"};
    if (std::find(std::begin(known), std::end(known), code) == std::end(known) || (type[0] == '|' && code[1] != '1'))
      fail(name_, fmt::format("the NPY elements have type {}, expected f4, f8, i1 … i8, u1 … u8 or b1 with a byte order", in_quotes(type)));
    header_.kind = code[0];
    header_.item_size = static_cast<std::size_t>(code[1] - '0');
    header_.big_endian = type[0] == '>' || (type[0] == '=' && std::endian::native == std::endian::big);
  }

  void parse_shape() {
    expect('(');
    while (!take(')')) {
      header_.shape.push_back(take_count());
      if (header_.shape.size() > max_dimensions) refuse("at most 64 dimensions");
      const bool comma = take(',');
      if (!comma && header_.shape.size() == 1) refuse("',' after the only dimension");
      if (!comma) {
        expect(')');
        break;
      }
    }
  }

  std::uint64_t take_count() {
    skip_spaces();
    const std::string_view digits = text_.substr(0, text_.find_first_not_of("0123456789"));
    std::uint64_t count = 0;
    if (!parse_count(digits, count)) refuse("a dimension below 2^64");
    text_.remove_prefix(digits.size());
    if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote (3L, 4L)
    return count;
  }

  std::string_view take_string() {
    skip_spaces();
    const char quote = text_.empty() ? '\0' : text_[0];
    const std::size_t end = quote == '\'' || quote == '"' ? text_.find(quote, 1) : std::string_view::npos;
    if (end == std::string_view::npos) refuse("a string in quotes");
    const std::string_view content = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return content;
  }

  bool take_truth() {
    skip_spaces();
    for (const std::string_view word : {"True", "False"})
      if (text_.starts_with(word)) {
        text_.remove_prefix(word.size());
        return word == "True";
      }
    refuse("True or False");
  }

  void skip_spaces() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size())); }

  bool take(char c) {
    skip_spaces();
    const bool found = text_.starts_with(c);
    if (found) text_.remove_prefix(1);
    return found;
  }

  void expect(char c) {
    if (!take(c)) refuse(fmt::format("'{}'", c));
  }

  [[noreturn]] void refuse(std::string_view expected) const {
    fail(name_, fmt::format("the NPY header is malformed at {}, expected {}", in_quotes(text_.substr(0, 20)), expected));
  }

  std::string_view text_;
  const std::string& name_;
  NpyHeader header_;
  bool has_type_ = false, has_order_ = false, has_shape_ = false;
};

}  // namespace

NpyHeader read_npy_header(Input& input) {
  const std::string_view start = input.peek(8);
  if (!start.starts_with("\x93NUMPY")) fail(input.name(), "does not start with the NPY magic bytes, expected \\x93NUMPY");
  if (start.size() < 8) fail(input.name(), "the NPY header ends early");
  const int version = static_cast<unsigned char>(start[6]), minor = static_cast<unsigned char>(start[7]);
  if (version < 1 || version > 3 || minor != 0)
    fail(input.name(), fmt::format("NPY format version {}.{}, expected 1.0, 2.0 or 3.0", version, minor));
  const std::size_t length_at = 8, length_bytes = version == 1 ? 2 : 4, header_at = length_at + length_bytes;
  const std::string_view with_length = input.peek(header_at);
  if (with_length.size() < header_at) fail(input.name(), "the NPY header ends early");
  std::size_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(with_length[length_at + i]);
  if (length > longest_header)
    fail(input.name(), fmt::format("the NPY header claims {} bytes, expected at most {}", length, longest_header));
  const std::string_view whole = input.peek(header_at + length);
  if (whole.size() < header_at + length)
    fail(input.name(), fmt::format("the NPY header ends early: {} of {} bytes", whole.size() - header_at, length));
  const NpyHeader header = HeaderParser(whole.substr(header_at, length), input.name()).parse();
  input.consume(header_at + length);
  return header;
}

}  // namespace askrff::data
