// PartWork and join_results: bytes that were damaged, tampered with or are of another version are refused.
#include <gtest/gtest.h>

#include "askrff/errors.hpp"
#include "askrff/version.hpp"
#include "io/temporary_files.hpp"
#include "parts/memory_parts.hpp"
#include "pipeline/record_editor.hpp"
#include "pipeline/training_data.hpp"

namespace askrff::test {
namespace {

/// Notes the tasks of a training, the starts of its parts and their results.
class NotingParts final : public MemoryParts {
 public:
  using MemoryParts::MemoryParts;
  std::vector<std::string> tasks;
  std::vector<std::vector<std::string>> starts, results;

  std::string run(const std::string& task, const std::vector<std::string>& of_parts) override {
    tasks.push_back(task);
    starts.push_back(of_parts);
    results.emplace_back();
    tamper = [this](std::vector<std::string>& found) { results.back() = found; };
    return MemoryParts::run(task, of_parts);
  }
};

NotingParts trained(Trainer trainer) {
  const LabelledRows rows = rings(60, 2, 1);
  NotingParts parts(rows.X, rows.numbers, {"a", "b"}, {0, 25, 60});
  train(parts, {.features = {.n_frequencies = 4, .weights = Weights::exact, .scale = Scaling::standard},
                .trainer = trainer,
                .c = {1, 2},
                .n_folds = 2});
  return parts;
}

std::string verdict(const std::string& task, const std::string& start) {
  return message_of<DataError>([&] { PartWork(task, start); });
}

TEST(PartBytes, EveryFlippedByteAndEveryCutIsRefused) {
  for (const Trainer trainer : {Trainer::ridge, Trainer::svm}) {
    const NotingParts parts = trained(trainer);
    for (std::size_t pass = 0; pass < std::min<std::size_t>(parts.tasks.size(), 4); ++pass) {
      const std::string &task = parts.tasks[pass], &start = parts.starts[pass][0], &result = parts.results[pass][1];
      ASSERT_EQ(verdict(task, start), "accepted");
      for (std::size_t i = 0; i < task.size(); i += 7) {
        std::string bad = task;
        bad[i] = static_cast<char>(bad[i] ^ 0x20);
        ASSERT_NE(verdict(bad, start), "accepted") << i;
        ASSERT_NE(verdict(task.substr(0, i), start), "accepted") << i;
      }
      for (std::size_t i = 0; i < start.size(); ++i) ASSERT_NE(verdict(task, start.substr(0, i)), "accepted") << i;
      for (std::size_t i = 0; i < result.size(); i += 11)
        ASSERT_THROW(join_results({parts.results[pass][0], result.substr(0, i)}), DataError) << i;
    }
  }
}

TEST(PartBytes, OtherVersionsAreRefusedNamingBoth) {
  const NotingParts parts = trained(Trainer::ridge);
  RecordEditor task(parts.tasks[0]);
  task.set_text("written-by", "0.0.9");
  EXPECT_EQ(verdict(task.file(), parts.starts[0][0]),
            "task: made by askrff 0.0.9, but this worker has askrff " ASKRFF_VERSION ": expected the same version everywhere");
  RecordEditor result(parts.results[0][0]);
  result.set_text("written-by", "0.0.9");
  EXPECT_TRUE(contains(message_of<DataError>([&] { join_results({result.file(), parts.results[0][1]}); }), "0.0.9"));
}

TEST(PartBytes, NumbersThatLieAreRefused) {
  const NotingParts parts = trained(Trainer::svm);
  const auto refused = [&](std::size_t pass, const auto& spoil) {
    RecordEditor editor(parts.tasks[pass]);
    spoil(editor);
    EXPECT_NE(verdict(editor.file(), parts.starts[pass][0]), "accepted");
  };
  refused(0, [](RecordEditor& task) { task.set_count("rows/shape", 0, std::uint64_t{1} << 60); });
  refused(0, [](RecordEditor& task) { task.set_count("rows/shape", 0, 0); });
  refused(0, [](RecordEditor& task) { task.set_text("scaling", "smallest"); });
  refused(0, [](RecordEditor& task) { task.set_text("pass", "nonsense"); });
  refused(2, [](RecordEditor& task) { task.set_count("svm/problems", 0, 1 << 20); });
  refused(2, [](RecordEditor& task) { task.set_count("svm/problems", 1, 1 << 20); });
  refused(2, [](RecordEditor& task) { task.set_text("precision", "float16"); });
  for (std::size_t pass = 0; pass < 4; ++pass)
    for (const EditedRecord& record : RecordEditor(parts.tasks[pass]).records)
      refused(pass, [&](RecordEditor& task) { task.erase(record.key); });
}

TEST(PartBytes, ResultsOfDifferentPassesAreNotJoined) {
  const NotingParts parts = trained(Trainer::ridge);
  EXPECT_THROW(join_results({}), InvalidArgument);
  EXPECT_THROW(join_results({parts.results[0][0], parts.results[1][1]}), InvalidArgument);
  EXPECT_THROW(join_results({parts.results[0][1], parts.results[0][0]}), InvalidArgument);  // not in order
  EXPECT_EQ(join_results({parts.results[0][0], parts.results[0][0]}), join_results({parts.results[0][0]}));
}

}  // namespace
}  // namespace askrff::test
