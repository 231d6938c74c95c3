// SPDX-License-Identifier: Apache-2.0
#include "hccl/network.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>

#include "base/fork_locks.h"
#include "hccl/environment.h"
#include "hccl/hccl_types.h"

namespace anyacl::hccl {
namespace {

using nlohmann::json;

// "eth" (names that begin so), "=eth0,eth1" (these names), either behind "^" (all others).
bool NameFits(std::string_view rule, std::string_view name) {
  const bool inverted = rule.starts_with('^');
  if (inverted) rule.remove_prefix(1);
  const bool exact = rule.starts_with('=');
  if (exact) rule.remove_prefix(1);
  bool found = false;
  while (!rule.empty() && !found) {
    const size_t comma = rule.find(',');
    const std::string_view one = rule.substr(0, comma);
    found = !one.empty() && (exact ? name == one : name.starts_with(one));
    rule = comma == std::string_view::npos ? std::string_view() : rule.substr(comma + 1);
  }
  return found != inverted;
}

std::vector<Interface> Interfaces(int family) {
  std::vector<Interface> all;
  ifaddrs* first = nullptr;
  if (getifaddrs(&first) != 0) return all;
  for (const ifaddrs* at = first; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != family) continue;
    if ((at->ifa_flags & IFF_UP) == 0) continue;
    Interface found{at->ifa_name, {}};
    found.address.size = family == AF_INET6 ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
    std::memcpy(&found.address.storage, at->ifa_addr, found.address.size);
    all.push_back(found);
  }
  freeifaddrs(first);
  const auto rank = [](const Interface& one) {
    return one.name.starts_with("docker") ? 1 : one.name == "lo" ? 2 : 0;
  };
  std::stable_sort(all.begin(), all.end(), [&](const Interface& a, const Interface& b) {
    return std::tuple(rank(a), std::string_view(a.name)) <
           std::tuple(rank(b), std::string_view(b.name));
  });
  return all;
}

int MillisecondsUntil(Connection::Clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Connection::Clock::now());
  return static_cast<int>(std::clamp<int64_t>(left.count(), 0, 1'000'000));
}

bool WaitFor(int fd, short events, Connection::Clock::time_point end) {
  pollfd poll_fd{fd, events, 0};
  for (;;) {
    const int ready = poll(&poll_fd, 1, MillisecondsUntil(end));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

// json::from_cbor calls itself for each level, of texts in pieces, too: 64 KiB of "a list of one"
// are more than a thread's stack holds. Send makes no texts in pieces, no lists of unknown length,
// no tags, and three levels.
bool IsShallow(std::string_view cbor) {
  constexpr size_t kMaxDepth = 8;
  std::array<uint64_t, kMaxDepth> left;  // items to come, in each list that is open
  size_t depth = 0;
  size_t at = 0;
  const auto next = [&] { return static_cast<uint8_t>(cbor[at++]); };
  do {
    if (at == cbor.size()) return false;
    const uint8_t head = next();
    const int kind = head >> 5;
    uint64_t value = head & 31;
    if (value > 27) return false;
    if (value >= 24) {
      const size_t bytes = size_t{1} << (value - 24);
      if (bytes > cbor.size() - at) return false;
      value = 0;
      for (size_t i = 0; i < bytes; ++i) value = value << 8 | next();
    }
    if (depth > 0) --left[depth - 1];
    if (kind == 2 || kind == 3) {  // bytes, a text
      if (value > cbor.size() - at) return false;
      at += value;
    } else if (kind == 4 || kind == 5) {  // a list, an object
      if (depth == kMaxDepth || value > cbor.size() - at) return false;
      left[depth++] = kind == 5 ? 2 * value : value;
    } else if (kind == 6) {  // a tag
      return false;
    }
    while (depth > 0 && left[depth - 1] == 0) --depth;
  } while (depth > 0);
  return at == cbor.size();
}

// All of the process. In a forked child their numbers mean nothing instead: the child's copies of
// their owners still have them.
class OpenSockets {
 public:
  static OpenSockets& Instance() {
    static auto* open = new OpenSockets;
    return *open;
  }
  void Add(int fd) {
    std::lock_guard lock(mutex_);
    fds_.insert(fd);
  }
  void Close(int fd) {
    std::lock_guard lock(mutex_);
    fds_.erase(fd);
    close(fd);
  }

 private:
  OpenSockets() {
    ForkLocks::Add(ForkOrder::kLog, {[this] { mutex_.lock(); }, [this] { mutex_.unlock(); },
                                     [this] { ReplaceAll(); }});
  }
  void ReplaceAll() {
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int fd : fds_) {
      // Without /dev/null the number is free for another file; the connection matters more.
      if (nothing < 0 || dup3(nothing, fd, O_CLOEXEC) < 0) close(fd);
    }
    if (nothing >= 0) close(nothing);
  }

  std::mutex mutex_;
  std::set<int> fds_;
};
[[maybe_unused]] const bool kNetworkMadeAtLoad = (OpenSockets::Instance(), true);

}  // namespace

uint16_t Address::port() const {
  return ntohs(ipv6() ? reinterpret_cast<const sockaddr_in6&>(storage).sin6_port
                      : reinterpret_cast<const sockaddr_in&>(storage).sin_port);
}

void Address::set_port(uint16_t port) {
  if (ipv6()) {
    reinterpret_cast<sockaddr_in6&>(storage).sin6_port = htons(port);
  } else {
    reinterpret_cast<sockaddr_in&>(storage).sin_port = htons(port);
  }
}

std::string Address::host() const {
  std::array<char, NI_MAXHOST> text{};
  getnameinfo(reinterpret_cast<const sockaddr*>(&storage), size, text.data(), text.size(), nullptr,
              0, NI_NUMERICHOST);
  return text.data();
}

std::optional<Interface> ChooseInterface(const Environment& environment) {
  if (!environment.interface_address.empty()) {
    for (const int family : {AF_INET, AF_INET6}) {
      for (const Interface& one : Interfaces(family)) {
        if (one.address.host() == environment.interface_address) return one;
      }
    }
    return std::nullopt;
  }
  for (const Interface& one : Interfaces(environment.ipv6 ? AF_INET6 : AF_INET)) {
    if (environment.interface_names.empty() || NameFits(environment.interface_names, one.name)) {
      return one;
    }
  }
  return std::nullopt;
}

std::optional<Interface> InterfaceTo(const Address& address) {
  // Nothing is sent: the system only chooses the way, and with it the own address.
  const Socket socket(::socket(address.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  Address own;
  own.size = sizeof(own.storage);
  if (socket.fd() < 0 ||
      connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) !=
          0 ||
      getsockname(socket.fd(), reinterpret_cast<sockaddr*>(&own.storage), &own.size) != 0) {
    return std::nullopt;
  }
  for (const Interface& one : Interfaces(address.storage.ss_family)) {
    if (one.address.host() == own.host()) return one;
  }
  return std::nullopt;
}

Status ReadWhitelist(const std::string& file, std::vector<std::string>* addresses) {
  std::ifstream stream(file);
  const json content = json::parse(stream, nullptr, false);
  const auto list = content.is_object() ? content.find("host_ip") : content.end();
  const bool good =
      content.is_object() && list != content.end() && list->is_array() &&
      std::all_of(list->begin(), list->end(), [](const json& one) { return one.is_string(); });
  if (!good) {
    return Fail(HCCL_E_OPEN_FILE_FAILURE,
                "HCCL_WHITELIST_FILE {} holds no list of addresses {{\"host_ip\": [\"…\"]}}", file);
  }
  *addresses = list->get<std::vector<std::string>>();
  return {};
}

std::optional<json> ReadObject(std::string_view cbor) {
  if (!IsShallow(cbor)) return std::nullopt;
  json value = json::from_cbor(cbor, true, false);
  if (!value.is_object()) return std::nullopt;
  return value;
}

Socket::Socket(int fd) : fd_(fd) {
  if (fd >= 0) OpenSockets::Instance().Add(fd);
}

Socket::~Socket() {
  if (fd_ >= 0) OpenSockets::Instance().Close(fd_);
}

Connection::Connection(Socket socket) : socket_(std::move(socket)) {
  const auto set = [this](int level, int option, int value) {
    setsockopt(fd(), level, option, &value, sizeof(value));
  };
  set(IPPROTO_TCP, TCP_NODELAY, 1);
  // A host without power or cable says nothing: 25 s of silence end the connection.
  set(SOL_SOCKET, SO_KEEPALIVE, 1);
  set(IPPROTO_TCP, TCP_KEEPIDLE, 10);
  set(IPPROTO_TCP, TCP_KEEPINTVL, 5);
  set(IPPROTO_TCP, TCP_KEEPCNT, 3);
}

std::optional<Connection> Connection::To(const Address& address, Clock::time_point end) {
  for (;;) {
    Socket socket(
        ::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (socket.fd() < 0) return std::nullopt;
    int error = 0;
    if (connect(socket.fd(), reinterpret_cast<const sockaddr*>(&address.storage), address.size) !=
        0) {
      error = errno;
      if (error == EINPROGRESS && WaitFor(socket.fd(), POLLOUT, end)) {
        socklen_t size = sizeof(error);
        getsockopt(socket.fd(), SOL_SOCKET, SO_ERROR, &error, &size);
      }
    }
    if (error == 0) {
      return Connection(std::move(socket));
    }
    // Nobody listens yet, where the address is agreed upon beforehand.
    if (Clock::now() + std::chrono::milliseconds(50) > end) return std::nullopt;
    poll(nullptr, 0, 50);
  }
}

std::string Connection::Encode(const json& message) {
  const std::vector<uint8_t> body = json::to_cbor(message);
  const auto size = static_cast<uint32_t>(body.size());
  std::string bytes(sizeof(size), '\0');
  std::memcpy(bytes.data(), &size, sizeof(size));
  bytes.append(body.begin(), body.end());
  return bytes;
}

bool Connection::SendBytes(std::string_view bytes) {
  if (!open()) return false;
  const Clock::time_point end = Clock::now() + std::chrono::seconds(5);
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t count =
        send(fd(), bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      sent += static_cast<size_t>(count);
    } else if (errno == EAGAIN && WaitFor(fd(), POLLOUT, end)) {
      continue;
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

std::optional<json> Connection::TryReceive(size_t limit) {
  while (open()) {
    uint32_t size = 0;
    if (received_.size() >= sizeof(size)) {
      std::memcpy(&size, received_.data(), sizeof(size));
      if (size > limit) break;
      if (received_.size() >= sizeof(size) + size) {
        std::optional<json> message =
            ReadObject(std::string_view(received_).substr(sizeof(size), size));
        received_.erase(0, sizeof(size) + size);
        if (!message) break;
        return message;
      }
    }
    std::array<char, 16384> bytes;
    const ssize_t count = recv(fd(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    if (count > 0) {
      received_.append(bytes.data(), static_cast<size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      return std::nullopt;
    } else if (count == 0 || errno != EINTR) {
      break;
    }
  }
  Close();
  return std::nullopt;
}

std::optional<json> Connection::Receive(size_t limit, Clock::time_point end) {
  for (;;) {
    if (std::optional<json> message = TryReceive(limit)) return message;
    if (!open() || !WaitFor(fd(), POLLIN, end)) return std::nullopt;
  }
}

}  // namespace anyacl::hccl
