// SPDX-License-Identifier: Apache-2.0
#include "hccl/rank_table.h"

#include <netdb.h>
#include <unistd.h>

#include <charconv>
#include <climits>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <stdexcept>

#include "base/fnv.h"
#include "base/format.h"

namespace anyacl::hccl {
namespace {

using nlohmann::json;

constexpr uint16_t kDefaultPort = 60000;

// As a text or a number. What is none, or too large, would be another rank when it is cut.
uint32_t RankOf(const json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  uint32_t rank = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, rank);
  if (error != std::errc() || stop != end) {
    throw std::invalid_argument(Format("rank_id is \"{}\", expected a number from 0", text));
  }
  return rank;
}

// On one host its own address will do where the server has only a name.
Status ReadAddress(const std::string& host, uint16_t port, bool one_host,
                   const Environment& environment, Address* address) {
  addrinfo hints{};
  hints.ai_flags = AI_NUMERICSERV;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0) {
    if (const auto chosen = one_host ? ChooseInterface(environment) : std::nullopt) {
      *address = chosen->address;
      address->set_port(port);
      return {};
    }
    return Fail(HCCL_E_PARA, "the rank table's server of rank 0, \"{}\", has no address", host);
  }
  std::memcpy(&address->storage, found->ai_addr, found->ai_addrlen);
  address->size = found->ai_addrlen;
  freeaddrinfo(found);
  return {};
}

}  // namespace

Status ReadRankTable(const char* file, const Environment& environment, RootInfo* root,
                     uint32_t* ranks) {
  if (strnlen(file, PATH_MAX) == PATH_MAX) {
    return Fail(HCCL_E_PARA, "clusterInfo has {} bytes or more, expected less", PATH_MAX);
  }
  std::ifstream stream(file);
  if (!stream)
    return Fail(HCCL_E_OPEN_FILE_FAILURE, "clusterInfo names {}, which cannot be read", file);
  std::stringstream text;
  text << stream.rdbuf();
  std::set<uint32_t> all;
  std::string host;
  bool one_host = false;
  try {
    const json table = json::parse(text.str());
    one_host = table.at("server_list").size() == 1;
    for (const json& server : table.at("server_list")) {
      for (const json& device : server.at("device")) {
        const uint32_t rank = RankOf(device.at("rank_id"));
        if (!all.insert(rank).second) {
          return Fail(HCCL_E_PARA, "the rank table {} names rank {} twice", file, rank);
        }
        if (rank == 0) host = server.at(server.contains("host_ip") ? "host_ip" : "server_id");
      }
    }
  } catch (const std::exception& error) {
    return Fail(HCCL_E_PARA, "{} is no rank table: {}", file, error.what());
  }
  if (all.empty() || *all.rbegin() != all.size() - 1) {
    return Fail(HCCL_E_PARA, "the rank table {} names {} ranks, expected all from 0 on", file,
                all.size());
  }
  *ranks = static_cast<uint32_t>(all.size());
  const uint16_t port = environment.ports.empty() ? kDefaultPort : environment.ports.front().first;
  root->secret = Format("{:016x}{:016x}", Fnv64(text.str()), Fnv64(text.str(), 0x9e3779b97f4a7c15));
  root->id = root->secret.substr(0, 8);
  return ReadAddress(host, port, one_host, environment, &root->address);
}

}  // namespace anyacl::hccl
