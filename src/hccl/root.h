// SPDX-License-Identifier: Apache-2.0
// How ranks find each other, and hear of each other's end: a service in the root's process. Every
// rank keeps one connection to it as long as its communicator lives. Messages, by their only or
// first member:
//   rank -> root  {"hello": secret, "rank", "ranks", "name", "member"}   the first of a connection
//   root -> rank  {"members": [member of each rank]}                     once all are there
//   both ways     {"abort": text, "code": HcclResult}                    the communicator is lost
//   rank -> root  {"waits": call, "in": text}                            for a second now
//   rank -> root  {"bye": rank}                                          the end is no failure
//   root -> rank  {"gone": rank, "left": after a bye, "why": text}       do not wait for that rank
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"
#include "hccl/environment.h"
#include "hccl/hccl_types.h"
#include "hccl/network.h"

namespace anyacl::hccl {

// What the bytes of HcclRootInfo say.
struct RootInfo {
  Address address;
  std::string id;      // names a communicator that the client does not name
  std::string secret;  // who does not know it is not let in

  void Write(HcclRootInfo* bytes) const;
  static Status Read(const HcclRootInfo& bytes, RootInfo* info);
};

constexpr uint32_t kMaxRanks = 4096;  // 12 bits of a tag
constexpr size_t kMaxHello = 8192;    // bytes; a worker's address has some hundred
constexpr size_t kMaxMessage = 65536;

// Nobody can guess it.
std::string MakeSecret();

// Begins to listen, at info->address or, if it is empty, where the environment says, and serves one
// communicator in a thread that ends with it.
Status StartRootService(const Environment& environment, RootInfo* info);

// Whether the service is in this process.
bool ServesRoot(const std::string& secret);

}  // namespace anyacl::hccl
