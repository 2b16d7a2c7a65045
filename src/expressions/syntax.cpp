// The parser of expressions: precedence climbing over tokens that are read as they come. Its calls nest no deeper than max_depth allows.
#include "expressions/syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "askrff/errors.hpp"
#include "askrff/numbers.hpp"

namespace askrff::expressions {

void refuse_at(std::size_t column, const std::string& message) {
  throw InvalidArgument(fmt::format("expression, column {}", column), message);
}

namespace {

using backend::Elementwise;

constexpr std::string_view value_expected = "a number, a name, a function or \"(\"";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

struct Token {
  enum class Kind { end, number, name, sign };
  Kind kind = Kind::end;
  std::string_view text;
  double number = 0;
  std::size_t column = 1;
};

/// Reads one token after another.
class Tokens {
 public:
  explicit Tokens(std::string_view text) : text_(text) { advance(); }
  const Token& now() const { return now_; }

  void advance() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    now_ = {Token::Kind::end, {}, 0, column()};
    if (at_ == text_.size()) return;
    const char c = text_[at_];
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1])))
      read_number();
    else if (is_letter(c))
      take(Token::Kind::name, std::find_if_not(text_.begin() + static_cast<std::ptrdiff_t>(at_), text_.end(), [](char l) {
                                return is_letter(l) || is_digit(l);
                              }) - text_.begin());
    else
      read_sign();
  }

 private:
  /// Characters are counted, not the bytes of their encoding.
  std::size_t column() const {
    const auto starts_one = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
    return 1 + static_cast<std::size_t>(std::count_if(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), starts_one));
  }
  void take(Token::Kind kind, std::ptrdiff_t end) {
    now_.kind = kind;
    now_.text = text_.substr(at_, static_cast<std::size_t>(end) - at_);
    at_ = static_cast<std::size_t>(end);
  }
  void read_number() {
    const char* const first = text_.data() + at_;
    const auto [end, error] = number_from_chars(first, text_.data() + text_.size(), now_.number);
    const std::string_view digits(first, static_cast<std::size_t>(end - first));
    if (error != std::errc{} || !std::isfinite(now_.number))
      refuse_at(now_.column, fmt::format("got {}, expected a number that a double can hold", printable(digits, 40)));
    take(Token::Kind::number, end - text_.data());
  }
  void read_sign() {
    constexpr std::string_view pairs[] = {"**", "<=", ">=", "==", "!=", "&&", "||"};
    for (const std::string_view pair : pairs)
      if (text_.substr(at_).starts_with(pair)) return take(Token::Kind::sign, static_cast<std::ptrdiff_t>(at_ + 2));
    constexpr std::string_view signs = "+-*/^()<>!?:,";
    if (signs.find(text_[at_]) == std::string_view::npos) {
      std::size_t end = at_ + 1;  // of the character
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
      refuse_at(now_.column, fmt::format("got \"{}\", expected numbers, names of letters a to z, digits and _, operators and parentheses",
                                         printable(text_.substr(at_, end - at_))));
    }
    take(Token::Kind::sign, static_cast<std::ptrdiff_t>(at_ + 1));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Token now_;
};

/// A binary operator that stands above others: `level` grows with how firmly it binds.
struct Binary {
  std::string_view sign;
  int level;
  Elementwise operation;
  bool is_swapped;  ///< a > b is b < a
};
constexpr int comparison_level = 3, highest_level = 5;
constexpr Binary binaries[] = {
    {"||", 1, Elementwise::either, false},
    {"&&", 2, Elementwise::both, false},
    {"<", comparison_level, Elementwise::less, false},
    {"<=", comparison_level, Elementwise::less_equal, false},
    {">", comparison_level, Elementwise::less, true},
    {">=", comparison_level, Elementwise::less_equal, true},
    {"==", comparison_level, Elementwise::equal, false},
    {"!=", comparison_level, Elementwise::unequal, false},
    {"+", 4, Elementwise::add, false},
    {"-", 4, Elementwise::subtract, false},
    {"*", highest_level, Elementwise::multiply, false},
    {"/", highest_level, Elementwise::divide, false},
};

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(text) {}

  Syntax whole() && {
    conditional();
    if (now().kind != Token::Kind::end)
      refuse_now(now().kind == Token::Kind::sign ? "an operator or the end" : "an operator or the end; products are written with *");
    return std::move(syntax_);
  }

 private:
  using Place = std::uint32_t;

  /// One call deeper, as long as it lives.
  class Deeper {
   public:
    explicit Deeper(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > max_depth)
        refuse_at(parser_.now().column, fmt::format("nested deeper than {} parentheses, conditions or powers, expected fewer", max_depth));
    }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ~Deeper() { --parser_.depth_; }

   private:
    Parser& parser_;
  };

  const Token& now() const { return tokens_.now(); }
  bool is_sign(std::string_view sign) const { return now().kind == Token::Kind::sign && now().text == sign; }
  bool accept(std::string_view sign) {
    if (!is_sign(sign)) return false;
    tokens_.advance();
    return true;
  }
  void expect(std::string_view sign, std::string_view instead) {
    if (!accept(sign)) refuse_now(instead);
  }
  [[noreturn]] void refuse_now(std::string_view expected) const {
    if (now().kind == Token::Kind::end) refuse_at(now().column, fmt::format("the expression ends, expected {}", expected));
    refuse_at(now().column, fmt::format("got \"{}\", expected {}", printable(now().text, 40), expected));
  }

  Place add(Node node) {
    if (node.kind == Node::Kind::operation || node.kind == Node::Kind::table)
      if (++n_operations_ > max_operations) refuse_at(node.column, fmt::format("more than {} operations, expected fewer", max_operations));
    syntax_.nodes.push_back(node);
    return static_cast<Place>(syntax_.nodes.size() - 1);
  }
  Place number(double value, std::size_t column) {
    return add({.kind = Node::Kind::number, .number = value, .column = static_cast<std::uint32_t>(column)});
  }
  Place operation(Elementwise function, std::size_t column, Place a, Place b = 0, Place c = 0) {
    return add(
        {.kind = Node::Kind::operation, .operation = function, .arguments = {a, b, c}, .column = static_cast<std::uint32_t>(column)});
  }

  /// c ? a : b, from right to left.
  Place conditional() {
    const Deeper deeper(*this);
    const Place condition = binary(1);
    if (!is_sign("?")) return condition;
    const std::size_t column = now().column;
    tokens_.advance();
    const Place then = conditional();
    expect(":", "an operator or \":\" and what holds otherwise");
    return operation(Elementwise::select, column, condition, then, conditional());
  }

  const Binary* binary_at(int level) const {
    if (now().kind != Token::Kind::sign) return nullptr;
    for (const Binary& each : binaries)
      if (each.sign == now().text && each.level == level) return &each;
    return nullptr;
  }

  /// Operators of this level and those that bind more firmly, from left to right.
  Place binary(int level) {
    if (level > highest_level) return signed_power();
    Place left = binary(level + 1);
    const Binary* before = nullptr;
    while (const Binary* found = binary_at(level)) {
      const std::size_t column = now().column;
      if (before && level == comparison_level)
        refuse_at(column, fmt::format("got \"{}\" behind another comparison, expected them joined: a < b && b < c", found->sign));
      tokens_.advance();
      const Place right = binary(level + 1);
      left = found->is_swapped ? operation(found->operation, column, right, left) : operation(found->operation, column, left, right);
      before = found;
    }
    return left;
  }

  /// Signs before a power: -x^2 is -(x^2).
  Place signed_power() {
    std::vector<Token> signs;
    while (is_sign("-") || is_sign("+") || is_sign("!")) {
      signs.push_back(now());
      tokens_.advance();
    }
    Place place = power();
    for (auto sign = signs.rbegin(); sign != signs.rend(); ++sign) {
      if (sign->text == "-") place = operation(Elementwise::negate, sign->column, place);
      if (sign->text == "!") place = operation(Elementwise::equal, sign->column, place, number(0, sign->column));
    }
    return place;
  }

  /// a^b^c is a^(b^c), and an exponent may have a sign.
  Place power() {
    const Place base = primary();
    if (!is_sign("^") && !is_sign("**")) return base;
    const std::size_t column = now().column;
    tokens_.advance();
    const Deeper deeper(*this);
    return operation(Elementwise::power, column, base, signed_power());
  }

  Place primary() {
    const Token token = now();
    if (token.kind == Token::Kind::number) {
      tokens_.advance();
      return number(token.number, token.column);
    }
    if (token.kind == Token::Kind::name) {
      tokens_.advance();
      return is_sign("(") ? call(token) : name(token);
    }
    if (!accept("(")) refuse_now(value_expected);
    const Place inside = conditional();
    expect(")", "an operator or \")\"");
    return inside;
  }

  Place name(const Token& token) {
    if (find_function(token.text))
      refuse_at(token.column, fmt::format("{0} is a function, expected \"(\" and its arguments behind it", token.text));
    return add({.kind = Node::Kind::name, .name = known(token, false), .column = static_cast<std::uint32_t>(token.column)});
  }

  std::vector<Place> arguments() {
    tokens_.advance();  // "("
    std::vector<Place> places;
    if (accept(")")) return places;
    do places.push_back(conditional());
    while (accept(","));
    expect(")", "an operator, \",\" or \")\"");
    return places;
  }

  Place call(const Token& token) {
    const std::vector<Place> given = arguments();
    const Function* function = find_function(token.text);
    const std::size_t least = function ? function->min_arguments : 1, most = function ? function->max_arguments : 1;
    if (given.size() < least || given.size() > most)
      refuse_at(token.column,
                fmt::format("{} has {} argument{}, expected {}", printable(token.text, 40), given.size(), given.size() == 1 ? "" : "s",
                            least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)));
    if (!function)
      return add({.kind = Node::Kind::table,
                  .arguments = {given[0]},
                  .name = known(token, true),
                  .column = static_cast<std::uint32_t>(token.column)});
    if (function->operation == Elementwise::select) return operation(function->operation, token.column, given[0], given[1], given[2]);
    Place place = given.size() == 1 ? operation(function->operation, token.column, given[0]) : given[0];
    for (std::size_t i = 1; i < given.size(); ++i) place = operation(function->operation, token.column, place, given[i]);
    return function->factor == 1 ? place : operation(Elementwise::multiply, token.column, place, number(function->factor, token.column));
  }

  Place known(const Token& token, bool is_table) {
    const auto found = std::ranges::find(syntax_.names, token.text, &Name::text);
    if (found == syntax_.names.end()) {
      syntax_.names.push_back({std::string(token.text), token.column, is_table});
      return static_cast<Place>(syntax_.names.size() - 1);
    }
    if (found->is_table != is_table)
      refuse_at(token.column, fmt::format("{} stands for a number and for a table, expected one of them; products are written with *",
                                          printable(token.text, 40)));
    return static_cast<Place>(found - syntax_.names.begin());
  }

  Tokens tokens_;
  Syntax syntax_;
  std::size_t depth_ = 0, n_operations_ = 0;
};

}  // namespace

Syntax parse(std::string_view text) {
  if (text.size() > max_length)
    throw InvalidArgument("expression", fmt::format("{} characters, expected at most {}", text.size(), max_length));
  return Parser(text).whole();
}

}  // namespace askrff::expressions
