// Decompression by the filters of Boost.Iostreams, driven step by step: a boost filtering stream would not tell a truncated zstd file from
// a complete one, nor where a member ends.
#include "data/decompress.hpp"

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zlib.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <ios>
#include <string>
#include <utility>

#include "data/messages.hpp"
#include "data/zstd_frames.hpp"

namespace askrff::data {
namespace {

namespace bio = boost::iostreams;

bool agrees(std::string_view bytes, std::string_view magic) { return magic.starts_with(bytes.substr(0, magic.size())); }

/// One decompressor as a step: consumes from [in, in_end), produces into [out, out_end).
class Decoder {
 public:
  virtual ~Decoder() = default;
  /// `last`: no input follows in_end. False: a member has ended. Throws std::ios_base::failure on damaged data.
  virtual bool step(const char*& in, const char* in_end, char*& out, char* out_end, bool last) = 0;
  /// Before the next member.
  virtual void restart() = 0;
  /// Whether the input may end here, as far as the decoder itself would not notice.
  virtual bool may_end() const { return true; }
};

template <class Filter>
class BoostDecoder : public Decoder {
 public:
  explicit BoostDecoder(Filter filter = Filter()) : filter_(std::move(filter)) {}
  bool step(const char*& in, const char* in_end, char*& out, char* out_end, bool last) override {
    return filter_.filter().filter(in, in_end, out, out_end, last);
  }
  void restart() override { filter_.filter().close(); }

 private:
  Filter filter_;
};

/// Boost's zstd filter reports the end of the data wherever the input ends; the frames are counted beside it.
class ZstdDecoder : public BoostDecoder<bio::zstd_decompressor> {
 public:
  bool step(const char*& in, const char* in_end, char*& out, char* out_end, bool last) override {
    const char* const begin = in;
    const bool more = BoostDecoder::step(in, in_end, out, out_end, last);
    frames_.feed({begin, in});
    return more;
  }
  bool may_end() const override { return frames_.between_frames(); }

 private:
  ZstdFrames frames_;
};

std::unique_ptr<Decoder> make_decoder(Compression compression) {
  switch (compression) {
    case Compression::gzip: {
      bio::zlib_params parameters;
      parameters.window_bits = 15 + 16;  // zlib reads the gzip header itself and checks the length and CRC-32 at its end
      return std::make_unique<BoostDecoder<bio::zlib_decompressor>>(bio::zlib_decompressor(parameters));
    }
    case Compression::bzip2:
      return std::make_unique<BoostDecoder<bio::bzip2_decompressor>>();
    case Compression::xz:
      return std::make_unique<BoostDecoder<bio::lzma_decompressor>>();
    case Compression::zstd:
      return std::make_unique<ZstdDecoder>();
    case Compression::none:
      break;
  }
  return nullptr;
}

const char* format_name(Compression compression) {
  switch (compression) {
    case Compression::gzip:
      return "gzip";
    case Compression::bzip2:
      return "bzip2";
    case Compression::xz:
      return "xz";
    case Compression::zstd:
      return "zstd";
    case Compression::none:
      break;
  }
  return "";
}

class DecompressedStream : public ByteStream {
 public:
  DecompressedStream(Input raw, Compression compression)
      : raw_(std::move(raw)), compression_(compression), format_(format_name(compression)), decoder_(make_decoder(compression)) {}

  std::size_t read(char* out, std::size_t size) override {
    char* const begin = out;
    int idle_steps = 0;  // without input to consume or output made; xz reports truncation at the second one
    while (out == begin && !ended_) {
      const std::string_view input = raw_.peek(1);
      const bool last = input.empty();
      const char* in = input.data();
      const bool more = step(in, in + input.size(), out, begin + size, last);
      raw_.consume(static_cast<std::size_t>(in - input.data()));
      if (!more) end_member();
      if (last && out == begin && ++idle_steps > 2) fail_truncated();
    }
    return static_cast<std::size_t>(out - begin);
  }
  double fraction() const override { return raw_.fraction(); }

 private:
  bool step(const char*& in, const char* in_end, char*& out, char* out_end, bool last) {
    try {
      return decoder_->step(in, in_end, out, out_end, last);
    } catch (const std::ios_base::failure&) {
      if (last) fail_truncated();
      fail(raw_.name(), std::string("the ") + format_ + " data are damaged, expected a complete " + format_ + " file");
    }
  }

  void end_member() {
    if (const std::string_view next = raw_.peek(longest_magic); !next.empty()) {
      if (recognise_compression(next.substr(0, longest_magic)) != compression_) fail_left_over();
      return decoder_->restart();
    }
    if (!decoder_->may_end()) fail_truncated();
    ended_ = true;
  }

  [[noreturn]] void fail_truncated() const {
    // The decoder of xz goes on to the next stream by itself: a beginning of one that is cut and a few bytes of something else look the
    // same.
    const char* const or_else = compression_ == Compression::xz ? ", or other bytes follow them" : "";
    fail(raw_.name(), std::string("the ") + format_ + " data end early" + or_else + ", expected a complete " + format_ + " file");
  }

  [[noreturn]] void fail_left_over() const {
    fail(raw_.name(), std::string("bytes that are no ") + format_ + " data follow the " + format_ + " data, expected nothing after them");
  }

  Input raw_;
  Compression compression_;
  const char* format_;
  std::unique_ptr<Decoder> decoder_;
  bool ended_ = false;
};

}  // namespace

Compression recognise_compression(std::string_view bytes) {
  if (bytes.starts_with("\x1F\x8B")) return Compression::gzip;
  if (bytes.size() >= 5 && agrees(bytes, {"\3757zXZ\0", 6})) return Compression::xz;
  if (bytes.size() >= 4 && bytes.starts_with("BZh") && bytes[3] >= '1' && bytes[3] <= '9') {
    const std::string_view block = bytes.substr(4);
    if (agrees(block, "1AY&SY") || agrees(block, "\x17rE8P\x90")) return Compression::bzip2;
  }
  if (bytes.starts_with("\x28\xB5\x2F\xFD")) return Compression::zstd;
  if (bytes.size() >= 4 && (bytes[0] & 0xF0) == 0x50 && bytes.substr(1, 3) == "\x2A\x4D\x18") return Compression::zstd;
  return Compression::none;
}

std::unique_ptr<ByteStream> decompress(Input raw, Compression compression) {
  return std::make_unique<DecompressedStream>(std::move(raw), compression);
}

}  // namespace askrff::data
