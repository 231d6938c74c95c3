// SPDX-License-Identifier: Apache-2.0
// TCP between the ranks of a communicator and its root: addresses, sockets, messages of JSON.
#pragma once

#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace anyacl::hccl {

struct Environment;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  bool ipv6() const { return storage.ss_family == AF_INET6; }
  uint16_t port() const;
  void set_port(uint16_t port);
  std::string host() const;  // "192.168.0.1", "fe80::1%eth0"
};

struct Interface {
  std::string name;
  Address address;
};

// By HCCL_IF_IP, else by HCCL_SOCKET_IFNAME, else the first in the order of names, docker's and the
// loopback last. None: nothing fits, which has left no message.
std::optional<Interface> ChooseInterface(const Environment& environment);

// The one whose address this host has towards another; none if it has no way there.
std::optional<Interface> InterfaceTo(const Address& address);

// The addresses in HCCL_WHITELIST_FILE: {"host_ip": ["192.168.0.1"]}.
Status ReadWhitelist(const std::string& file, std::vector<std::string>* addresses);

// The object that CBOR says; none if it says none, or is deeper than any message of ours.
std::optional<nlohmann::json> ReadObject(std::string_view cbor);

// A forked child has none of its parent's: they would say to the other side that the parent lives.
class Socket {
 public:
  Socket() = default;
  explicit Socket(int fd);
  ~Socket();
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  int fd() const { return fd_; }

 private:
  int fd_ = -1;
};

// A connection that carries one JSON value after the other, in CBOR behind their length.
class Connection {
 public:
  using Clock = std::chrono::steady_clock;

  Connection() = default;
  explicit Connection(Socket socket);

  // By `end`, or not at all.
  static std::optional<Connection> To(const Address& address, Clock::time_point end);

  int fd() const { return socket_.fd(); }
  bool open() const { return socket_.fd() >= 0; }
  // False if the other side is gone, or does not read within five seconds.
  bool Send(const nlohmann::json& message) { return SendBytes(Encode(message)); }
  // A message to many is encoded once.
  static std::string Encode(const nlohmann::json& message);
  bool SendBytes(std::string_view bytes);
  // The next message if it is there. Closes the connection when the other side is gone or sends
  // what is no message or longer than `limit`.
  std::optional<nlohmann::json> TryReceive(size_t limit);
  // Waits for it.
  std::optional<nlohmann::json> Receive(size_t limit, Clock::time_point end);
  void Close() { *this = Connection(); }

 private:
  Socket socket_;
  std::string received_;  // the beginning of the next message
};

}  // namespace anyacl::hccl
