#include "messages.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bermuda/bench/workers.hpp"
#include "bermuda/core/error.hpp"

namespace bermuda {
namespace {

void send_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) throw IoError("worker", "write to", errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
  }
}

}  // namespace

void send_message(int descriptor, std::string_view text) {
  const std::uint64_t size = text.size();
  std::string frame(sizeof size, '\0');
  std::memcpy(frame.data(), &size, sizeof size);
  frame += text;
  send_all(descriptor, frame);
}

bool receive_message(int descriptor, std::string& text) {
  MessageBuffer buffer;
  while (!buffer.next(text)) {
    // Byte by byte as far as needed: nothing of the next message may be taken.
    if (!buffer.read_from(descriptor, buffer.missing())) return false;
  }
  return true;
}

std::size_t MessageBuffer::missing() const {
  std::uint64_t size = 0;
  if (bytes_.size() < sizeof size) return sizeof size - bytes_.size();
  std::memcpy(&size, bytes_.data(), sizeof size);
  return sizeof size + size - bytes_.size();
}

bool MessageBuffer::read_from(int descriptor, std::size_t most) {
  const std::size_t before = bytes_.size();
  bytes_.resize(before + most);
  ssize_t done = 0;
  do {
    done = ::recv(descriptor, bytes_.data() + before, most, 0);
  } while (done < 0 && errno == EINTR);
  bytes_.resize(before + static_cast<std::size_t>(done > 0 ? done : 0));
  return done > 0;
}

bool MessageBuffer::next(std::string& text) {
  std::uint64_t size = 0;
  if (bytes_.size() < sizeof size) return false;
  std::memcpy(&size, bytes_.data(), sizeof size);
  if (bytes_.size() - sizeof size < size) return false;
  text = bytes_.substr(sizeof size, size);
  bytes_.erase(0, sizeof size + size);
  return true;
}

}  // namespace bermuda
