// SPDX-License-Identifier: Apache-2.0
// OutstandingTasks: the tasks that may still use memory, as they were at one moment. Memory that is
// given back lives on until they have passed: an NPU hides such a use after free.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/device.h"
#include "runtime/stream.h"

namespace anyacl {

class OutstandingTasks {
 public:
  OutstandingTasks() = default;

  // Those of all streams. Must be called without the locks of memory: streams have locks of their
  // own.
  static OutstandingTasks Now() {
    OutstandingTasks tasks;
    for (std::shared_ptr<Stream>& stream : LiveStreams()) {
      const uint64_t ticket = stream->LastMemoryTicket();
      if (!stream->HasPassed(ticket)) tasks.last_.emplace_back(std::move(stream), ticket);
    }
    return tasks;
  }

  // Whether none is left. Tickets only grow, so that what was given back later is free later.
  bool Passed() {
    while (!last_.empty() && last_.back().first->HasPassed(last_.back().second)) last_.pop_back();
    return last_.empty();
  }

  // Waits until none is left, but not for a task that runs in this thread.
  void Wait() {
    for (const auto& [stream, ticket] : last_) {
      if (!stream->RunsInThisThread()) stream->WaitFor(ticket, -1);
    }
  }

  bool operator==(const OutstandingTasks&) const = default;

 private:
  // The streams, each with the last of its tasks that may use memory.
  std::vector<std::pair<std::shared_ptr<Stream>, uint64_t>> last_;
};

}  // namespace anyacl
