// RidgeTrainer::from_bytes: bytes that were damaged or tampered with are refused by a DataError that names them.
#include <gtest/gtest.h>

#include <functional>

#include "askrff/errors.hpp"
#include "io/temporary_files.hpp"
#include "pipeline/record_editor.hpp"
#include "pipeline/trainer_kinds.hpp"
#include "support/linear_inputs.hpp"
#include "support/special_values.hpp"

namespace askrff::test {
namespace {

TEST(RidgeTrainerBytes, EveryCutAndEveryFlippedByteIsRefused) {
  RidgeTrainer trainer(column_map(2), {.n_targets = 1, .n_folds = 2});
  trainer.add<double>(TrainerRows(20).X, Matrix<double>(20, 1));
  const std::string good = trainer.to_bytes();
  const auto verdict = [](const std::string& bytes) {
    return message_of<DataError>([&] { RidgeTrainer::from_bytes(bytes, {}, "pickle"); });
  };
  ASSERT_EQ(verdict(good), "accepted");
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    ASSERT_TRUE(starts_with(verdict(bad), "pickle: ")) << i;
    ASSERT_TRUE(starts_with(verdict(good.substr(0, i)), "pickle: ")) << i;
  }
  EXPECT_TRUE(contains(verdict(column_map(2).to_bytes()), "is not ridge-sums"));
  EXPECT_THROW(Map::from_bytes(good), DataError);
}

// Sums of as many columns would take 8 terabytes.
TEST(RidgeTrainerBytes, AMapThatIsLargerThanItsSumsIsRefused) {
  RidgeTrainer trainer(column_map(2), {});
  RecordEditor editor(trainer.to_bytes());
  editor.set_count("map/dim", 0, 1 << 20);
  EXPECT_TRUE(contains(message_of<DataError>([&] { RidgeTrainer::from_bytes(editor.file()); }), "sums over 1048576 features"));
}

TEST(RidgeTrainerBytes, RecordsThatLieAreRefused) {
  const TrainerKind kind = trainer_kinds()[0];
  RidgeTrainer trainer = kind.start();
  const TrainerRows rows(3000);  // complete groups, and rows that wait
  trainer.add<double>(rows.X, std::span<const std::uint32_t>(rows.classes));
  const std::string good = trainer.to_bytes();
  const auto spoilt = [&](const std::function<void(RecordEditor&)>& spoil) {
    RecordEditor editor(good);
    spoil(editor);
    EXPECT_THROW(RidgeTrainer::from_bytes(editor.file()), DataError);
  };
  for (const EditedRecord& record : RecordEditor(good).records)
    if (record.key.starts_with("sums/")) spoilt([&](RecordEditor& file) { file.erase(record.key); });
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{5}, std::uint64_t{1} << 60})
    spoilt([&](RecordEditor& file) { file.set_count("sums/options", 1, n); });  // folds
  spoilt([](RecordEditor& file) { file.set_count("sums/options", 2, 2); });
  spoilt([](RecordEditor& file) { file.set_count("sums/dealt", 0, 1000); });
  spoilt([](RecordEditor& file) { file.set_count("sums/before", 0, 1000); });
  spoilt([](RecordEditor& file) { file.set_count("sums/counted", 1, 61); });
  spoilt([](RecordEditor& file) { file.set_count("sums/waiting", 0, ~std::uint64_t{0}); });
  spoilt([](RecordEditor& file) { file.set_count("sums/waiting/0/first", 0, ~std::uint64_t{0}); });
  spoilt([](RecordEditor& file) { file.set_count("sums/waiting/0/folds", 7, 4); });
  spoilt([](RecordEditor& file) { file.set_count("sums/0/rows", 0, ~std::uint64_t{0}); });
  spoilt([](RecordEditor& file) { file.set_number("sums/1/gram/high", 3, nan); });
  spoilt([](RecordEditor& file) { file.set_text("sums/precision", "float16"); });
  spoilt([](RecordEditor& file) { file.set_text("kernel/name", "gausian"); });
  spoilt([](RecordEditor& file) { file.set_number("scaler/width", 0, -1); });
  spoilt([](RecordEditor& file) {  // two classes have one output, the sums have three
    file["sums/classes"] = {"sums/classes", 4, 2, 18, little_endian(1) + little_endian(1) + "ab"};
    file.set_count("sums/dealt", 0, number_at(file["sums/dealt"].content, 0) + number_at(file["sums/dealt"].content, 16));
    file.set_shape("sums/dealt", 2, 1);
    file["sums/dealt"].content.resize(16);
  });
}

}  // namespace
}  // namespace askrff::test
