// SPDX-License-Identifier: Apache-2.0
// Event: remembers the point of a stream at which it was recorded last, as {stream, ticket}.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>

#include "base/status.h"
#include "runtime/handle_table.h"
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

  Event(EventKind kind, uint32_t flags, int32_t device);

  uint32_t id() const { return id_; }
  EventKind kind() const { return kind_; }
  uint32_t flags() const { return flags_; }
  int32_t device() const { return device_; }
  uint64_t resets() const { return resets_; }

  Status RecordOn(const std::shared_ptr<Stream>& stream);
  // The last recording; null before the first and after a reset.
  RecordPtr record() const;
  // Makes `stream` wait for the recording, or for the first one to come if there is none yet.
  Status MakeWait(const std::shared_ptr<Stream>& stream);
  // Forgets, when `stream` gets there, the recording that is the last one now.
  Status ResetOn(const std::shared_ptr<Stream>& stream);
  bool HasPendingWaits() const { return pending_waits_.load() > 0; }

 private:
  class WaitTask;

  const EventKind kind_;
  const uint32_t flags_;
  const int32_t device_;
  const uint64_t resets_;  // ResetsSoFar() when it was made
  const uint32_t id_;
  mutable std::mutex mutex_;
  std::condition_variable recorded_;
  RecordPtr record_;
  std::atomic<int> pending_waits_{0};
};

using EventTable = HandleTable<Event, HandleKind::kEvent>;
EventTable& Events();

}  // namespace anyacl
