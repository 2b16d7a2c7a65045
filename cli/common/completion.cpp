// Completion: walks through the finished words of a call, then offers what fits the unfinished one.
#include "completion.hpp"

#include <algorithm>
#include <string_view>

namespace askrff::cli {
namespace {

/// The start of a help text, without what ends or goes on with it.
std::string first_line(const std::string& text) {
  std::size_t end = text.find('\n');
  if (end < 20) end = text.find('\n', end + 1);  // "One of"
  std::string line = text.substr(0, end);
  std::ranges::replace(line, '\n', ' ');
  while (!line.empty() && std::string_view(" .:,").find(line.back()) != std::string_view::npos) line.pop_back();
  return line;
}

const OptionFacts* find_option(const CallFacts& call, std::string_view name) {
  for (const OptionFacts& option : call.options)
    if (std::ranges::find(option.names, name) != option.names.end()) return &option;
  return nullptr;
}

/// Where the finished words lead to.
struct Place {
  const CallFacts* call;
  const OptionFacts* awaits_value = nullptr;  ///< the option before the unfinished word
  bool may_go_on = false;                     ///< it has a value already and takes another one
  std::vector<const OptionFacts*> given = {};
};

Place place_after(const CallFacts& program, const std::vector<std::string>& finished) {
  Place place{.call = &program};
  for (const std::string& word : finished) {
    if (place.awaits_value && !(place.may_go_on && word.starts_with('-'))) {
      place.may_go_on = place.awaits_value->takes_many;
      if (!place.may_go_on) place.awaits_value = nullptr;
      continue;
    }
    if (word.starts_with('-')) {
      const std::string name = word.substr(0, word.find('='));
      const OptionFacts* option = find_option(*place.call, name);
      if (option) place.given.push_back(option);
      place.awaits_value = option && !option->value.empty() && name == word ? option : nullptr;
      place.may_go_on = false;
      continue;
    }
    for (const CallFacts& nested : place.call->subcommands)
      if (nested.name == place.call->name + " " + word) {
        place = {.call = &nested};
        break;
      }
  }
  return place;
}

class Lines {
 public:
  explicit Lines(std::string start) : start_(std::move(start)) {}
  void offer(const std::string& word, const std::string& meaning) {
    if (word.starts_with(start_)) text_ += word + "\t" + meaning + "\n";
  }
  void offer_files() { text_ += ":files\n"; }
  bool empty() const { return text_.empty(); }
  std::string text() const { return text_; }

 private:
  std::string start_, text_;
};

/// `before`: what stands before the value in the same word, "--kernel=".
void offer_values(Lines& lines, const OptionFacts& option, const std::string& before, const std::string& value) {
  const bool is_list = option.value.find("[,") != std::string::npos;
  const std::size_t comma = is_list ? value.rfind(',') : std::string::npos;
  const std::string done = comma == std::string::npos ? before : before + value.substr(0, comma + 1);
  for (const ValueWord& word : option.words) lines.offer(done + word.text, word.meaning);
  if (option.is_file()) lines.offer_files();
}

void offer_options(Lines& lines, const Place& place) {
  for (const OptionFacts& option : place.call->options) {
    const bool is_given = std::ranges::find(place.given, &option) != place.given.end();
    if (!option.names.empty() && (!is_given || option.takes_many)) lines.offer(option.names.back(), first_line(option.help));
  }
}

}  // namespace

std::string completions(const CallFacts& program, const std::vector<std::string>& typed) {
  const std::vector<std::string> finished(typed.begin(), typed.empty() ? typed.end() : typed.end() - 1);
  const std::string word = typed.empty() ? "" : typed.back();
  const Place place = place_after(program, finished);
  Lines lines(word);

  if (place.awaits_value && !(place.may_go_on && word.starts_with('-'))) {
    offer_values(lines, *place.awaits_value, "", word);
    return lines.text();
  }
  const std::size_t equals = word.find('=');
  if (word.starts_with('-') && equals != std::string::npos) {
    const OptionFacts* option = find_option(*place.call, word.substr(0, equals));
    if (option) offer_values(lines, *option, word.substr(0, equals + 1), word.substr(equals + 1));
    return lines.text();
  }
  if (word.starts_with('-')) {
    offer_options(lines, place);
    return lines.text();
  }
  for (const CallFacts& nested : place.call->subcommands)
    lines.offer(nested.name.substr(place.call->name.size() + 1), first_line(nested.summary));
  for (const OptionFacts& option : place.call->options)
    if (option.names.empty()) offer_values(lines, option, "", word);
  if (lines.empty() && word.empty()) offer_options(lines, place);
  return lines.text();
}

}  // namespace askrff::cli
