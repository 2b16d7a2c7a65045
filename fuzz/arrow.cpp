// Arrow's IPC format: whole and in blocks, with and without labels, and as it would come through a pipe.
#include <algorithm>
#include <memory>

#include "data/arrow_batches.hpp"
#include "target.hpp"

namespace {

class Pipe : public askrff::data::ByteStream {
 public:
  explicit Pipe(std::string_view bytes) : bytes_(bytes) {}
  std::size_t read(char* out, std::size_t size) override {
    constexpr std::size_t most = 100;
    const std::size_t count = std::min({size, most, bytes_.size()});
    std::copy_n(bytes_.data(), count, out);
    bytes_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view bytes_;
};

/// Everything of every batch is touched: text, numbers, categories.
void look_at(const askrff::ColumnBatch& batch) {
  double sum = 0;
  for (const askrff::Column& column : batch.columns)
    for (std::size_t i = 0; i < column.n_rows; ++i) {
      if (column.is_missing(i)) continue;
      try {
        const askrff::Column& values = column.dictionary ? *column.dictionary : column;
        const std::size_t at = column.dictionary ? column.index(i) : i;
        sum += is_text(values.type) ? static_cast<double>(values.text(at).size()) : values.number(at);
      } catch (const askrff::DataError&) {
      }
    }
  if (sum == 0x1.23456789p300) askrff::fuzz::broken("a sum that nobody expects, so that none is left out");
}

void read_from_pipe(std::string_view bytes) try {
  constexpr std::uint64_t max_bytes = std::uint64_t{1} << 21;
  askrff::data::ArrowBatches batches(askrff::data::Input("pipe", std::make_unique<Pipe>(bytes), max_bytes), max_bytes, {});
  for (const askrff::ColumnField& field : batches.fields())
    if (!askrff::data::ArrowBatches::can_read(field)) return;
  while (const auto batch = batches.next()) look_at(*batch);
} catch (const askrff::DataError&) {
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = askrff::fuzz::text_of(data, size);
  askrff::fuzz::read_both_ways(bytes, {.format = askrff::DataFormat::arrow});
  askrff::fuzz::read_both_ways(bytes, {.format = askrff::DataFormat::arrow, .label = "l"});
  askrff::fuzz::read_both_ways(bytes, {.format = askrff::DataFormat::arrow, .label = "1"});
  read_from_pipe(bytes);
  return 0;
}
