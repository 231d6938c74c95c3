// SPDX-License-Identifier: Apache-2.0
// aclrt* functions on streams, and the tasks that other libraries enqueue.
#include "acl/acl_rt.h"
#include "base/entry.h"
#include "runtime/arguments.h"
#include "runtime/capture.h"
#include "runtime/device.h"
#include "runtime/exports.h"
#include "runtime/memory.h"
#include "runtime/stream.h"

using namespace anyacl;

extern "C" {

int anyaclEnqueue(aclrtStream stream, const std::shared_ptr<Task>& task) {
  std::shared_ptr<Stream> on;
  if (Status s = FindStream(stream, &on); !s.ok()) return s.code();
  uint64_t ticket = 0;
  if (Status s = on->Enqueue(task, &ticket); !s.ok()) return s.code();
  // Clients use results of the null stream on other streams, or free their workspace, without
  // waiting for it. Behind what another party has to end this gives up (after 100 ms behind a wait
  // or a graph).
  if (stream == nullptr && task->kind() == TaskKind::kCompute) on->WaitWhileComputing(ticket);
  return 0;
}

bool anyaclEnqueuesForGraph(aclrtStream stream) {
  const std::shared_ptr<Stream> on = Streams().Find(stream);
  return on != nullptr && on->Diverted();
}

aclError aclrtCreateStream(aclrtStream* stream) {
  return Entry("aclrtCreateStream", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    return CreateStream(stream);
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return Entry("aclrtDestroyStream", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    return DestroyStream(stream, false);
  });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return Entry("aclrtDestroyStreamForce", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    return DestroyStream(stream, true);
  });
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return Entry("aclrtSynchronizeStream", [&]() -> Status {
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    if (Status s = CheckNotCapturing(*found); !s.ok()) return s;
    const Status done = found->Synchronize(-1);
    ReclaimMemory();
    return done;
  });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return Entry("aclrtSynchronizeStreamWithTimeout", [&]() -> Status {
    if (Status s = CheckTimeout(timeout); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    if (Status s = CheckNotCapturing(*found); !s.ok()) return s;
    return found->Synchronize(timeout);
  });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return Entry("aclrtStreamQuery", [&]() -> Status {
    if (Status s = NotNull(status, "status"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    if (Status s = CheckNotCapturing(*found); !s.ok()) return s;
    *status = found->Idle() ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
    return {};
  });
}

aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return Entry("aclrtStreamGetId", [&]() -> Status {
    if (Status s = NotNull(streamId, "streamId"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindAnyStream(stream, &found); !s.ok()) return s;
    *streamId = found->id();
    return {};
  });
}

aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  return Entry("aclrtGetThreadLastTaskId", [&]() -> Status {
    if (Status s = NotNull(taskId, "taskId"); !s.ok()) return s;
    *taskId = static_cast<uint32_t>(Stream::LastTicketOfThisThread());
    return {};
  });
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return Entry("aclrtStreamGetPriority", [&]() -> Status {
    if (Status s = NotNull(priority, "priority"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    *priority = found->attributes().priority;
    return {};
  });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return Entry("aclrtStreamGetFlags", [&]() -> Status {
    if (Status s = NotNull(flags, "flags"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    *flags = found->attributes().flags;
    return {};
  });
}

aclError aclrtStreamAbort(aclrtStream stream) {
  return Entry("aclrtStreamAbort", [&]() -> Status {
    if (Status s = NotNull(stream, "stream"); !s.ok()) return s;
    std::shared_ptr<Stream> found;
    if (Status s = FindStream(stream, &found); !s.ok()) return s;
    found->Abort();
    return {};
  });
}
}
