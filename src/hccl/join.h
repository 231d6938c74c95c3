// SPDX-License-Identifier: Apache-2.0
// A rank's side of root.h.
#pragma once

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
  std::string address;  // the engine's
};

// The news that a communicator is lost.
struct Abortion {
  HcclResult code;
  std::string text;
};

// The connection to the root, which all threads of the rank use.
class Control {
 public:
  // Waits until all ranks are there.
  Status Join(const RootInfo& root, uint32_t rank, uint32_t ranks, const std::string& name,
              const Member& self, std::chrono::milliseconds timeout, std::vector<Member>* members);

  // Readable when there is news; -1: never.
  int fd() const { return fd_; }
  std::optional<Abortion> News();
  void TellAbort(const Abortion& abortion);
  void TellWait(uint64_t number, const std::string& description);
  // Says that the connection's end is no failure.
  void Leave(uint32_t rank);

 private:
  std::mutex mutex_;
  Connection connection_;
  int fd_ = -1;
};

}  // namespace anyacl::hccl
