// SPDX-License-Identifier: Apache-2.0
// A rank's side of root.h.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "hccl/root.h"

namespace anyacl::hccl {

// What a rank tells the others of itself.
struct Member {
  std::string host;
  int64_t process = 0;
  int32_t device = 0;
  std::string token;    // of the process: host names and numbers of processes repeat in containers
  bool root = false;    // its process has the root's service
  std::string address;  // the engine's
  std::string sight;    // which processes it may open files of: its user and its process namespace

  // Whether it may map the other one's memory, as far as one can tell.
  bool Sees(const Member& other) const {
    return token == other.token || (host == other.host && sight == other.sight);
  }
};

// This process's.
std::string ProcessSight();

// This process's token.
std::string ProcessToken();

// Why a communicator is of no use any more.
struct Failure {
  HcclResult code;
  std::string text;
};

// What the root has to say.
struct News {
  static constexpr uint32_t kRoot = UINT32_MAX;  // those with the root's service
  std::optional<uint32_t> gone;  // the rank that is not there any more; none: all is lost
  bool left = false;             // it said good-bye
  Failure failure;
};

// The connection to the root, which all threads of the rank use.
class Control {
 public:
  // Waits until all ranks are there.
  Status Join(const RootInfo& root, uint32_t rank, uint32_t ranks, const std::string& name,
              const Member& self, std::chrono::milliseconds timeout, std::vector<Member>* members);

  // Readable when there is something to hear; -1: never.
  int fd() const { return fd_.load(std::memory_order_relaxed); }
  // Does not wait; nothing, too, while another thread uses the connection.
  std::optional<News> Hear();
  void TellAbort(const Failure& failure);
  // `call` is the same text on all ranks.
  void TellWait(const std::string& call, const std::string& description);
  // Says that the connection's end is no failure. In the process of the root's service it waits
  // until the others have been told, a second at most: the service may end with the process.
  void Leave(uint32_t rank, bool at_root);

 private:
  std::mutex mutex_;
  Connection connection_;
  std::atomic<int> fd_{-1};
};

}  // namespace anyacl::hccl
