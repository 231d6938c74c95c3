// SPDX-License-Identifier: Apache-2.0
// aclrt* functions on events.
#include <array>
#include <chrono>
#include <cstring>
#include <optional>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/device.h"
#include "runtime/event.h"
#include "runtime/settings.h"

namespace anyacl {
namespace {

constexpr uint32_t kKnownFlags = ACL_EVENT_SYNC | ACL_EVENT_CAPTURE_STREAM_PROGRESS |
                                 ACL_EVENT_TIME_LINE | ACL_EVENT_DEVICE_USE_ONLY |
                                 ACL_EVENT_EXTERNAL | ACL_EVENT_IPC;

Status CreateEvent(aclrtEvent* event, EventKind kind, uint32_t flags) {
  if (Status s = NotNull(event, "event"); !s.ok()) return s;
  if ((flags & ~kKnownFlags) != 0 || (kind != EventKind::kPlain && flags == 0)) {
    return Fail(ACL_ERROR_INVALID_PARAM, "flag is {:#x}, expected a combination of {:#x}", flags,
                kKnownFlags);
  }
  const bool external = (flags & ACL_EVENT_EXTERNAL) != 0;
  const bool ipc = (flags & ACL_EVENT_IPC) != 0;
  if ((external && kind == EventKind::kEx) || (ipc && kind != EventKind::kEx)) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "flag is {:#x}, expected ACL_EVENT_EXTERNAL with aclrtCreateEventWithFlag and "
                "ACL_EVENT_IPC with aclrtCreateEventExWithFlag",
                flags);
  }
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  const int32_t device = current.context->device();
  std::shared_ptr<SharedRecords> shared;
  if (ipc) {
    if (Status s = SharedRecords::New(device, &shared); !s.ok()) return s;
  }
  *event =
      Events().Add(std::make_shared<Event>(kind, flags, device, current.handle, std::move(shared)));
  return {};
}

Status FindEvent(aclrtEvent handle, const char* parameter, std::shared_ptr<Event>* event) {
  if (handle == nullptr) {
    return Fail(ACL_ERROR_INVALID_PARAM, "{} is null, expected a live event", parameter);
  }
  *event = Events().Find(handle);
  if (*event == nullptr) {
    return Fail(ACL_ERROR_RT_INVALID_HANDLE,
                "{} {} is not a live event (destroyed, or never created here)", parameter, handle);
  }
  return {};
}

Status FindClassicEvent(aclrtEvent handle, std::shared_ptr<Event>* event) {
  if (Status s = FindEvent(handle, "event", event); !s.ok()) return s;
  if ((*event)->kind() == EventKind::kEx) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "event {} was created by aclrtCreateEventExWithFlag, expected aclrtCreateEvent or "
                "aclrtCreateEventWithFlag",
                (*event)->id());
  }
  return {};
}

// For what has no recording of its own: waits until `await`, called with the time that is the end,
// says that it need not.
template <class Await>
Status AwaitOnHost(const Event& event, int64_t timeout_ms, Await await) {
  std::optional<EventCount::Clock::time_point> end;
  if (timeout_ms >= 0) end = EventCount::Clock::now() + std::chrono::milliseconds(timeout_ms);
  if (await(end)) return {};
  return Fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "event {} is not complete after {} ms", event.id(),
              timeout_ms);
}

Status SynchronizeEvent(aclrtEvent handle, int64_t timeout_ms) {
  std::shared_ptr<Event> event;
  if (Status s = FindEvent(handle, "event", &event); !s.ok()) return s;
  if (Status s = CheckNotCaptured(event); !s.ok()) return s;
  if (event->flag() != nullptr) {
    return AwaitOnHost(*event, timeout_ms, [&](const auto& end) {
      return event->flag()->Await(false, nullptr, end) == Flag::Wait::kDone;
    });
  }
  if (event->shared() != nullptr) {
    const uint32_t last = event->shared()->last();
    return AwaitOnHost(*event, timeout_ms, [&](const auto& end) {
      return last == 0 || event->shared()->Await(last, nullptr, end) == SharedRecords::Wait::kDone;
    });
  }
  const Event::RecordPtr record = event->record();
  if (record == nullptr) return {};  // it has captured nothing
  if (record->stream->RunsInThisThread() && !record->IsDone()) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "called from a task of stream {}, which would wait for itself",
                record->stream->id());
  }
  switch (record->stream->WaitFor(record->ticket, timeout_ms)) {
    case Stream::Wait::kTimeout:
      return Fail(ACL_ERROR_RT_EVENT_SYNC_TIMEOUT, "event {} is not complete after {} ms",
                  event->id(), timeout_ms);
    case Stream::Wait::kAborted:
      return Fail(ACL_ERROR_RT_STREAM_ABORT, "stream {} of event {} was aborted",
                  record->stream->id(), event->id());
    case Stream::Wait::kDone:
      break;
  }
  return {};
}

Status CompletionTime(aclrtEvent handle, const char* parameter, int64_t* time_us) {
  std::shared_ptr<Event> event;
  if (Status s = FindEvent(handle, parameter, &event); !s.ok()) return s;
  if (Status s = CheckNotCaptured(event); !s.ok()) return s;
  const Event::RecordPtr record = event->record();
  if (record == nullptr || !record->IsDone()) {
    return Fail(ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID, "{} is {}, expected a completed event",
                parameter, record == nullptr ? "not recorded" : "recorded but not complete");
  }
  *time_us = record->time_us;
  return {};
}

Status RecordEvent(aclrtEvent event, aclrtStream stream) {
  std::shared_ptr<Event> found;
  if (Status s = FindEvent(event, "event", &found); !s.ok()) return s;
  std::shared_ptr<Stream> on;
  if (Status s = FindStream(stream, &on); !s.ok()) return s;
  if (std::optional<Status> s = CaptureRecord(found, on)) return *s;
  return found->RecordOn(on);
}

Status StreamWaitEvent(aclrtStream stream, aclrtEvent event, uint32_t timeout_s) {
  std::shared_ptr<Event> found;
  if (Status s = FindEvent(event, "event", &found); !s.ok()) return s;
  if (!found->CanBeWaitedFor()) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "event {} has no ACL_EVENT_SYNC, which a stream's wait needs", found->id());
  }
  std::shared_ptr<Stream> on;
  if (Status s = FindStream(stream, &on); !s.ok()) return s;
  if (std::optional<Status> s = CaptureWait(found, on)) return *s;
  return found->MakeWait(on, timeout_s);
}

Status CheckExternalFlag(uint32_t flag) {
  if (flag <= ACL_EVENT_RECORD_EXTERNAL) return {};
  return Fail(ACL_ERROR_RT_PARAM_INVALID, "flag is {:#x}, expected 0 or 1 (external)", flag);
}

// Outside of a capture there is nothing to be external to: none.
std::optional<Status> UseExternally(aclrtEvent handle, aclrtStream stream, bool records) {
  std::shared_ptr<Event> event;
  if (Status s = FindEvent(handle, "event", &event); !s.ok()) return s;
  std::shared_ptr<Stream> on;
  if (Status s = FindStream(stream, &on); !s.ok()) return s;
  if (event->flag() != nullptr) return std::nullopt;  // a graph sets and awaits it as streams do
  if (!event->CanBeWaitedFor()) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "event {} has no ACL_EVENT_SYNC, which a stream's wait needs", event->id());
  }
  return CaptureExternal(event, *on, records);
}

// What is written into an aclrtIpcEventHandle.
struct IpcHandle {
  std::array<char, 16> magic = {'a', 'n', 'y', 'a', 'c', 'l', '-', 'e', 'v', 'e', 'n', 't'};
  uint64_t token = 0;
};
static_assert(sizeof(IpcHandle) <= sizeof(aclrtIpcEventHandle));

}  // namespace
}  // namespace anyacl

using namespace anyacl;

extern "C" {

aclError aclrtCreateEvent(aclrtEvent* event) {
  return Entry("aclrtCreateEvent", [&] { return CreateEvent(event, EventKind::kPlain, 0); });
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return Entry("aclrtCreateEventWithFlag",
               [&] { return CreateEvent(event, EventKind::kWithFlag, flag); });
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return Entry("aclrtCreateEventExWithFlag",
               [&] { return CreateEvent(event, EventKind::kEx, flag); });
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return Entry("aclrtDestroyEvent", [&]() -> Status {
    std::shared_ptr<Event> found;
    if (Status s = FindEvent(event, "event", &found); !s.ok()) return s;
    // Queued tasks keep the event itself alive.
    if (Events().Remove(event) != nullptr) {
      found->EndOfHandle();
      return {};
    }
    return Fail(ACL_ERROR_RT_INVALID_HANDLE, "event {} is destroyed by another thread", event);
  });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return Entry("aclrtRecordEvent", [&] { return RecordEvent(event, stream); });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return Entry("aclrtResetEvent", [&]() -> Status {
    std::shared_ptr<Event> found;
    if (Status s = FindClassicEvent(event, &found); !s.ok()) return s;
    constexpr uint32_t kResettable = ACL_EVENT_SYNC | ACL_EVENT_EXTERNAL;
    if (found->kind() == EventKind::kWithFlag && (found->flags() & kResettable) == 0) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "event {} has no ACL_EVENT_SYNC, expected one from aclrtCreateEventWithFlag that "
                  "has it",
                  found->id());
    }
    std::shared_ptr<Stream> on;
    if (Status s = FindStream(stream, &on); !s.ok()) return s;
    if (std::optional<Status> s = CaptureReset(found, on)) return *s;
    return found->ResetOn(on);
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return Entry("aclrtQueryEvent", [&]() -> Status {
    if (Status s = NotNull(status, "status"); !s.ok()) return s;
    std::shared_ptr<Event> found;
    if (Status s = FindClassicEvent(event, &found); !s.ok()) return s;
    if (Status s = CheckNotCaptured(found); !s.ok()) return s;
    // As upstream, unlike aclrtQueryEventStatus: nothing is outstanding before the first record.
    const Event::RecordPtr record = found->record();
    const bool complete =
        found->flag() != nullptr ? found->flag()->IsSet() : record == nullptr || record->IsDone();
    *status = complete ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
    return {};
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return Entry("aclrtQueryEventStatus", [&]() -> Status {
    if (Status s = NotNull(status, "status"); !s.ok()) return s;
    std::shared_ptr<Event> found;
    if (Status s = FindEvent(event, "event", &found); !s.ok()) return s;
    if (Status s = CheckNotCaptured(found); !s.ok()) return s;
    *status = found->IsRecordedAndDone() ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                                         : ACL_EVENT_RECORDED_STATUS_NOT_READY;
    return {};
  });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return Entry("aclrtQueryEventWaitStatus", [&]() -> Status {
    if (Status s = NotNull(status, "status"); !s.ok()) return s;
    std::shared_ptr<Event> found;
    if (Status s = FindClassicEvent(event, &found); !s.ok()) return s;
    if (Status s = CheckNotCaptured(found); !s.ok()) return s;
    *status =
        found->HasPendingWaits() ? ACL_EVENT_WAIT_STATUS_NOT_READY : ACL_EVENT_WAIT_STATUS_COMPLETE;
    return {};
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return Entry("aclrtSynchronizeEvent", [&] { return SynchronizeEvent(event, -1); });
}

aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return Entry("aclrtSynchronizeEventWithTimeout", [&]() -> Status {
    if (Status s = CheckTimeout(timeout); !s.ok()) return s;
    return SynchronizeEvent(event, timeout);
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return Entry("aclrtEventElapsedTime", [&]() -> Status {
    if (Status s = NotNull(ms, "ms"); !s.ok()) return s;
    int64_t start = 0;
    if (Status s = CompletionTime(startEvent, "startEvent", &start); !s.ok()) return s;
    int64_t end = 0;
    if (Status s = CompletionTime(endEvent, "endEvent", &end); !s.ok()) return s;
    *ms = static_cast<float>(end - start) / 1000.0f;
    return {};
  });
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return Entry("aclrtEventGetTimestamp", [&]() -> Status {
    if (Status s = NotNull(timestamp, "timestamp"); !s.ok()) return s;
    int64_t time_us = 0;
    if (Status s = CompletionTime(event, "event", &time_us); !s.ok()) return s;
    *timestamp = static_cast<uint64_t>(time_us);
    return {};
  });
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return Entry("aclrtGetEventId", [&]() -> Status {
    if (Status s = NotNull(eventId, "eventId"); !s.ok()) return s;
    std::shared_ptr<Event> found;
    if (Status s = FindEvent(event, "event", &found); !s.ok()) return s;
    *eventId = found->id();
    return {};
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return Entry("aclrtStreamWaitEvent",
               [&] { return StreamWaitEvent(stream, event, OpWaitTimeoutSeconds()); });
}

aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return Entry("aclrtStreamWaitEventWithTimeout", [&]() -> Status {
    if (timeout < 0) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "timeout is {} s, expected 0 (none) or more",
                  timeout);
    }
    return StreamWaitEvent(stream, event, static_cast<uint32_t>(timeout));
  });
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout,
                                      uint32_t flag) {
  return Entry("aclrtStreamWaitEventWithFlag", [&]() -> Status {
    if (Status s = CheckExternalFlag(flag); !s.ok()) return s;
    if (flag != ACL_EVENT_WAIT_EXTERNAL) return StreamWaitEvent(stream, event, timeout);
    if (timeout != 0) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID, "timeout is {} s, expected 0 for an external wait",
                  timeout);
    }
    if (std::optional<Status> s = UseExternally(event, stream, false)) return *s;
    return StreamWaitEvent(stream, event, 0);
  });
}

aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  return Entry("aclrtRecordEventWithFlag", [&]() -> Status {
    if (Status s = CheckExternalFlag(flag); !s.ok()) return s;
    if (flag == ACL_EVENT_RECORD_EXTERNAL) {
      if (std::optional<Status> s = UseExternally(event, stream, true)) return *s;
    }
    return RecordEvent(event, stream);
  });
}

aclError aclrtIpcGetEventHandle(aclrtEvent event, aclrtIpcEventHandle* handle) {
  return Entry("aclrtIpcGetEventHandle", [&]() -> Status {
    if (Status s = NotNull(handle, "handle"); !s.ok()) return s;
    std::shared_ptr<Event> found;
    if (Status s = FindEvent(event, "event", &found); !s.ok()) return s;
    if (found->shared() == nullptr) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "event {} has no ACL_EVENT_IPC, expected one that aclrtCreateEventExWithFlag "
                  "made with it",
                  found->id());
    }
    IpcHandle written;
    if (Status s = found->shared()->Export(&written.token); !s.ok()) return s;
    std::memset(handle, 0, sizeof(*handle));
    std::memcpy(handle, &written, sizeof(written));
    return {};
  });
}

aclError aclrtIpcOpenEventHandle(aclrtIpcEventHandle handle, aclrtEvent* event) {
  return Entry("aclrtIpcOpenEventHandle", [&]() -> Status {
    if (Status s = NotNull(event, "event"); !s.ok()) return s;
    CurrentContext current;
    if (Status s = GetCurrentContext(&current); !s.ok()) return s;
    IpcHandle read;
    std::memcpy(static_cast<void*>(&read), &handle, sizeof(read));
    if (read.magic != IpcHandle().magic) {
      return Fail(ACL_ERROR_RT_PARAM_INVALID,
                  "handle is not one that aclrtIpcGetEventHandle wrote");
    }
    std::shared_ptr<SharedRecords> shared;
    if (Status s = SharedRecords::Import(read.token, &shared); !s.ok()) return s;
    *event = Events().Add(std::make_shared<Event>(EventKind::kEx, ACL_EVENT_IPC,
                                                  current.context->device(), current.handle,
                                                  std::move(shared)));
    return {};
  });
}
}
