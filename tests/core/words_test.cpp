// Words of options: every table names every value once, and a word leads back to its value.
#include "askrff/words.hpp"

#include <gtest/gtest.h>

#include <set>

#include "askrff/data.hpp"
#include "askrff/function_form.hpp"
#include "askrff/train.hpp"

namespace askrff::test {
namespace {

/// n_values: of the enum, so that a value added without a word is noticed.
template <class Enum>
void expect_sound_table(std::size_t n_values) {
  const auto words = words_of(Enum{});
  EXPECT_EQ(words.size(), n_values);
  std::set<std::string_view> names;
  std::set<Enum> values;
  for (const auto& word : words) {
    SCOPED_TRACE(word.name);
    EXPECT_FALSE(word.name.empty());
    EXPECT_TRUE(names.insert(word.name).second);
    EXPECT_TRUE(values.insert(word.value).second);
    EXPECT_LT(static_cast<std::size_t>(word.value), n_values);
    EXPECT_EQ(name_of(word.value), word.name);
    EXPECT_EQ(value_of<Enum>("test", word.name), word.value);
  }
  EXPECT_EQ(name_of(static_cast<Enum>(n_values)), "?");
  for (const char* unknown : {"", " ", "AUTO", "no such word"}) {
    try {
      value_of<Enum>("--option", unknown);
      ADD_FAILURE() << unknown << " was accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(error.where(), "--option");
      EXPECT_EQ(error.message(), "got '" + std::string(unknown) + "', expected " + names_of<Enum>());
    }
  }
}

TEST(Words, LongOnesAreShortenedInMessages) {
  try {
    value_of<Sampler>("--sampler", std::string(1000, 'q'));
    ADD_FAILURE() << "accepted";
  } catch (const InvalidArgument& error) {
    EXPECT_EQ(error.message(), "got '" + std::string(40, 'q') + "…', expected " + names_of<Sampler>());
  }
}

TEST(Words, EveryTableIsSound) {
  expect_sound_table<Estimator>(7);
  expect_sound_table<Sampler>(9);
  expect_sound_table<Weights>(4);
  expect_sound_table<Allocation>(3);
  expect_sound_table<Landmarks>(3);
  expect_sound_table<Scaling>(5);
  expect_sound_table<FeatureSide>(3);
  expect_sound_table<Score>(2);
  expect_sound_table<Task>(2);
  expect_sound_table<Precision>(2);
  expect_sound_table<Trainer>(2);
  expect_sound_table<DataFormat>(5);
  expect_sound_table<Route>(6);
}

TEST(Words, AreListedForPeople) {
  EXPECT_EQ(names_of<Task>(), "classification or regression");
  EXPECT_EQ(names_of<Weights>(), "exact, subset, calibrated or unconstrained");
}

static_assert(name_of(Estimator::automatic) == "auto");  // at compile time as well

}  // namespace
}  // namespace askrff::test
