// SPDX-License-Identifier: Apache-2.0
// Flag: what a stream sets and others wait for, possibly in other processes: a notify, or an event
// made with ACL_EVENT_EXTERNAL.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "base/status.h"
#include "runtime/event_count.h"
#include "runtime/shared_extent.h"
#include "runtime/task.h"

namespace anyacl {

class Flag {
 public:
  Flag() : state_(&local_) {}
  ~Flag();
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;

  void Set();
  void Clear();
  bool IsSet() const;

  enum class Wait { kDone, kTimeout, kStopped };
  // Waits until it is set; clears it if `take`, so that of several waiters one goes on. No `stop`:
  // nothing but time ends the wait.
  Wait Await(bool take, const StopToken* stop, std::optional<EventCount::Clock::time_point> end);
  // Lets waiters look at their stop.
  void WakeAll();

  // Moves the flag into memory that other processes can import by the token.
  Status Export(int32_t device, bool anyone, uint64_t* token);
  static Status Import(uint64_t token, std::shared_ptr<Flag>* flag);

 private:
  struct State {
    uint32_t magic = 0x666c6167;  // "flag"
    EventCount changes;
    std::atomic<uint32_t> set{0};
  };

  State* state() const;

  mutable std::mutex mutex_;  // guards where the state lies
  State local_;
  State* state_;
  std::shared_ptr<SharedExtent> extent_;
};

// A task that waits for a flag. Can run again and again in a graph.
class FlagWaitTask final : public Task {
 public:
  // A timeout of 0 is none.
  FlagWaitTask(const char* api, std::shared_ptr<Flag> flag, bool take, uint32_t timeout_s,
               int timeout_code)
      : Task(TaskKind::kWait, api),
        flag_(std::move(flag)),
        take_(take),
        timeout_s_(timeout_s),
        timeout_code_(timeout_code) {}
  Status Run(const StopToken& stop) override;
  void Wake() override { flag_->WakeAll(); }

 private:
  const std::shared_ptr<Flag> flag_;
  const bool take_;
  const uint32_t timeout_s_;
  const int timeout_code_;
};

}  // namespace anyacl
