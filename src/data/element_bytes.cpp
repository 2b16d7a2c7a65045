// Parts of a file by position, and streams.
#include "data/element_bytes.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "data/messages.hpp"

namespace askrff::data {
namespace {

constexpr std::size_t window_bytes = std::size_t{16} << 20;

}  // namespace

ElementBytes::ElementBytes(Input input, std::uint64_t n_elements, std::size_t item_size)
    : input_(std::move(input)), n_elements_(n_elements), item_size_(item_size), file_(input_.regular_file()), begin_(input_.position()) {
  if (!is_file()) return;
  const std::uint64_t present = bytes_in_file() / item_size_;
  if (present < n_elements_) fail_short(present);
  if (bytes_in_file() > n_elements_ * item_size_)
    fail(name(), fmt::format("more bytes follow the data, expected {} elements as the NPY header says", n_elements_));
}

void ElementBytes::fail_short(std::uint64_t n_present) const {
  fail(name(), fmt::format("the data end after {} elements, expected {} as the NPY header says", n_present, n_elements_));
}

std::uint64_t ElementBytes::bytes_in_file() const {
  struct stat status {};
  if (::fstat(file_, &status) != 0) fail(name(), "cannot be examined: " + std::generic_category().message(errno));
  const auto size = static_cast<std::uint64_t>(status.st_size);
  return size > begin_ ? size - begin_ : 0;
}

double ElementBytes::fraction_after(std::uint64_t element) const {
  return is_file() ? static_cast<double>(element) / static_cast<double>(n_elements_) : input_.fraction();
}

std::size_t ElementBytes::max_elements() const { return window_bytes / item_size_; }

const char* ElementBytes::next_elements(std::uint64_t first, std::size_t count) {
  const std::size_t bytes = count * item_size_;
  buffer_.resize(bytes);
  for (std::size_t filled = 0; filled < bytes;) {
    const std::size_t got = input_.read(buffer_.data() + filled, bytes - filled);
    if (got == 0) fail_short(first + filled / item_size_);
    filled += got;
  }
  return buffer_.data();
}

void ElementBytes::copy(std::uint64_t first, std::size_t count, char* out) const {
  const std::size_t bytes = count * item_size_;
  for (std::size_t filled = 0; filled < bytes;) {
    const ssize_t got = ::pread(file_, out + filled, bytes - filled, static_cast<off_t>(begin_ + first * item_size_ + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(name(), "cannot be read: " + std::generic_category().message(errno));
    if (got == 0) fail_short(bytes_in_file() / item_size_);  // cut since it was opened
    filled += static_cast<std::size_t>(got);
  }
}

void ElementBytes::check_end() {
  if (!is_file() && !input_.peek(1).empty())
    fail(name(), fmt::format("more bytes follow the data, expected {} elements as the NPY header says", n_elements_));
}

}  // namespace askrff::data
