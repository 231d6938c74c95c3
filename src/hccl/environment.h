// SPDX-License-Identifier: Apache-2.0
// The environment variables of collective communication, by their documents' names.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/status.h"

namespace anyacl::hccl {

struct Address;

struct Environment {
  std::string interface_address;  // HCCL_IF_IP
  std::string interface_names;    // HCCL_SOCKET_IFNAME
  bool ipv6 = false;              // HCCL_SOCKET_FAMILY=AF_INET6
  // HCCL_HOST_SOCKET_PORT_RANGE, else the 32 ports from HCCL_IF_BASE_PORT; none: any free port
  std::vector<std::pair<uint16_t, uint16_t>> ports;
  std::optional<std::string> whitelist;  // HCCL_WHITELIST_FILE with HCCL_WHITELIST_DISABLE=0
  std::chrono::milliseconds connect_timeout{120'000};  // HCCL_CONNECT_TIMEOUT, in seconds
  // HCCL_EXEC_TIMEOUT, in seconds; none: 0, as long as it takes
  std::optional<std::chrono::milliseconds> execute_timeout{1'836'000};
  uint64_t buffer_megabytes = 200;  // HCCL_BUFFSIZE
};

// Read anew for each communicator. Fails with HCCL_E_PARA where a value cannot be read.
Status ReadEnvironment(Environment* environment);

// Sets, before UCX is loaded, what it must know of all this; nothing that the user has set. Once
// per process: setenv is no friend of threads that read the environment.
void SetTransportEnvironment(const Environment& environment, const Address& root);

}  // namespace anyacl::hccl
