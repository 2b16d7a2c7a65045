// A small HTTP server on 127.0.0.1 for tests of downloads, with every bad habit a server can have.
#pragma once

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace askrff::test {

struct HttpRequest {
  std::string path;              ///< "/data.txt"
  std::uint64_t range_from = 0;  ///< of "Range: bytes=N-"
};

/// Sockets that a command started meanwhile does not inherit: from the first moment where the system can do that.
#ifdef SOCK_CLOEXEC
inline int new_socket() { return ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0); }
inline int accepted_socket(int listener) { return ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC); }
#else
inline int closed_on_exec(int socket) { return socket >= 0 && ::fcntl(socket, F_SETFD, FD_CLOEXEC) == 0 ? socket : -1; }
inline int new_socket() { return closed_on_exec(::socket(AF_INET, SOCK_STREAM, 0)); }
inline int accepted_socket(int listener) { return closed_on_exec(::accept(listener, nullptr, nullptr)); }
#endif

/// One connection, which ends with its answer.
class HttpConnection {
 public:
  HttpConnection(int socket, const std::atomic<bool>& stops) : socket_(socket), stops_(stops) {}

  /// False once the client has gone.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return !stops_;
  }
  /// Until the client closes the connection or the server is to end.
  void wait_for_end() const {
    for (char byte = 0; !stops_;) {
      pollfd waiting{socket_, POLLIN, 0};
      if (::poll(&waiting, 1, 20) > 0 && ::recv(socket_, &byte, 1, 0) <= 0) return;
    }
  }

 private:
  int socket_;
  const std::atomic<bool>& stops_;
};

using HttpAnswer = std::function<void(const HttpConnection&, const HttpRequest&)>;

class HttpServer {
 public:
  explicit HttpServer(HttpAnswer answer) : answer_(std::move(answer)) {
    listener_ = new_socket();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, generic, &size) != 0)
      throw std::runtime_error("HttpServer: no socket on 127.0.0.1");
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpServer() {
    stops_ = true;
    thread_.join();
    ::close(listener_);
  }
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string address(const std::string& path = "") const { return "http://127.0.0.1:" + std::to_string(port_) + path; }
  /// Those that have come so far.
  std::vector<HttpRequest> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void serve() {
    while (!stops_) {
      pollfd waiting{listener_, POLLIN, 0};
      if (::poll(&waiting, 1, 20) <= 0) continue;
      const int socket = accepted_socket(listener_);
      if (socket < 0) continue;
      const HttpConnection connection(socket, stops_);
      const HttpRequest request = read_request(socket);
      {
        const std::lock_guard lock(mutex_);
        requests_.push_back(request);
      }
      answer_(connection, request);
      ::close(socket);
    }
  }

  static HttpRequest read_request(int socket) {
    std::string text;
    char buffer[4096];
    while (text.find("\r\n\r\n") == std::string::npos) {
      const ssize_t n = ::recv(socket, buffer, sizeof buffer, 0);
      if (n <= 0) break;
      text.append(buffer, static_cast<std::size_t>(n));
    }
    HttpRequest request;
    const std::size_t path = std::min(text.find(' '), text.size() - 1) + 1;
    request.path = text.substr(path, text.find(' ', path) - path);
    constexpr std::string_view range = "Range: bytes=";
    if (const std::size_t at = text.find(range); at != std::string::npos) request.range_from = std::stoull(text.substr(at + range.size()));
    return request;
  }

  HttpAnswer answer_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> stops_ = false;
  mutable std::mutex mutex_;
  std::vector<HttpRequest> requests_;
  std::thread thread_;
};

// --- answers --------------------------------------------------------------------------------------------------------------------

inline std::string http_head(const std::string& status, std::size_t length, const std::string& more = "") {
  return "HTTP/1.1 " + status + "\r\nConnection: close\r\nContent-Length: " + std::to_string(length) + "\r\n" + more + "\r\n";
}

/// As a good server: from where the client wants to continue, 416 beyond the end.
inline HttpAnswer serving(std::string body) {
  return [body](const HttpConnection& connection, const HttpRequest& request) {
    const std::uint64_t from = request.range_from;
    if (from == 0) {
      connection.send(http_head("200 OK", body.size()) + body);
    } else if (from >= body.size()) {
      connection.send(http_head("416 Range Not Satisfiable", 0));
    } else {
      const std::string range = "Content-Range: bytes " + std::to_string(from) + "-" + std::to_string(body.size() - 1) + "/" +
                                std::to_string(body.size()) + "\r\n";
      connection.send(http_head("206 Partial Content", body.size() - from, range) + body.substr(from));
    }
  };
}
/// Everything, whatever was asked for.
inline HttpAnswer ignoring_range(std::string body) {
  return [body](const HttpConnection& connection, const HttpRequest&) { connection.send(http_head("200 OK", body.size()) + body); };
}
/// Claims to continue where it was asked to, and continues elsewhere.
inline HttpAnswer continuing_at(std::string body, std::size_t from) {
  return [=](const HttpConnection& connection, const HttpRequest& request) {
    if (request.range_from == 0) return serving(body)(connection, request);
    const std::string range = "Content-Range: bytes " + std::to_string(from) + "-" + std::to_string(body.size() - 1) + "/*\r\n";
    connection.send(http_head("206 Partial Content", body.size() - from, range) + body.substr(from));
  };
}
/// Continues somewhere and does not say where.
inline HttpAnswer continuing_silently(std::string body) {
  return [=](const HttpConnection& connection, const HttpRequest& request) {
    if (request.range_from == 0) return serving(body)(connection, request);
    connection.send(http_head("206 Partial Content", body.size()) + body);
  };
}
/// Announces all and closes after n bytes.
inline HttpAnswer truncating(std::string body, std::size_t n) {
  return
      [=](const HttpConnection& connection, const HttpRequest&) { connection.send(http_head("200 OK", body.size()) + body.substr(0, n)); };
}
/// Sends n bytes, then nothing more.
inline HttpAnswer stalling(std::string body, std::size_t n) {
  return [=](const HttpConnection& connection, const HttpRequest&) {
    if (connection.send(http_head("200 OK", body.size()) + body.substr(0, n))) connection.wait_for_end();
  };
}
/// Bit by bit, with breaks.
inline HttpAnswer dribbling(std::string body) {
  return [=](const HttpConnection& connection, const HttpRequest&) {
    if (!connection.send(http_head("200 OK", body.size()))) return;
    const std::size_t step = body.size() / 10 + 1;
    for (std::size_t at = 0; at < body.size(); at += step) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      if (!connection.send(body.substr(at, step))) return;
    }
  };
}
/// No length, no end.
inline HttpAnswer endless() {
  return [](const HttpConnection& connection, const HttpRequest&) {
    connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
    while (connection.send(std::string(65536, '0'))) {
    }
  };
}
inline HttpAnswer status(const std::string& code, const std::string& headers = "") {
  return [=](const HttpConnection& connection, const HttpRequest&) { connection.send(http_head(code, 4, headers) + "page"); };
}
inline HttpAnswer redirecting(const std::string& to) { return status("302 Found", "Location: " + to + "\r\n"); }
/// Closes without a word.
inline HttpAnswer hanging_up() {
  return [](const HttpConnection&, const HttpRequest&) {};
}
/// The i-th request gets the i-th answer, later ones the last.
inline HttpAnswer in_turn(std::vector<HttpAnswer> answers) {
  return [answers, i = std::size_t{0}](const HttpConnection& connection, const HttpRequest& request) mutable {
    answers[std::min(i++, answers.size() - 1)](connection, request);
  };
}

}  // namespace askrff::test
