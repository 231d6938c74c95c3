// SPDX-License-Identifier: Apache-2.0
// Capture: streams whose tasks become nodes of a graph instead of being run. It begins on one
// stream; another joins when it waits for an event that was recorded in the capture.
#pragma once

#include <memory>
#include <optional>

#include "acl/acl_rt.h"
#include "base/status.h"
#include "runtime/event.h"
#include "runtime/stream.h"

namespace anyacl {

// Whether the number is a mode.
Status CheckCaptureMode(aclmdlRICaptureMode mode);

// Into `part`, the handle of a graph of that origin, if there is one.
Status BeginCapture(const std::shared_ptr<Stream>& stream, aclmdlRICaptureMode mode,
                    aclmdlRI part = nullptr);
// Whatever the outcome, streams that were captured together take tasks again, unless the call came
// for a stream in which no capture began. A failure leaves no graph.
Status EndCapture(const std::shared_ptr<Stream>& stream, aclmdlRI* graph);
// As if the capture to which the stream belongs had ended with a failure.
void AbandonCapture(const Stream& stream);

struct CaptureInfo {
  aclmdlRICaptureStatus status = ACL_MODEL_RI_CAPTURE_STATUS_NONE;
  aclmdlRI graph = nullptr;
};
CaptureInfo CaptureInfoOf(const Stream& stream);

// 107027 in a capture: what needs the outcome of tasks cannot wait for tasks that do not run.
Status CheckNotCapturing(const Stream& stream);
// 107028 likewise.
Status CheckNotCaptured(const std::shared_ptr<Event>& event);

// Swaps the calling thread's mode, which is global at first.
void ExchangeCaptureMode(aclmdlRICaptureMode* mode);
// Fails with `code` where a capture in the current context forbids this thread to call what is not
// captured but executed at once: synchronous copies and sets.
Status CheckUncapturedCall(int code);

// What recording, waiting for and resetting an event mean in a capture; none: what they always do.
std::optional<Status> CaptureRecord(const std::shared_ptr<Event>& event,
                                    const std::shared_ptr<Stream>& stream);
std::optional<Status> CaptureWait(const std::shared_ptr<Event>& event,
                                  const std::shared_ptr<Stream>& stream);
std::optional<Status> CaptureReset(const std::shared_ptr<Event>& event,
                                   const std::shared_ptr<Stream>& stream);

// ACL_EVENT_RECORD_EXTERNAL and ACL_EVENT_WAIT_EXTERNAL: what streams outside of the graph record
// or wait for. None: the stream is not being captured.
std::optional<Status> CaptureExternal(const std::shared_ptr<Event>& event, const Stream& stream,
                                      bool records);

// Tasks between these are a group, whose members can be replaced later.
Status BeginTaskGroup(const Stream& stream);
Status EndTaskGroup(const Stream& stream, aclrtTaskGrp* group);
// Tasks between these are not run but take, in their order, the places of the group's members.
Status BeginTaskUpdate(const std::shared_ptr<Stream>& stream, aclrtTaskGrp group);
Status EndTaskUpdate(const std::shared_ptr<Stream>& stream);

}  // namespace anyacl
