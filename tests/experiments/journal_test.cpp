// The journal of finished trials: what is recorded is there again, what was torn is not, and nobody shares it.
#include "experiments/journal.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <sstream>

#include "support/temporary_folder.hpp"
#include "experiments/trials.hpp"

namespace askrff::experiments {
namespace {

using test::TemporaryFolder;

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Journal, KeepsTrialsFromOneRunToTheNext) {
  const TemporaryFolder folder;
  const std::string path = folder.file("trials.jsonl");
  {
    Journal journal(path);
    EXPECT_EQ(journal.find("a"), nullptr);
    journal.record("a", {{"x", 0.1}}, 2.5);
    journal.record("b \"quoted\"\n", {{"x", {1, 2}}}, 0);
  }
  const Journal journal(path);
  ASSERT_NE(journal.find("a"), nullptr);
  EXPECT_EQ(journal.at("a").value.at("x").get<double>(), 0.1);
  EXPECT_EQ(journal.at("a").seconds, 2.5);
  EXPECT_EQ(journal.at("b \"quoted\"\n").value.at("x").size(), 2u);
}

TEST(Journal, DropsALastLineThatWasTornAtAnyByte) {
  const TemporaryFolder folder;
  const std::string path = folder.file("trials.jsonl");
  {
    Journal journal(path);
    journal.record("a", {{"x", 1}}, 1);
    journal.record("b", {{"x", 2}}, 1);
  }
  const std::string whole = text_of(path);
  const std::size_t first_line = whole.find('\n') + 1;
  for (std::size_t length = first_line; length < whole.size(); ++length) {
    folder.write("trials.jsonl", whole.substr(0, length));
    {
      Journal journal(path);
      EXPECT_NE(journal.find("a"), nullptr);
      EXPECT_EQ(journal.find("b"), nullptr);
      journal.record("c", {{"x", 3}}, 1);
    }
    const Journal again(path);
    EXPECT_NE(again.find("c"), nullptr) << "torn at " << length;
  }
}

TEST(Journal, RefusesWhatIsNoJournal) {
  const TemporaryFolder folder;
  for (const char* content :
       {"hello\n", "{}\n", "[1]\n", "{\"key\":1,\"seconds\":1,\"value\":{}}\n", "{\"key\":\"a\",\"seconds\":1,\"value\":3}\n", "\n",
        "{\"key\":\"a\",\"seconds\":\"1\",\"value\":{}}\n", "{\"key\":\"\xff\",\"seconds\":1,\"value\":{}}\n"}) {
    const std::string path = folder.write("trials.jsonl", content);
    try {
      const Journal journal(path);
      ADD_FAILURE() << "took " << content;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("trials.jsonl:1: expected a trial"), std::string::npos) << error.what();
    }
    EXPECT_EQ(text_of(path), content);
  }
  EXPECT_THROW(Journal(folder.file("")), std::invalid_argument);
  EXPECT_THROW(Journal(folder.file("no/such/folder/trials.jsonl")), std::invalid_argument);
}

TEST(Journal, IsForOneProcessAtATime) {
  const TemporaryFolder folder;
  const Journal journal(folder.file("trials.jsonl"));
  EXPECT_THROW(Journal(folder.file("trials.jsonl")), std::invalid_argument);
}

TEST(RunTrials, RunsEachOnceAndStopsBetweenTwo) {
  const TemporaryFolder folder;
  Journal journal(folder.file("trials.jsonl"));
  int n_runs = 0;
  std::vector<TrialTask> trials;
  for (const char* key : {"a", "b", "a", "c"}) trials.push_back({key, key, 1, [&n_runs] { return Journal::Json{{"run", ++n_runs}}; }});
  Observer stopping;
  stopping.should_stop = [&] { return n_runs == 2; };
  EXPECT_THROW(run_trials(trials, journal, stopping), Interrupted);
  EXPECT_EQ(n_runs, 2);
  EXPECT_FALSE(all_finished(trials, journal));
  std::string started;
  Observer observer;
  observer.starts = [&](const TrialTask& trial) { started += trial.label; };
  run_trials(trials, journal, observer);
  EXPECT_EQ(started, "c");
  EXPECT_EQ(n_runs, 3);
  EXPECT_TRUE(all_finished(trials, journal));
}

TEST(RunTrials, SideBySideTheyAreTheSameAndWaitForWhomTheyNeed) {
  const TemporaryFolder folder;
  Journal journal(folder.file("trials.jsonl"));
  std::vector<TrialTask> trials;
  for (int i = 0; i < 40; ++i) {
    const std::string key = std::to_string(i), needed = i % 4 == 0 ? "" : std::to_string(i - i % 4);
    const auto run = [&journal, i, needed] {
      const int before = needed.empty() ? 0 : journal.at(needed).value.at("x").get<int>();
      return Journal::Json{{"x", needed.empty() ? i : before + i}};
    };
    trials.push_back({key, key, 1, run, needed});
  }
  std::atomic<int> n_done = 0;
  Observer observer;
  observer.is_done = [&](const TrialTask&) { ++n_done; };
  run_trials(trials, journal, observer, 5);
  EXPECT_EQ(n_done, 40);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(journal.at(std::to_string(i)).value.at("x"), i % 4 == 0 ? i : i - i % 4 + i);
}

TEST(RunTrials, AnErrorEndsThemAllAndKeepsWhatIsFinished) {
  const TemporaryFolder folder;
  Journal journal(folder.file("trials.jsonl"));
  std::vector<TrialTask> trials;
  for (int i = 0; i < 20; ++i)
    trials.push_back({std::to_string(i), "", 1, [i] {
                        if (i == 7) throw std::domain_error("seven");
                        return Journal::Json{{"x", i}};
                      }});
  EXPECT_THROW(run_trials(trials, journal, {}, 3), std::domain_error);
  EXPECT_NE(journal.find("0"), nullptr);
  EXPECT_EQ(journal.find("7"), nullptr);
  const std::vector<TrialTask> alone{{"a", "", 1, [] { return Journal::Json::object(); }, "b"}};
  EXPECT_THROW(run_trials(alone, journal, {}, 2), std::logic_error);
}

}  // namespace
}  // namespace askrff::experiments
