// The format strings of Arrow's C data interface.
#include "io/arrow_types.hpp"

#include "io/messages.hpp"

namespace askrff::io {
namespace {

struct ArrowFormat {
  std::string_view format;  // all of it, or, for those that go on with details, how it starts
  ElementType element;
  std::string_view content;
};

constexpr ArrowFormat whole_formats[] = {
    {"b", ElementType::truth_bits, "truth values"},
    {"c", ElementType::int8, "int8 numbers"},
    {"C", ElementType::uint8, "uint8 numbers"},
    {"s", ElementType::int16, "int16 numbers"},
    {"S", ElementType::uint16, "uint16 numbers"},
    {"i", ElementType::int32, "int32 numbers"},
    {"I", ElementType::uint32, "uint32 numbers"},
    {"l", ElementType::int64, "int64 numbers"},
    {"L", ElementType::uint64, "uint64 numbers"},
    {"f", ElementType::float32, "float32 numbers"},
    {"g", ElementType::float64, "float64 numbers"},
    {"u", ElementType::text, "text"},
    {"U", ElementType::large_text, "text"},
    {"vu", ElementType::text_views, "text"},
    {"n", ElementType::other, "missing values only"},
    {"e", ElementType::other, "float16 numbers"},
    {"z", ElementType::other, "bytes"},
    {"Z", ElementType::other, "bytes"},
    {"vz", ElementType::other, "bytes"},
};

constexpr ArrowFormat starting_formats[] = {
    {"d:", ElementType::other, "decimals"},
    {"w:", ElementType::other, "bytes"},
    {"td", ElementType::other, "dates"},
    {"tt", ElementType::other, "times"},
    {"ts", ElementType::other, "timestamps"},
    {"tD", ElementType::other, "durations"},
    {"ti", ElementType::other, "intervals"},
    {"+l", ElementType::other, "lists"},
    {"+L", ElementType::other, "lists"},
    {"+v", ElementType::other, "lists"},
    {"+w", ElementType::other, "lists"},
    {"+s", ElementType::other, "columns of its own (a struct)"},
    {"+m", ElementType::other, "maps"},
    {"+u", ElementType::other, "a union of types"},
    {"+r", ElementType::other, "runs of equal values"},
};

}  // namespace

ArrowType arrow_type(std::string_view format) {
  for (const ArrowFormat& known : whole_formats)
    if (format == known.format) return {known.element, std::string(known.content)};
  for (const ArrowFormat& known : starting_formats)
    if (format.starts_with(known.format)) return {known.element, std::string(known.content)};
  return {ElementType::other, "values of the type " + in_quotes(format)};
}

}  // namespace askrff::io
