// SPDX-License-Identifier: Apache-2.0
#include "hccl/root.h"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <deque>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <vector>

#include "base/format.h"
#include "base/thread.h"

namespace anyacl::hccl {
namespace {

using nlohmann::json;
using Clock = Connection::Clock;

constexpr char kMagic[] = "anyacl-root-1";
// How long a connection may be silent before it says who it is, and how many may be so.
constexpr std::chrono::seconds kSilence{5};
constexpr size_t kMaxStrangers = 64;
// Bytes of what a member says of itself, which all others get.
constexpr size_t kMaxHost = 256;
constexpr size_t kMaxAddress = 4096;
constexpr size_t kMaxWaits = 64;

bool SameText(std::string_view a, std::string_view b) {
  // Takes as long for a near miss as for any other.
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

// A member of the communicator, or somebody who has not said who he is.
struct Guest {
  Connection connection;
  Clock::time_point since;
  std::optional<uint32_t> rank;
  std::string host;
  bool left = false;
};

// What a rank waits in: "call 3", "call 0 in graphs, run 5".
struct RankWait {
  std::string call;
  uint32_t rank;
  std::string description;
};

class RootService {
 public:
  RootService(Socket listener, std::string secret, std::vector<std::string> whitelist,
              bool has_whitelist, std::chrono::milliseconds timeout)
      : listener_(std::move(listener)),
        secret_(std::move(secret)),
        whitelist_(std::move(whitelist)),
        has_whitelist_(has_whitelist),
        timeout_(timeout),
        end_of_joining_(Clock::now() + timeout) {}

  void Run() {
    while (!over_) {
      Wait();
      for (auto guest = guests_.begin(); guest != guests_.end();) {
        Serve(*guest);
        guest = guest->connection.open() ? std::next(guest) : guests_.erase(guest);
      }
      if (listener_.fd() >= 0) Accept();
      if (members_.empty()) {
        CheckJoining();
      } else if (guests_.empty()) {
        over_ = true;
      }
    }
  }

 private:
  void Wait() {
    std::vector<pollfd> fds;
    if (listener_.fd() >= 0 && !full_) fds.push_back({listener_.fd(), POLLIN, 0});
    for (const Guest& guest : guests_) fds.push_back({guest.connection.fd(), POLLIN, 0});
    // Until all are there somebody may come too late; then only messages matter.
    poll(fds.data(), fds.size(), members_.empty() ? 100 : -1);
  }

  // Whom there is no room for waits in the listener's queue, out of poll's sight.
  void Accept() {
    auto strangers =
        std::count_if(guests_.begin(), guests_.end(), [](const Guest& one) { return !one.rank; });
    for (;;) {
      full_ = static_cast<size_t>(strangers) >= kMaxStrangers;
      if (full_) return;
      Address from;
      from.size = sizeof(from.storage);
      Socket socket(accept4(listener_.fd(), reinterpret_cast<sockaddr*>(&from.storage), &from.size,
                            SOCK_CLOEXEC | SOCK_NONBLOCK));
      if (socket.fd() < 0) {
        full_ = errno != EAGAIN;  // no descriptors, no memory
        return;
      }
      const std::string host = from.host();
      if (has_whitelist_ &&
          std::find(whitelist_.begin(), whitelist_.end(), host) == whitelist_.end()) {
        Connection(std::move(socket))
            .Send({{"abort", Format("the root's HCCL_WHITELIST_FILE does not list {}", host)},
                   {"code", int{HCCL_E_UNAVAIL}}});
        continue;
      }
      guests_.push_back({Connection(std::move(socket)), Clock::now(), std::nullopt, host, false});
      ++strangers;
    }
  }

  void Serve(Guest& guest) {
    while (const std::optional<json> message =
               guest.connection.TryReceive(guest.rank ? kMaxMessage : kMaxHello)) {
      // A member that sends what is no such message is as good as lost.
      try {
        if (guest.rank) {
          Hear(guest, *message);
        } else {
          Welcome(guest, *message);
        }
      } catch (const json::exception&) {
        guest.connection.Close();
      }
      if (!guest.connection.open()) break;
    }
    if (!guest.connection.open() && guest.rank && !guest.left && abort_.empty()) TellGone(guest);
    if (!guest.rank && Clock::now() > guest.since + kSilence) guest.connection.Close();
  }

  void Welcome(Guest& guest, const json& message) {
    if (!SameText(message.at("hello").get<std::string>(), secret_)) {
      guest.connection.Send(
          {{"abort", "the root info is of another root"}, {"code", int{HCCL_E_PARA}}});
      guest.connection.Close();
      return;
    }
    const auto rank = message.at("rank").get<uint32_t>();
    const auto ranks = message.at("ranks").get<uint32_t>();
    const auto name = message.at("name").get<std::string>();
    const json& member = message.at("member");
    const auto host = member.at("host").get<std::string>();
    const size_t address = member.at("address").get_binary().size();
    ++heard_;
    if (!abort_.empty()) {
      guest.connection.SendBytes(abort_);
      guest.connection.Close();
      return;
    }
    if (hellos_.empty()) {
      ranks_ = ranks;
      name_ = name;
      first_ = rank;
      end_of_joining_ = Clock::now() + timeout_;
    }
    guest.rank = rank;
    if (host.size() <= kMaxHost) guest.host = host;
    std::string wrong;
    if (ranks != ranks_) {
      wrong = Format("nRanks is {} on rank {} and {} on rank {}", ranks, rank, ranks_, first_);
    } else if (name != name_) {
      wrong = Format("hcclCommName is \"{}\" on rank {} and \"{}\" on rank {}", name, rank, name_,
                     first_);
    } else if (rank >= ranks) {
      wrong = Format("rank is {}, expected less than nRanks, {}", rank, ranks);
    } else if (hellos_.contains(rank)) {
      wrong = Format("rank {} joins twice, from {} and {}", rank,
                     hellos_.at(rank).value("host", "?"), guest.host);
    } else if (host.size() > kMaxHost || address > kMaxAddress) {
      wrong = Format(
          "rank {} names a host of {} bytes and an address of {}, expected at most "
          "{} and {}",
          rank, host.size(), address, kMaxHost, kMaxAddress);
    }
    if (!wrong.empty()) return Abort(HCCL_E_PARA, wrong);
    hellos_.emplace(rank, member);
    if (hellos_.size() == ranks_) Begin();
  }

  void Begin() {
    for (const auto& [rank, member] : hellos_) members_.push_back(member);
    const std::string list = Connection::Encode({{"members", members_}});
    for (Guest& guest : guests_) {
      if (guest.rank && !guest.connection.SendBytes(list)) guest.connection.Close();
    }
    // Nobody else has anything to do here.
    listener_ = Socket();
    std::erase_if(guests_, [](const Guest& guest) { return !guest.rank; });
  }

  void CheckJoining() {
    // After a refusal, late ranks are told why: until all have heard of it, or the time is over.
    const bool refused = !abort_.empty();
    if (Clock::now() < end_of_joining_ && !(refused && heard_ >= ranks_)) return;
    if (refused || hellos_.empty()) {
      over_ = true;
      return;
    }
    std::vector<int64_t> missing;
    for (uint32_t rank = 0; rank < ranks_ && missing.size() < 16; ++rank) {
      if (!hellos_.contains(rank)) missing.push_back(rank);
    }
    Abort(HCCL_E_TIMEOUT,
          Format("{} of {} ranks joined within {} s (HCCL_CONNECT_TIMEOUT); {} {} missing: {}",
                 hellos_.size(), ranks_, std::chrono::duration<double>(timeout_).count(),
                 missing.size() == 1 ? "rank" : "ranks", missing.size() == 1 ? "is" : "are",
                 Joined(missing)));
  }

  void Hear(Guest& guest, const json& message) {
    if (message.contains("bye")) {
      // The others first: where this process is the rank's own, the rank waits for the connection's
      // end, and the process may end with it.
      guest.left = true;
      if (abort_.empty()) TellGone(guest);
      guest.connection.Close();
    } else if (message.contains("abort")) {
      Abort(message.at("code").get<int>(), message.at("abort").get<std::string>());
    } else if (message.contains("waits")) {
      CompareWaits({message.at("waits").get<std::string>(), *guest.rank,
                    message.at("in").get<std::string>()});
    }
  }

  // The others need not mind, unless they wait for that rank.
  void TellGone(const Guest& gone) {
    const std::string text =
        gone.left ? Format("rank {} on {} has destroyed its communicator", *gone.rank, gone.host)
                  : Format("rank {} on {} is lost: its connection to the root ended", *gone.rank,
                           gone.host);
    if (members_.empty()) return Abort(HCCL_E_REMOTE, text);
    for (Guest& guest : guests_) {
      if (&guest != &gone && guest.connection.open())
        guest.connection.Send({{"gone", *gone.rank}, {"left", gone.left}, {"why", text}});
    }
  }

  // The same call has one description on all ranks.
  void CompareWaits(RankWait wait) {
    const auto other = std::find_if(waits_.begin(), waits_.end(),
                                    [&](const RankWait& one) { return one.call == wait.call; });
    if (other == waits_.end()) {
      if (waits_.size() == kMaxWaits) waits_.pop_front();
      waits_.push_back(std::move(wait));
    } else if (other->description != wait.description) {
      Abort(HCCL_E_PARA,
            Format("the ranks call different things: {} of the communicator is {} on rank {} "
                   "and {} on rank {}",
                   wait.call, other->description, other->rank, wait.description, wait.rank));
    }
  }

  void Abort(int code, const std::string& text) {
    if (!abort_.empty()) return;
    abort_ = Connection::Encode({{"abort", text}, {"code", code}});
    // Who is told closes its connection in its own time.
    for (Guest& guest : guests_) {
      if (guest.rank) guest.connection.SendBytes(abort_);
    }
  }

  Socket listener_;
  const std::string secret_;
  const std::vector<std::string> whitelist_;
  const bool has_whitelist_;
  const std::chrono::milliseconds timeout_;
  Clock::time_point end_of_joining_;
  std::list<Guest> guests_;
  std::map<uint32_t, json> hellos_;  // members by rank, until all are there
  json::array_t members_;            // then
  uint32_t ranks_ = 0;
  uint32_t first_ = 0;  // the rank that came first
  std::string name_;
  std::deque<RankWait> waits_;  // the last ones, one of each call
  uint32_t heard_ = 0;          // hellos, of those that were refused, too
  std::string abort_;           // the message that ended the communicator; empty: none
  bool full_ = false;
  bool over_ = false;
};

// Of the services of this process.
std::mutex& SecretsMutex() {
  static auto* mutex = new std::mutex;
  return *mutex;
}
std::set<std::string>& Secrets() {
  static auto* secrets = new std::set<std::string>;
  return *secrets;
}

// A socket that listens at the address, whose port is written back.
Status Listen(Address* address, const std::vector<std::pair<uint16_t, uint16_t>>& ports,
              Socket* listener) {
  int error = EADDRINUSE;
  for (const auto& [first, last] : ports) {
    for (uint32_t port = first; port <= last; ++port) {
      // Two processes may bind one port (SO_REUSEADDR): then listen fails in the second, whose
      // socket stays bound to it.
      Socket socket(
          ::socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
      if (socket.fd() < 0) return Fail(HCCL_E_SYSCALL, "no socket: {}", std::strerror(errno));
      const int on = 1;
      setsockopt(socket.fd(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
      address->set_port(static_cast<uint16_t>(port));
      auto* const name = reinterpret_cast<sockaddr*>(&address->storage);
      if (bind(socket.fd(), name, address->size) == 0 && listen(socket.fd(), SOMAXCONN) == 0) {
        address->size = sizeof(address->storage);
        getsockname(socket.fd(), name, &address->size);
        *listener = std::move(socket);
        return {};
      }
      error = errno;
    }
  }
  return Fail(HCCL_E_TCP_CONNECT, "the root cannot listen at {}, port {}: {}", address->host(),
              address->port(), std::strerror(error));
}

}  // namespace

void RootInfo::Write(HcclRootInfo* bytes) const {
  const std::vector<uint8_t> body = json::to_cbor(
      {{"host", address.host()}, {"port", address.port()}, {"id", id}, {"secret", secret}});
  std::memset(bytes, 0, sizeof(*bytes));
  std::memcpy(bytes->internal, kMagic, sizeof(kMagic));
  const auto size = static_cast<uint32_t>(body.size());
  std::memcpy(bytes->internal + sizeof(kMagic), &size, sizeof(size));
  std::memcpy(bytes->internal + sizeof(kMagic) + sizeof(size), body.data(), body.size());
}

Status RootInfo::Read(const HcclRootInfo& bytes, RootInfo* info) {
  constexpr size_t kHead = sizeof(kMagic) + sizeof(uint32_t);
  uint32_t size = 0;
  std::memcpy(&size, bytes.internal + sizeof(kMagic), sizeof(size));
  std::optional<json> read;
  if (std::memcmp(bytes.internal, kMagic, sizeof(kMagic)) == 0 && size <= sizeof(bytes) - kHead) {
    read = ReadObject({bytes.internal + kHead, size});
  }
  json body = read.value_or(json::object());
  if (!body.contains("host") || !body.contains("port") || !body.contains("secret") ||
      !body["host"].is_string() || !body["secret"].is_string() ||
      !body["port"].is_number_unsigned() || !body.contains("id") || !body["id"].is_string()) {
    return Fail(HCCL_E_PARA, "rootInfo holds no root info of HcclGetRootInfo");
  }
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const auto host = body["host"].get<std::string>();
  if (getaddrinfo(host.c_str(), std::to_string(body["port"].get<uint16_t>()).c_str(), &hints,
                  &found) != 0) {
    return Fail(HCCL_E_PARA, "rootInfo names the address \"{}\", which is none here", host);
  }
  std::memcpy(&info->address.storage, found->ai_addr, found->ai_addrlen);
  info->address.size = found->ai_addrlen;
  freeaddrinfo(found);
  info->id = body["id"].get<std::string>();
  info->secret = body["secret"].get<std::string>();
  return {};
}

std::string MakeSecret() {
  std::array<unsigned char, 16> bytes;
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::system_error(errno, std::generic_category(), "getrandom");
  }
  std::string secret;
  for (const unsigned char byte : bytes) secret += Format("{:02x}", byte);
  return secret;
}

Status StartRootService(const Environment& environment, RootInfo* info) {
  auto ports = environment.ports;
  if (info->address.size == 0) {
    const std::optional<Interface> chosen = ChooseInterface(environment);
    if (!chosen) {
      return Fail(HCCL_E_NOT_FOUND,
                  "no network interface fits HCCL_IF_IP \"{}\", HCCL_SOCKET_IFNAME \"{}\", "
                  "HCCL_SOCKET_FAMILY {}",
                  environment.interface_address, environment.interface_names,
                  environment.ipv6 ? "AF_INET6" : "AF_INET");
    }
    info->address = chosen->address;
    info->id = MakeSecret().substr(0, 8);
    info->secret = MakeSecret();
    if (ports.empty()) ports = {{0, 0}};
  } else {
    ports = {{info->address.port(), info->address.port()}};
  }
  std::vector<std::string> whitelist;
  if (environment.whitelist) {
    if (const Status status = ReadWhitelist(*environment.whitelist, &whitelist); !status.ok())
      return status;
  }
  Socket listener;
  if (const Status status = Listen(&info->address, ports, &listener); !status.ok()) return status;
  auto service =
      std::make_shared<RootService>(std::move(listener), info->secret, std::move(whitelist),
                                    environment.whitelist.has_value(), environment.connect_timeout);
  {
    std::lock_guard lock(SecretsMutex());
    Secrets().insert(info->secret);
  }
  StartThread([service, secret = info->secret] {
    service->Run();
    std::lock_guard lock(SecretsMutex());
    Secrets().erase(secret);
  });
  return {};
}

bool ServesRoot(const std::string& secret) {
  std::lock_guard lock(SecretsMutex());
  return Secrets().contains(secret);
}

}  // namespace anyacl::hccl
