// Labels: which are numbers, which are the same class, in which order classes stand, and which class a label is.
#include "askrff/labels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace askrff::test {
namespace {

TEST(LabelNumber, IsAllOfTheLabelOrNothing) {
  EXPECT_EQ(label_number("1"), 1.0);
  EXPECT_EQ(label_number("+1"), 1.0);
  EXPECT_EQ(label_number("-0.5e3"), -500.0);
  EXPECT_FALSE(std::signbit(*label_number("-0")));
  for (const char* none : {"", " 1", "1 ", "1x", "+-1", "--1", "nan", "inf", "1e999", "0x10", "one", "1,5"})
    EXPECT_EQ(label_number(none), std::nullopt) << none;
}

TEST(LabelKey, IsOneForAllWaysToWriteANumber) {
  for (const char* one : {"1", "+1", "1.0", "1e0", "0.1e1", "01"}) EXPECT_EQ(label_key(one), "1") << one;
  EXPECT_EQ(label_key("-0"), label_key("0"));
  EXPECT_EQ(label_key(-0.0), "0");
  EXPECT_EQ(label_key(0.1), label_key("0.1"));
  EXPECT_EQ(label_key("cat"), "cat");
  EXPECT_NE(label_key("cat"), label_key("Cat"));
  EXPECT_NE(label_key(" 1"), label_key("1"));
  EXPECT_EQ(label_key(std::string_view("a\0b", 3)).size(), 3u);
}

// Doubles from 2^53 on stand for several whole numbers: identifiers that long stay apart.
TEST(LabelKey, LongIdentifiersStayApart) {
  EXPECT_NE(label_key("9007199254740992"), label_key("9007199254740993"));
  EXPECT_EQ(label_key("+9007199254740993"), label_key("9007199254740993"));
  EXPECT_EQ(label_key("9007199254740991"), label_key("9007199254740991.0"));
}

TEST(LabelOrder, NumbersBySizeThenEverythingElseByItsBytes) {
  std::vector<std::string> labels{"b", "10", "a", "9", "-1", "+9", "", "B"};
  std::ranges::sort(labels, label_comes_before);
  EXPECT_EQ(labels, (std::vector<std::string>{"-1", "+9", "9", "10", "", "B", "a", "b"}));
  EXPECT_FALSE(label_comes_before("a", "a"));
}

TEST(ClassLookup, FindsAClassByAnyWayToWriteIt) {
  ClassLookup lookup({"-1", "+1", "cat", "2.50"});
  for (int asked_again = 0; asked_again < 2; ++asked_again) {
    EXPECT_EQ(lookup.find("-1.0"), 0u);
    EXPECT_EQ(lookup.find("1"), 1u);
    EXPECT_EQ(lookup.find("1e0"), 1u);
    EXPECT_EQ(lookup.find("cat"), 2u);
    EXPECT_EQ(lookup.find("2.5"), 3u);
    EXPECT_EQ(lookup.find(2.5), 3u);
    EXPECT_EQ(lookup.find(-1.0), 0u);
    EXPECT_EQ(lookup.find("dog"), std::nullopt);
    EXPECT_EQ(lookup.find(""), std::nullopt);
    EXPECT_EQ(lookup.find(0.0), std::nullopt);
    EXPECT_EQ(lookup.find(std::numeric_limits<double>::quiet_NaN()), std::nullopt);
  }
}

TEST(ClassLookup, StaysRightBeyondWhatItRemembers) {
  ClassLookup lookup({"0", "150000"});
  for (int label = 0; label < 150'000; ++label) {
    const auto found = lookup.find(static_cast<double>(label));
    ASSERT_EQ(found, label == 0 ? std::optional<std::uint32_t>(0) : std::nullopt) << label;
  }
  EXPECT_EQ(lookup.find(150'000.0), 1u);
  EXPECT_EQ(lookup.find("150000"), 1u);
}

}  // namespace
}  // namespace askrff::test
