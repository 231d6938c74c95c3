// SPDX-License-Identifier: Apache-2.0
// Event: remembers the point of a stream at which it was recorded last, as {stream, ticket}.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/status.h"
#include "runtime/flag.h"
#include "runtime/handle_table.h"
#include "runtime/shared_records.h"
#include "runtime/stream.h"

namespace anyacl {

// How the event was created, which decides what may be done with it before its first record.
enum class EventKind {
  kPlain,     // aclrtCreateEvent
  kWithFlag,  // aclrtCreateEventWithFlag
  kEx,        // aclrtCreateEventExWithFlag
};

class Event : public std::enable_shared_from_this<Event> {
 public:
  // One recording. Immutable but for the time, which the stream writes when it gets there.
  struct Record {
    std::shared_ptr<Stream> stream;
    uint64_t ticket = 0;  // 0: the stream was idle
    std::atomic<int64_t> time_us{0};

    bool IsDone() const { return stream->IsDone(ticket); }
  };
  using RecordPtr = std::shared_ptr<const Record>;

  // `context` is the handle of the context that owns the event.
  // `shared`: of an event made with ACL_EVENT_IPC, which has no other recordings.
  Event(EventKind kind, uint32_t flags, int32_t device, const void* context,
        std::shared_ptr<SharedRecords> shared = nullptr);

  uint32_t id() const { return id_; }
  EventKind kind() const { return kind_; }
  uint32_t flags() const { return flags_; }
  int32_t device() const { return device_; }
  const void* context() const { return context_; }
  uint64_t resets() const { return resets_; }

  // Whether a stream may wait for it.
  bool CanBeWaitedFor() const;

  Status RecordOn(const std::shared_ptr<Stream>& stream);
  // The last recording; null before the first.
  RecordPtr record() const;
  // Whether all that the last recording captured is done. Before the first, and once a reset has
  // been reached, an event is not recorded: a classic one is then not complete, an Ex event is.
  bool IsRecordedAndDone() const;
  // Makes `stream` wait for the last recording; without one for nothing, except that a classic
  // event with ACL_EVENT_SYNC, as well as one that was reset, is waited for until it is recorded.
  // At most `timeout_s` seconds, 0 for ever.
  Status MakeWait(const std::shared_ptr<Stream>& stream, uint32_t timeout_s = 0);
  // Waits that are made from now on want a new recording; when `stream` gets there, the event is no
  // longer recorded.
  Status ResetOn(const std::shared_ptr<Stream>& stream);
  // The handle's life is over: what waits for a recording to come waits in vain.
  void EndOfHandle();
  // What an event made with ACL_EVENT_EXTERNAL has in place of recordings: streams set it, wait for
  // it and clear it when they get there, so that a graph can be held until another stream is ready.
  const std::shared_ptr<Flag>& flag() const { return flag_; }
  const std::shared_ptr<SharedRecords>& shared() const { return shared_; }
  bool HasPendingWaits() const { return pending_waits_.load() > 0; }

 private:
  class WaitTask;

  const EventKind kind_;
  const uint32_t flags_;
  const int32_t device_;
  const void* const context_;
  const uint64_t resets_;  // ResetsSoFar() when it was made
  const uint32_t id_;
  const std::shared_ptr<Flag> flag_;
  const std::shared_ptr<SharedRecords> shared_;
  mutable std::mutex mutex_;
  std::condition_variable recorded_;  // or its handle's life ended
  RecordPtr record_;
  bool reset_issued_ = false;  // since the last recording
  bool reset_reached_ = false;
  bool handle_ended_ = false;
  std::vector<std::weak_ptr<WaitTask>> unresolved_;  // that want the next recording
  std::atomic<int> pending_waits_{0};
};

using EventTable = HandleTable<Event, HandleKind::kEvent>;
EventTable& Events();

}  // namespace anyacl
