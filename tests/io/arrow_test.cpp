// Arrow's C interface: columns of every type, offsets and gaps, and batches that are not what their schema says.
#include "askrff/arrow.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "io/temporary_files.hpp"

namespace askrff::test {
namespace {

/// A table whose structs may be changed before they are handed over; counts what is released.
struct Maker {
  std::deque<ArrowSchema> schemas;
  std::deque<ArrowArray> arrays;
  std::deque<std::vector<const void*>> buffers;
  std::vector<ArrowSchema*> schema_children;
  std::vector<ArrowArray*> array_children;
  ArrowSchema schema{};
  ArrowArray array{};
  int n_released = 0;

  explicit Maker(std::int64_t length) {
    schema.format = "+s";
    schema.private_data = array.private_data = this;
    schema.release = [](ArrowSchema* self) {
      ++static_cast<Maker*>(self->private_data)->n_released;
      self->release = nullptr;
    };
    array.release = [](ArrowArray* self) {
      ++static_cast<Maker*>(self->private_data)->n_released;
      self->release = nullptr;
    };
    array.length = length;
  }

  ArrowArray& add(const char* format, std::vector<const void*> of_column, std::int64_t n_missing = 0, const char* name = "c") {
    schemas.emplace_back();
    schemas.back().format = format;
    schemas.back().name = name;
    buffers.push_back(std::move(of_column));
    arrays.emplace_back();
    arrays.back().length = array.length;
    arrays.back().null_count = n_missing;
    arrays.back().n_buffers = static_cast<std::int64_t>(buffers.back().size());
    arrays.back().buffers = buffers.back().data();
    schema_children.push_back(&schemas.back());
    array_children.push_back(&arrays.back());
    schema.n_children = array.n_children = static_cast<std::int64_t>(schemas.size());
    schema.children = schema_children.data();
    array.children = array_children.data();
    return arrays.back();
  }

  ColumnBatch batch() { return *ArrowReader(&schema, &array, "t").next(); }
  std::string error() {
    return message_of<DataError>([&] { batch(); });
  }
};

std::vector<double> column_of(const ColumnBatch& batch, std::size_t j) {
  Matrix<double> X(batch.n_rows, 1);
  const std::size_t columns[] = {j};
  copy_rows(batch, columns, 0, X);
  return {X.data(), X.data() + batch.n_rows};
}

TEST(ArrowInterface, NumbersOfEveryType) {
  const std::int8_t i8[] = {-1, 2};
  const std::uint16_t u16[] = {1, 65535};
  const std::int64_t i64[] = {-1, std::int64_t{1} << 40};
  const float f[] = {0.5F, -2};
  const double g[] = {0.1, 1e300};
  const std::uint8_t bits[] = {0b10};
  Maker maker(2);
  maker.add("c", {nullptr, i8});
  maker.add("S", {nullptr, u16});
  maker.add("l", {nullptr, i64});
  maker.add("f", {nullptr, f});
  maker.add("g", {nullptr, g});
  maker.add("b", {nullptr, bits});
  {
    const ColumnBatch batch = maker.batch();
    EXPECT_EQ(column_of(batch, 0), (std::vector<double>{-1, 2}));
    EXPECT_EQ(column_of(batch, 1), (std::vector<double>{1, 65535}));
    EXPECT_EQ(column_of(batch, 2), (std::vector<double>{-1, 0x1p40}));
    EXPECT_EQ(column_of(batch, 3), (std::vector<double>{0.5, -2}));
    EXPECT_EQ(column_of(batch, 4), (std::vector<double>{0.1, 1e300}));
    EXPECT_EQ(column_of(batch, 5), (std::vector<double>{0, 1}));
    EXPECT_EQ(maker.n_released, 1);  // the schema; the array is the batch's
  }
  EXPECT_EQ(maker.n_released, 2);
}

TEST(ArrowInterface, OffsetsOfTableAndColumnAddUp) {
  const double g[] = {0, 1, 2, 3, 4, 5};
  const std::uint8_t valid[] = {0b101111};  // element 4 is missing
  Maker maker(2);
  ArrowArray& column = maker.add("g", {valid, g}, -1);
  column.offset = 1;
  column.length = 5;
  maker.array.offset = 2;
  const ColumnBatch batch = maker.batch();
  const std::size_t columns[] = {0};
  EXPECT_EQ(column_of(batch, 0)[0], 3);
  EXPECT_TRUE(std::isnan(column_of(batch, 0)[1]));
  EXPECT_EQ(first_gap(batch, columns), 1U);
  EXPECT_EQ(first_gap(batch.part(0, 1), columns), std::nullopt);
  EXPECT_EQ(batch.part(1, 1).columns[0].is_missing(0), true);
}

TEST(ArrowInterface, TextInEveryForm) {
  const std::int32_t ends[] = {0, 2, 2, 5};
  const std::int64_t large_ends[] = {0, 2, 2, 5};
  const char characters[] = "hiabc", long_text[] = "text that is long";
  char views[48] = {};
  const std::int32_t inside = 2, size = 17, zero = 0;
  std::memcpy(views, &inside, 4);
  std::memcpy(views + 4, "hi", 2);
  std::memcpy(views + 32, &size, 4);
  std::memcpy(views + 40, &zero, 4);
  std::memcpy(views + 44, &zero, 4);
  const std::int64_t sizes[] = {17};
  Maker maker(3);
  maker.add("u", {nullptr, ends, characters});
  maker.add("U", {nullptr, large_ends, characters});
  maker.add("vu", {nullptr, views, long_text, sizes});
  const ColumnBatch batch = maker.batch();
  for (const std::size_t j : {0, 1}) {
    EXPECT_EQ(batch.columns[j].text(0), "hi");
    EXPECT_EQ(batch.columns[j].text(1), "");
    EXPECT_EQ(batch.columns[j].text(2), "abc");
  }
  EXPECT_EQ(batch.columns[2].text(0), "hi");
  EXPECT_EQ(batch.columns[2].text(1), "");
  EXPECT_EQ(batch.columns[2].text(2), long_text);
}

TEST(ArrowInterface, TextThatLeadsNowhere) {
  const std::int32_t backwards[] = {0, 4, 2}, negative[] = {-1, 1, 2};
  const std::int32_t view[4] = {20, 0, 1, 0}, beyond[4] = {20, 0, 0, 1}, minus[4] = {-1, 0, 0, 0};
  const std::int64_t sizes[] = {20};
  for (const std::int32_t* const ends : {backwards, negative}) {
    Maker maker(2);
    maker.add("u", {nullptr, ends, "abcd"});
    const ColumnBatch batch = maker.batch();
    EXPECT_THROW(batch.columns[0].text(0), DataError);
  }
  for (const std::int32_t* const of_row : {view, beyond, minus}) {
    Maker maker(1);
    maker.add("vu", {nullptr, of_row, "twenty characters long", sizes});
    const ColumnBatch batch = maker.batch();
    EXPECT_THROW(batch.columns[0].text(0), DataError);
  }
}

TEST(ArrowInterface, DictionariesAreFollowedAndChecked) {
  const std::int8_t places[] = {1, 0, 2, -1};
  const std::int32_t ends[] = {0, 2, 4};
  Maker maker(4);
  maker.add("c", {nullptr, places});
  ArrowSchema value_schema{};
  value_schema.format = "u";
  const void* buffers[] = {nullptr, ends, "hilo"};
  ArrowArray values{};
  values.length = 2;
  values.n_buffers = 3;
  values.buffers = buffers;
  maker.schemas[0].dictionary = &value_schema;
  EXPECT_EQ(maker.error(), "t: column 'c' has no dictionary, expected one as in the schema");
  Maker no_integers(4);
  no_integers.add("u", {nullptr, ends, "hilo"}).dictionary = &values;
  no_integers.schemas[0].dictionary = &value_schema;
  EXPECT_EQ(no_integers.error(), "t: column 'c' has places in a dictionary that are text, expected integers");
  Maker again(4);
  again.add("c", {nullptr, places}).dictionary = &values;
  again.schemas[0].dictionary = &value_schema;
  ArrowReader reader(&again.schema, &again.array, "t");
  EXPECT_TRUE(reader.fields()[0].is_dictionary);
  EXPECT_THROW(check_is_data(reader.fields()[0], "t"), DataError);
  const ColumnBatch batch = *reader.next();
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_EQ(batch.columns[0].text(0), "lo");
  EXPECT_EQ(batch.columns[0].text(1), "hi");
  EXPECT_THROW(batch.columns[0].text(2), DataError);
  EXPECT_THROW(batch.columns[0].text(3), DataError);
}

TEST(ArrowInterface, RefusesBatchesThatAreNotTheirSchema) {
  const double g[] = {1, 2};
  const auto error = [&](auto change) {
    Maker maker(2);
    ArrowArray& column = maker.add("g", {nullptr, g});
    change(maker, column);
    return maker.error();
  };
  EXPECT_EQ(error([](Maker&, ArrowArray&) {}), "accepted");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.array.length = -1; }), "t: a batch has -1 rows from 0 on, expected numbers of rows");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.array.offset = INT64_MAX; }),
            "t: a batch has 2 rows from 9223372036854775807 on, expected numbers of rows");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.array.length = 3; }), "t: column 'c' has 2 rows, expected 3 as the batch");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.array.n_children = 2; }), "t: a batch has 2 columns, expected 1 as in the schema");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.array.children = nullptr; }), "t: a batch has 1 columns, expected 1 as in the schema");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.array_children[0] = nullptr; }), "t: column 'c' is not there, expected one");
  EXPECT_EQ(error([](Maker&, ArrowArray& c) { c.offset = -1; }), "t: column 'c' has 2 rows from -1 on, expected numbers of rows");
  EXPECT_EQ(error([](Maker&, ArrowArray& c) { c.n_buffers = 1; }), "t: column 'c' has 1 buffers, expected 2");
  EXPECT_EQ(error([](Maker&, ArrowArray& c) { c.buffers = nullptr; }), "t: column 'c' has 2 buffers, expected 2");
  EXPECT_EQ(error([](Maker&, ArrowArray& c) { c.buffers[1] = nullptr; }), "t: column 'c' has 2 rows, but no values");
  EXPECT_EQ(error([](Maker&, ArrowArray& c) { c.null_count = 1; }), "t: column 'c' has 1 missing values, but does not say which");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.schema.format = "g"; }),
            "t: an Arrow array that holds float64 numbers, expected a table: columns with names");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.schema.format = nullptr; }),
            "t: an Arrow array that holds values of the type '', expected a table: columns with names");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.schema.n_children = -1; }), "t: a table of -1 columns, expected at least one");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.schema_children[0] = nullptr; }), "t: column 1 of the schema is not there");
  EXPECT_EQ(error([](Maker& m, ArrowArray&) { m.array.release = nullptr; }), "t: the batch has been taken already, expected a new one");
}

TEST(ArrowInterface, RowsThatAreMissingAsAWhole) {
  const double g[] = {1, 2};
  const std::uint8_t valid[] = {0b01};
  const void* buffers[] = {valid};
  Maker maker(2);
  maker.add("g", {nullptr, g});
  maker.array.n_buffers = 1;
  maker.array.buffers = buffers;
  maker.array.null_count = 1;
  EXPECT_EQ(maker.error(), "t: row 1 of a batch is missing as a whole, expected a table without such rows");
}

TEST(ArrowInterface, StreamsSayWhatWentWrong) {
  ArrowArrayStream stream{};
  EXPECT_EQ(message_of<DataError>([&] { ArrowReader(&stream, "t"); }), "t: the stream has been read already, expected a new one");
  stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
  EXPECT_EQ(message_of<DataError>([&] { ArrowReader(&stream, "t"); }), "t: a stream that cannot be read, expected get_schema and get_next");
  stream.release = [](ArrowArrayStream* self) { self->release = nullptr; };
  stream.get_schema = [](ArrowArrayStream*, ArrowSchema*) { return 5; };
  stream.get_next = [](ArrowArrayStream*, ArrowArray*) { return 5; };
  stream.get_last_error = [](ArrowArrayStream*) { return "the disk is gone"; };
  EXPECT_EQ(message_of<DataError>([&] { ArrowReader(&stream, "t"); }), "t: the stream ends with an error: the disk is gone");
  EXPECT_EQ(stream.release, nullptr);
}

TEST(Columns, AreNotReadBeyondTheirStride) {
  const double numbers[] = {1, -1, 2, -1, 3};
  Column column;
  column.type = ElementType::float64;
  column.n_rows = 3;
  column.values = numbers;
  column.stride = 16;
  const ColumnBatch batch{3, {column}, nullptr};
  EXPECT_EQ(column_of(batch, 0), (std::vector<double>{1, 2, 3}));
}

}  // namespace
}  // namespace askrff::test
