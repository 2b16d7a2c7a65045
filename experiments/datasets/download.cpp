// Downloads by libcurl's easy interface.
#include "experiments/datasets/download.hpp"

#include <curl/curl.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "askrff/errors.hpp"
#include "askrff/version.hpp"

namespace askrff::experiments {
namespace {

using Handle = std::unique_ptr<CURL, void (*)(CURL*)>;

Handle new_handle() {
  static const CURLcode initialised = curl_global_init(CURL_GLOBAL_DEFAULT);
  Handle handle(initialised == CURLE_OK ? curl_easy_init() : nullptr, &curl_easy_cleanup);
  if (!handle) throw std::runtime_error("download: the HTTP library cannot be initialised");
  return handle;
}

/// One attempt, as libcurl's callbacks see it.
struct Transfer {
  CURL* handle;
  PartFile& part;
  std::uint64_t max_bytes, expected_bytes;
  const DownloadOptions& options;
  std::uint64_t asked_from = 0;                 ///< first byte of the Range that was asked for
  std::optional<std::uint64_t> sent_from = {};  ///< first byte of the answer's Content-Range
  bool has_begun = false, is_too_large = false, is_no_file = false;
  std::exception_ptr failure = {};                 ///< thrown inside a callback, which must not throw through C
  std::array<char, CURL_ERROR_SIZE> message = {};  ///< libcurl's

  long status() const {
    long code = 0;
    curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code);
    return code;
  }

  /// Where the answer's first byte belongs. A server that ignores Range sends everything; one that sends some other range, or does not say
  /// which, cannot be used. What comes with any other status (300, 301 without an address, …) is a page about it.
  void begin() {
    has_begun = true;
    is_no_file = status() != 200 && status() != 206;
    if (is_no_file || asked_from == 0) return;
    if (status() != 206) return part.clear();
    if (!sent_from) throw DownloadError(fmt::format("the server did not say where it continued, asked for byte {}", asked_from));
    if (*sent_from != asked_from) throw DownloadError(fmt::format("the server continued at byte {}, asked for {}", *sent_from, asked_from));
  }

  void receive(const char* bytes, std::size_t n) {
    if (!has_begun) begin();
    if (is_no_file) return;
    is_too_large = n > max_bytes || part.size() > max_bytes - n;
    if (is_too_large) return;
    part.append(bytes, n);
    if (options.progress) options.progress(part.size(), expected_bytes);
  }
};

std::size_t on_body(char* bytes, std::size_t, std::size_t n, void* user) {
  Transfer& transfer = *static_cast<Transfer*>(user);
  try {
    transfer.receive(bytes, n);
  } catch (...) {
    transfer.failure = std::current_exception();
  }
  return transfer.failure || transfer.is_too_large || transfer.is_no_file ? 0 : n;  // anything but n ends the transfer
}

/// Takes `start` (in lower case) and the blanks behind it from the line, if it begins so in any case.
bool take(std::string_view& line, std::string_view start) {
  const bool matches = line.size() >= start.size() && std::equal(start.begin(), start.end(), line.begin(),
                                                                 [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
  if (!matches) return false;
  line.remove_prefix(start.size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return true;
}

/// "Content-Range: bytes 100-199/200" gives 100.
std::optional<std::uint64_t> range_start(std::string_view line) {
  std::uint64_t first = 0;
  if (!take(line, "content-range:") || !take(line, "bytes")) return std::nullopt;
  if (std::from_chars(line.data(), line.data() + line.size(), first).ec != std::errc()) return std::nullopt;
  return first;
}

std::size_t on_header(char* bytes, std::size_t, std::size_t n, void* user) {
  const std::string_view line(bytes, n);
  Transfer& transfer = *static_cast<Transfer*>(user);
  if (line.starts_with("HTTP/")) transfer.sent_from.reset();  // the answer after a redirect begins
  if (const auto first = range_start(line)) transfer.sent_from = first;
  return n;
}

void allow_protocols(CURL* handle, bool secure_only) {
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS_STR, secure_only ? "https" : "http,https");
#else
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS, static_cast<long>(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  curl_easy_setopt(handle, CURLOPT_REDIR_PROTOCOLS, static_cast<long>(secure_only ? CURLPROTO_HTTPS : CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

void set_up(Transfer& transfer, const std::string& address) {
  CURL* handle = transfer.handle;
  const DownloadOptions& options = transfer.options;
  curl_easy_setopt(handle, CURLOPT_URL, address.c_str());
  allow_protocols(handle, address.starts_with("https:"));
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 1L);
  curl_easy_setopt(handle, CURLOPT_MAXREDIRS, 5L);
  curl_easy_setopt(handle, CURLOPT_FAILONERROR, 1L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, "askrff/" ASKRFF_VERSION);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, static_cast<long>(options.connect_limit.count()));
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_TIME, static_cast<long>(options.stall_limit.count()));
  curl_easy_setopt(handle, CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options.min_speed));
  curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, transfer.message.data());
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, &transfer);
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, &transfer);
  if (transfer.asked_from > 0) curl_easy_setopt(handle, CURLOPT_RANGE, fmt::format("{}-", transfer.asked_from).c_str());
}

/// What came of an attempt.
struct Outcome {
  std::string problem = {};  ///< empty: all is there
  bool may_pass = false;     ///< worth another attempt
  std::chrono::milliseconds asked_wait{0};
};

bool may_pass(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    default:
      return false;
  }
}

/// Nobody there: libcurl's message does not tell whether the server or a proxy is meant.
std::string proxy_remark(CURLcode code, const std::string& address) {
  if (code != CURLE_COULDNT_CONNECT && code != CURLE_COULDNT_RESOLVE_PROXY) return {};
  const bool is_secure = address.starts_with("https:");
  for (const char* variable : {is_secure ? "https_proxy" : "http_proxy", is_secure ? "HTTPS_PROXY" : "", "all_proxy", "ALL_PROXY"})
    if (const char* proxy = std::getenv(variable); proxy && *proxy) return fmt::format(" (a proxy is named by {})", variable);
  return {};
}

Outcome refused_by_server(Transfer& transfer) {
  const long status = transfer.status();
  if (status == 416) {  // nothing lies behind what is here: that is not the file's beginning
    transfer.part.clear();
    return {"the server has nothing behind what had come before (HTTP status 416)", true};
  }
  curl_off_t seconds = 0;
  curl_easy_getinfo(transfer.handle, CURLINFO_RETRY_AFTER, &seconds);
  const auto wait = std::chrono::seconds(std::clamp<curl_off_t>(seconds, 0, 3600));
  return {fmt::format("HTTP status {}, expected the file", status), status >= 500 || status == 429 || status == 408, wait};
}

Outcome attempt(const std::string& address, PartFile& part, std::uint64_t n_bytes, const DownloadOptions& options) {
  const Handle handle = new_handle();
  Transfer transfer{handle.get(), part, n_bytes > 0 ? n_bytes : options.max_bytes, n_bytes, options, part.size()};
  set_up(transfer, address);
  const CURLcode code = curl_easy_perform(handle.get());
  if (transfer.is_too_large) {
    part.clear();
    return {fmt::format("more than {} bytes came, expected at most so many", transfer.max_bytes)};
  }
  try {
    if (transfer.failure) std::rethrow_exception(transfer.failure);
  } catch (const DownloadError& error) {
    part.clear();  // where to continue is not clear: from the beginning
    return {error.what(), true};
  }
  if (code == CURLE_HTTP_RETURNED_ERROR) return refused_by_server(transfer);
  if (transfer.is_no_file || (code == CURLE_OK && transfer.status() != 200 && transfer.status() != 206)) return refused_by_server(transfer);
  if (code == CURLE_OK && part.size() < n_bytes) return {fmt::format("{} bytes came, expected {}", part.size(), n_bytes), true};
  if (code == CURLE_OK) return {};
  const std::string_view detail(transfer.message.data());
  return {std::string(detail.empty() ? curl_easy_strerror(code) : detail) + proxy_remark(code, address), may_pass(code)};
}

void check_address(const std::string& address) {
  if (address.starts_with("http://") || address.starts_with("https://")) return;
  throw std::invalid_argument(fmt::format("download: got the address \"{}\", expected http://… or https://…", shown_address(address)));
}

}  // namespace

std::string shown_address(const std::string& address) {
  const std::size_t scheme = address.find("://");
  if (scheme == std::string::npos) return address;
  const std::size_t host = scheme + 3, path = std::min(address.find('/', host), address.size());
  const std::size_t at = address.substr(0, path).rfind('@');
  return at == std::string::npos || at < host ? address : address.substr(0, host) + address.substr(at + 1);
}

void download(const std::string& address, PartFile& part, std::uint64_t n_bytes, const DownloadOptions& options) {
  check_address(address);
  if (part.size() > (n_bytes > 0 ? n_bytes : options.max_bytes)) part.clear();
  if (n_bytes > 0 && part.size() == n_bytes) return;  // all had come, but whoever fetched it did not live to rename it
  auto wait = options.first_wait;
  for (int i = 1;; ++i) {
    const Outcome outcome = attempt(address, part, n_bytes, options);
    if (outcome.problem.empty()) return;
    const std::string what = fmt::format("{}: {}", shown_address(address), outcome.problem);
    if (!outcome.may_pass) throw DownloadError(what);
    if (i >= options.max_attempts) throw DownloadError(fmt::format("{}; gave up after {} attempts", what, i));
    const auto next = std::min(std::max(wait, outcome.asked_wait), options.longest_wait);
    if (options.notice) options.notice(fmt::format("{}; trying again in {:.1f} s", what, std::chrono::duration<double>(next).count()));
    std::this_thread::sleep_for(next);
    wait *= 2;
  }
}

}  // namespace askrff::experiments
