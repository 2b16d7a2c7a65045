// Compressed test data, made by the compressors of Boost.Iostreams.
#pragma once

#include <boost/iostreams/copy.hpp>
#include <boost/iostreams/device/array.hpp>
#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filter/lzma.hpp>
#include <boost/iostreams/filter/zstd.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <string>
#include <vector>

namespace askrff::test {

inline const std::vector<std::string>& compressions() {
  static const std::vector<std::string> all = {"gz", "bz2", "xz", "zst"};
  return all;
}

inline std::string compressed(const std::string& text, const std::string& ending) {
  namespace bio = boost::iostreams;
  std::string out;
  bio::filtering_ostream stream;
  if (ending == "gz") stream.push(bio::gzip_compressor());
  if (ending == "bz2") stream.push(bio::bzip2_compressor());
  if (ending == "xz") stream.push(bio::lzma_compressor());
  if (ending == "zst") stream.push(bio::zstd_compressor());
  stream.push(bio::back_inserter(out));
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.reset();
  // Boost ends large zstd data with a second, empty frame; without it every shorter file lacks something.
  constexpr std::size_t empty_frame = 9;
  if (ending == "zst" && out.size() > empty_frame && out.compare(out.size() - empty_frame, 4, "\x28\xB5\x2F\xFD") == 0)
    out.resize(out.size() - empty_frame);
  return out;
}

}  // namespace askrff::test
