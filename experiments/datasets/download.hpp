// Downloads over HTTP and HTTPS: resumed, retried, bounded in size and in patience. What arrives is not trusted; see fetch.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "experiments/datasets/part_file.hpp"

namespace askrff::experiments {

/// A file that could not be downloaded, or was not what it should be. "ADDRESS: what happened, what was expected".
class DownloadError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct DownloadOptions {
  std::uint64_t max_bytes = std::uint64_t{128} << 20;  ///< a longer file is refused; no published file comes near
  int max_attempts = 4;
  std::chrono::milliseconds first_wait{1000};      ///< before the second attempt; doubled before each further one
  std::chrono::milliseconds longest_wait{60'000};  ///< also where the server asks for more
  std::chrono::seconds connect_limit{20};
  std::chrono::seconds stall_limit{30};                                        ///< slower than min_speed for so long is a failed attempt
  std::uint64_t min_speed = 100;                                               ///< bytes per second
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};  ///< bytes; total is 0 where nobody knows
  std::function<void(const std::string& sentence)> notice = {};                ///< why an attempt is repeated
};

/// Appends to `part` what it lacks of the file at the address, or starts it anew where the server cannot continue. n_bytes: its size; 0:
/// not known. Follows up to 5 redirects, from HTTPS to HTTPS only; certificates are checked; proxies are those of the environment. Attempts
/// that fail for reasons that may pass (no connection, 408, 429, 5xx, stalls, broken transfers) are repeated. Throws DownloadError,
/// std::invalid_argument for an address of another kind, WriteError. What has come is kept for a later call, unless it is too much.
void download(const std::string& address, PartFile& part, std::uint64_t n_bytes, const DownloadOptions& options = {});

/// The address without name and password of a user, for messages.
std::string shown_address(const std::string& address);

}  // namespace askrff::experiments
