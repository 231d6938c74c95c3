// SPDX-License-Identifier: Apache-2.0
#include "hccl/environment.h"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <system_error>
#include <utility>

#include "hccl/hccl_types.h"
#include "hccl/network.h"

namespace anyacl::hccl {
namespace {

std::string_view Get(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

Status ReadNumber(const char* name, uint64_t least, uint64_t most,
                  std::optional<uint64_t>* number) {
  const std::string_view text = Get(name);
  if (text.empty()) return {};
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < least || value > most) {
    return Fail(HCCL_E_PARA, "the environment variable {} is \"{}\", expected {} to {}", name, text,
                least, most);
  }
  *number = value;
  return {};
}

// "60000-60050,60100": numbers and ranges.
Status ReadPorts(std::vector<std::pair<uint16_t, uint16_t>>* ports) {
  constexpr const char* kName = "HCCL_HOST_SOCKET_PORT_RANGE";
  const std::string_view text = Get(kName);
  if (text.empty() || text == "auto") return {};
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](uint16_t* value) {
    const auto [next, error] = std::from_chars(at, end, *value);
    at = next;
    return error == std::errc() && *value > 0;
  };
  for (;;) {
    std::pair<uint16_t, uint16_t> range;
    bool good = number(&range.first);
    range.second = range.first;
    if (good && at != end && *at == '-') {
      ++at;
      good = number(&range.second) && range.first <= range.second;
    }
    if (!good || (at != end && *at != ',')) {
      return Fail(HCCL_E_PARA,
                  "the environment variable {} is \"{}\", expected \"auto\" or ports and ranges of "
                  "ports such as \"60000-60050,60100\"",
                  kName, text);
    }
    ports->push_back(range);
    if (at == end) return {};
    ++at;
  }
}

bool HasRdma() {
  std::error_code error;
  const std::filesystem::directory_iterator devices("/sys/class/infiniband", error);
  return !error && devices != std::filesystem::directory_iterator();
}

// Whoever reaches a port of UCX's can talk to it, so it has them at one interface. With RDMA the
// choice of devices is UCX's, unless the user has chosen.
std::optional<Interface> TransportInterface(const Environment& environment, const Address& root) {
  if (!environment.interface_address.empty() || !environment.interface_names.empty())
    return ChooseInterface(environment);
  if (HasRdma()) return std::nullopt;
  // All of this host may meet at the loopback; others, later, do not.
  const std::optional<Interface> used = InterfaceTo(root);
  return used && used->name != "lo" ? used : ChooseInterface(environment);
}

void SetOnce(const Environment& environment, const Address& root) {
  const auto set = [](const char* name, const std::string& value) {
    setenv(name, value.c_str(), 0);
  };
  // Without these two, endpoints that are to notice dead peers do without shared memory.
  set("UCX_POSIX_ERROR_HANDLING", "y");
  set("UCX_SYSV_ERROR_HANDLING", "y");
  set("UCX_KEEPALIVE_INTERVAL", "2s");
  // A client's process keeps its own signal handlers and allocator.
  set("UCX_HANDLE_ERRORS", "none");
  set("UCX_MEM_EVENTS", "n");
  set("UCX_WARN_UNUSED_ENV_VARS", "n");
  // Nobody outside the communicator can make it write where a message says.
  set("UCX_TCP_PUT_ENABLE", "n");
  // Parts of messages to windows go at once: to ask the receiver first takes a round trip each.
  set("UCX_RNDV_THRESH", "64k");
  // What UCX would print is in the messages of our own errors.
  set("UCX_LOG_LEVEL", "fatal");
  if (const std::optional<Interface> chosen = TransportInterface(environment, root)) {
    // "eth0:1" is another address of the device eth0.
    set("UCX_NET_DEVICES", chosen->name.substr(0, chosen->name.find(':')));
  }
}

// Of the process's environment: setenv moves what another thread's getenv reads, and threads that
// are ranks join at the same time.
std::mutex& Mutex() {
  static std::mutex* mutex = new std::mutex;
  return *mutex;
}

}  // namespace

Status ReadEnvironment(Environment* environment) {
  std::lock_guard lock(Mutex());
  environment->interface_address = Get("HCCL_IF_IP");
  environment->interface_names = Get("HCCL_SOCKET_IFNAME");
  const std::string_view family = Get("HCCL_SOCKET_FAMILY");
  if (!family.empty() && family != "AF_INET" && family != "AF_INET6") {
    return Fail(
        HCCL_E_PARA,
        "the environment variable HCCL_SOCKET_FAMILY is \"{}\", expected AF_INET or AF_INET6",
        family);
  }
  environment->ipv6 = family == "AF_INET6";
  if (const Status status = ReadPorts(&environment->ports); !status.ok()) return status;

  std::optional<uint64_t> base_port, whitelist_off, connect, execute, buffer;
  for (const Status& status : {ReadNumber("HCCL_IF_BASE_PORT", 1024, 65520, &base_port),
                               ReadNumber("HCCL_WHITELIST_DISABLE", 0, 1, &whitelist_off),
                               ReadNumber("HCCL_CONNECT_TIMEOUT", 1, 7200, &connect),
                               ReadNumber("HCCL_EXEC_TIMEOUT", 0, 2147483647, &execute),
                               ReadNumber("HCCL_BUFFSIZE", 1, 1 << 20, &buffer)}) {
    if (!status.ok()) return status;
  }
  if (base_port && environment->ports.empty()) {
    const auto first = static_cast<uint16_t>(*base_port);
    environment->ports = {{first, static_cast<uint16_t>(std::min(first + 31, 65535))}};
  }
  if (whitelist_off == 0) {
    const std::string_view file = Get("HCCL_WHITELIST_FILE");
    if (file.empty()) {
      return Fail(HCCL_E_PARA, "HCCL_WHITELIST_DISABLE is 0, and HCCL_WHITELIST_FILE is not set");
    }
    environment->whitelist = std::string(file);
  }
  if (connect) environment->connect_timeout = std::chrono::seconds(*connect);
  if (execute) environment->execute_timeout = std::chrono::seconds(*execute);
  if (execute == 0) environment->execute_timeout.reset();
  if (buffer) environment->buffer_megabytes = *buffer;
  return {};
}

void SetTransportEnvironment(const Environment& environment, const Address& root) {
  static bool set = false;
  std::lock_guard lock(Mutex());
  if (!std::exchange(set, true)) SetOnce(environment, root);
}

}  // namespace anyacl::hccl
