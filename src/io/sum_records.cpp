// Exact sums as the words of their shortest form.
#include "io/sum_records.hpp"

#include <fmt/format.h>

namespace askrff::io {

void write_sums(RecordWriter& file, const std::string& prefix, std::span<const ExactSum> sums) {
  std::vector<std::uint64_t> places, words;
  for (const ExactSum& sum : sums) {
    const ExactSum::Words own = sum.words();
    places.insert(places.end(), {own.is_negative ? 1u : 0u, own.first, own.words.size()});
    words.insert(words.end(), own.words.begin(), own.words.end());
  }
  file.counts(prefix + "/sums", places, 3);
  file.counts(prefix + "/words", words, 1);
}

std::vector<ExactSum> read_sums(const Records& file, const std::string& prefix, std::size_t n_sums) {
  const std::string key = prefix + "/sums";
  const auto places = file.counts(key, n_sums, 3), words = file.counts(prefix + "/words", any_size, 1);
  std::span<const std::uint64_t> left = words;
  std::vector<ExactSum> sums;
  for (std::size_t i = 0; i < places.size(); i += 3) {
    const std::uint64_t is_negative = places[i], first = places[i + 1], n_words = places[i + 2];
    if (n_words > left.size()) file.refuse(key, fmt::format("asks for {} words, {} are left", n_words, left.size()));
    const auto own = left.first(n_words);
    left = left.subspan(n_words);
    const auto sum = ExactSum::from({is_negative == 1, first, {own.begin(), own.end()}});
    if (is_negative > 1 || !sum) file.refuse(key, "holds a number that is not in its shortest form");
    sums.push_back(*sum);
  }
  if (!left.empty()) file.refuse(key, fmt::format("leaves {} words, expected none", left.size()));
  return sums;
}

}  // namespace askrff::io
