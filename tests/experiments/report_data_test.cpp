// The report as CSV and JSON: it reads back, whatever is in the results.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "experiments/hostile_results.hpp"
#include "experiments/report/csv.hpp"
#include "experiments/report/report.hpp"

namespace askrff::test {
namespace {

using namespace experiments;

using Records = std::vector<std::vector<std::string>>;

/// RFC 4180.
Records parse_csv(const std::string& text) {
  Records records{{}};
  std::string field;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      field += text[i++];
    } else if (text[i] == '"') {
      quoted = !quoted;
    } else if (!quoted && (text[i] == ',' || text[i] == '\n')) {
      records.back().push_back(std::exchange(field, ""));
      if (text[i] == '\n') records.emplace_back();
    } else {
      field += text[i];
    }
  }
  EXPECT_FALSE(quoted);
  EXPECT_EQ(records.back().size(), 0u) << "no end of line";
  records.pop_back();
  for (const auto& record : records) EXPECT_EQ(record.size(), records.front().size());
  return records;
}

std::vector<std::string> column(const Records& records, const std::string& name) {
  const auto at = static_cast<std::size_t>(std::ranges::find(records.front(), name) - records.front().begin());
  std::vector<std::string> values;
  for (std::size_t i = 1; i < records.size(); ++i) values.push_back(records[i].at(at));
  return values;
}

TEST(ReportCsv, ReadsBackToTheSameNumbers) {
  const Results results = sample_results();
  const Records records = parse_csv(csv_of(*results.fig2));
  ASSERT_EQ(records.size(), 1 + results.fig2->points.size());
  const auto means = column(records, "mean"), kernels = column(records, "kernel");
  for (std::size_t i = 0; i < means.size(); ++i) {
    EXPECT_EQ(std::strtod(means[i].c_str(), nullptr), results.fig2->points[i].error.mean);
    EXPECT_EQ(kernels[i], results.fig2->points[i].kernel);
  }
}

TEST(ReportCsv, LeavesFieldsEmptyWhereThereIsNoNumber) {
  const Results results = sample_results({.n_trials = 1});
  for (const std::string& deviation : column(parse_csv(csv_of(*results.fig1)), "std")) EXPECT_EQ(deviation, "");
  const Records table = parse_csv(csv_of(*results.table1));
  const auto rows = column(table, "row"), paper = column(table, "paper"), pass = column(table, "pass"),
             difference = column(table, "difference");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool published = results.table1->cells[i].paper.has_value();
    EXPECT_EQ(paper[i].empty(), !published) << rows[i];
    EXPECT_EQ(difference[i].empty(), !published) << rows[i];
    EXPECT_EQ(pass[i].empty(), !published) << rows[i];
  }
}

TEST(ReportCsv, KeepsHostileNames) {
  const Results results = hostile_results();
  EXPECT_EQ(column(parse_csv(csv_of(*results.fig3)), "dataset").front(), hostile);
}

TEST(ReportCsv, HasTheLinearClassifierAsLinesOfItsOwn) {
  const Results results = sample_results();
  const auto kernels = column(parse_csv(csv_of(*results.fig3)), "kernel");
  EXPECT_EQ(std::ranges::count(kernels, "linear"), 4);
}

TEST(ReportJson, HasCellsWithEveryField) {
  const Json json = json_of(sample_results());
  ASSERT_EQ(json["cells"].size(), 4u * 12u);
  for (const Json& cell : json["cells"])
    for (const char* field : {"dataset", "row", "mean", "std", "paper", "paper_std", "pass", "difference", "n_trials", "n_frequencies",
                              "n_features", "training_seconds", "microseconds_per_row"})
      EXPECT_TRUE(cell.contains(field)) << field;
  EXPECT_TRUE(json["cells"].back()["paper"].is_null());
  EXPECT_TRUE(json["cells"].back()["pass"].is_null());
  EXPECT_TRUE(json["cells"].front()["pass"].is_boolean());
  for (const char* part : {"run", "fig1", "fig2", "fig3", "table1"}) EXPECT_TRUE(json[part].is_object()) << part;
}

TEST(ReportJson, IsNullWhereThereIsNoNumberAndValidWhateverTheNames) {
  for (const auto& [name, results] : result_variants()) {
    SCOPED_TRACE(name);
    const std::string text = json_of(results).dump();  // throws if a string is no UTF-8
    EXPECT_EQ(text.find("nan"), std::string::npos);
    EXPECT_EQ(text.find("inf"), std::string::npos);
    EXPECT_FALSE(Json::parse(text, nullptr, false).is_discarded());
  }
  EXPECT_TRUE(json_of(broken_results())["fig1"]["points"][0]["estimate"]["mean"].is_null());
}

}  // namespace
}  // namespace askrff::test
