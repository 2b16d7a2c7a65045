// Files of models, maps, plans and sums, and bytes of trainers: as they are, and with header and checksum repaired, which a fuzzer could
// not guess.
#include <optional>
#include <string>

#include "askrff/plan.hpp"
#include "askrff/train.hpp"
#include "repaired.hpp"
#include "target.hpp"

namespace askrff::fuzz {
namespace {

/// What was accepted can be saved, and saved again gives the same bytes.
void check_saving(const StoredFile& stored) {
  const Model* model = stored.model();
  const std::string first = model ? model->to_bytes() : stored.map().to_bytes();
  const std::string second = model ? Model::from_bytes(first).to_bytes() : Map::from_bytes(first).to_bytes();
  if (first != second) broken("a file that was loaded and saved is another one");
}

/// What was accepted can be used: rows of zeros get features and, from a model, outputs.
void check_use(const StoredFile& stored) {
  constexpr std::size_t max_columns = 1 << 16;
  const Model* model = stored.model();
  const Map& map = stored.map();
  if (map.dim() > max_columns) return;
  const Matrix<double> X(2, map.dim());
  try {
    if (model)
      model->outputs(X, {.n_threads = 1});
    else
      map.left(X, {.n_threads = 1});
    map.rows_outside(X);
  } catch (const std::invalid_argument&) {  // numbers too large for phases or float
  }
}

/// A trainer that was accepted can be stored, and is the same then.
void go_on(std::string_view bytes) {
  std::optional<RidgeTrainer> trainer;
  try {
    trainer.emplace(RidgeTrainer::from_bytes(std::string(bytes), {.n_threads = 1}));
  } catch (const DataError&) {
    return;
  }
  const std::string first = trainer->to_bytes();
  if (RidgeTrainer::from_bytes(first, {.n_threads = 1}).to_bytes() != first) broken("a trainer that was stored twice is another one");
}

/// The same of sums of a plan; and what they say of their parts can be asked.
void go_on_with_plan(std::string_view bytes) {
  std::optional<PlannedSums> sums;
  try {
    const RidgePlan plan = RidgePlan::from_bytes(std::string(bytes));
    plan.command();
    if (plan.to_bytes() != bytes) broken("a plan that was read is another one");
    return;
  } catch (const DataError&) {
  }
  try {
    sums.emplace(PlannedSums::from_bytes(std::string(bytes), {.n_threads = 1}));
  } catch (const DataError&) {
    return;
  }
  sums->missing_text();
  const std::string first = sums->to_bytes();
  if (PlannedSums::from_bytes(first, {.n_threads = 1}).to_bytes() != first) broken("sums that were stored twice are others");
}

void load(std::string_view bytes) {
  go_on(bytes);
  go_on_with_plan(bytes);
  const std::string file = memory_file(bytes);
  std::optional<StoredFile> stored;
  try {
    stored = load_stored(file);
  } catch (const DataError&) {
    return;
  }
  check_use(*stored);
  check_saving(*stored);
}

}  // namespace
}  // namespace askrff::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = askrff::fuzz::text_of(data, size);
  askrff::fuzz::load(bytes);
  askrff::fuzz::load(askrff::fuzz::repaired(bytes));
  return 0;
}
