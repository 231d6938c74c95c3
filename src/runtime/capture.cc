// SPDX-License-Identifier: Apache-2.0
#include "runtime/capture.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/fork_locks.h"
#include "runtime/device.h"
#include "runtime/graph.h"
#include "runtime/model_build.h"
#include "runtime/task_group.h"

namespace anyacl {
namespace {

struct CapturedLane {
  std::shared_ptr<Stream> stream;
  std::vector<GraphNode> nodes;
  std::shared_ptr<TaskGroup> open_group;
};

// One capture. All members are guarded by the lock of AllCaptures().
class Capture final : public TaskSink {
 public:
  std::optional<Status> Take(const Stream& stream, const std::shared_ptr<Task>& task) override;

  uint32_t LaneOf(const Stream& stream) const {
    for (uint32_t i = 0; i < lanes.size(); ++i) {
      if (lanes[i].stream.get() == &stream) return i;
    }
    return kNoLane;
  }
  bool IsJoined() const;

  static constexpr uint32_t kNoLane = UINT32_MAX;

  std::shared_ptr<Graph> graph;
  void* handle = nullptr;
  aclmdlRICaptureMode mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;
  bool invalid = false;
  bool ended = false;
  std::vector<CapturedLane> lanes;
  std::map<std::shared_ptr<Event>, GraphPoint> records;
  std::vector<std::shared_ptr<TaskGroup>> groups;
  std::vector<std::shared_ptr<Event>> awaited, recorded;  // external
};

struct Captures {
  std::mutex mutex;
  std::vector<std::shared_ptr<Capture>> active;
  std::atomic<size_t> count{0};  // of the active ones, for those who do not capture
};

Captures& AllCaptures() {
  static Captures* captures = [] {
    auto* created = new Captures;
    ForkLocks::Add(ForkOrder::kCaptures, created->mutex);
    return created;
  }();
  return *captures;
}
[[maybe_unused]] const bool kCaptureMadeAtLoad = (AllCaptures(), true);

thread_local aclmdlRICaptureMode t_mode = ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;

bool NoneActive() { return AllCaptures().count.load(std::memory_order_acquire) == 0; }

// Called with the lock held, as all that follows.
std::shared_ptr<Capture> CaptureOf(const Captures& captures, const Stream& stream) {
  for (const auto& capture : captures.active) {
    if (capture->LaneOf(stream) != Capture::kNoLane) return capture;
  }
  return nullptr;
}

std::shared_ptr<Capture> CaptureOf(const Captures& captures, const std::shared_ptr<Event>& event) {
  for (const auto& capture : captures.active) {
    if (capture->records.contains(event)) return capture;
  }
  return nullptr;
}

Status FailInvalid(const Stream& stream) {
  return Fail(ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED,
              "the capture of stream {} was made invalid by an earlier failure", stream.id());
}

void EndAll(Captures& captures, const std::shared_ptr<Capture>& capture) {
  capture->ended = true;
  for (CapturedLane& lane : capture->lanes) lane.stream->Divert(nullptr);
  std::erase(captures.active, capture);
  captures.count.store(captures.active.size(), std::memory_order_release);
}

std::optional<Status> Capture::Take(const Stream& stream, const std::shared_ptr<Task>& task) {
  std::lock_guard lock(AllCaptures().mutex);
  if (ended) return std::nullopt;
  if (invalid) return FailInvalid(stream);
  CapturedLane& lane = lanes[LaneOf(stream)];
  if (lane.open_group != nullptr) {
    if (!IsReplaceable(*task)) {
      return Fail(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
                  "{} in a task group of stream {}, expected operators and copies alone",
                  task->name(), stream.id());
    }
    lane.open_group->nodes.push_back(static_cast<uint32_t>(lane.nodes.size()));
  }
  lane.nodes.push_back({task, {}, false, lane.open_group != nullptr});
  return Status();
}

// Whether the end of the first lane comes after every node: what is not waited for could still run
// when the replay is over.
bool Capture::IsJoined() const {
  std::vector<uint32_t> reached(lanes.size(), 0);
  std::vector<GraphPoint> ends = {{0, static_cast<uint32_t>(lanes[0].nodes.size())}};
  while (!ends.empty()) {
    const GraphPoint end = ends.back();
    ends.pop_back();
    for (uint32_t& node = reached[end.lane]; node < end.count; ++node) {
      const GraphNode& passed = lanes[end.lane].nodes[node];
      if (passed.task == nullptr) ends.push_back(passed.after);
    }
  }
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (reached[i] != lanes[i].nodes.size()) return false;
  }
  return true;
}

Status Join(const std::shared_ptr<Capture>& capture, const std::shared_ptr<Stream>& stream) {
  if (stream->context() != capture->graph->context()) {
    return Fail(ACL_ERROR_RT_STREAM_CONTEXT,
                "stream {} belongs to another context than the capture that it would join",
                stream->id());
  }
  capture->lanes.push_back({stream, {}, nullptr});
  stream->Divert(capture);
  return {};
}

Status CheckCapturable(const Event& event) {
  if (event.kind() == EventKind::kEx && (event.flags() & ACL_EVENT_IPC) == 0) return {};
  return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
              "event {} is used in a capture, expected one from aclrtCreateEventExWithFlag without "
              "ACL_EVENT_IPC, or with ACL_EVENT_EXTERNAL from aclrtCreateEventWithFlag",
              event.id());
}

// An external event is a flag, which a graph sets, awaits and clears with ordinary tasks.
bool IsExternal(const Event& event) { return (event.flags() & ACL_EVENT_EXTERNAL) != 0; }

Status Check(const Capture& capture, const Stream& stream, const Stream& origin) {
  if (capture.mode != ACL_MODEL_RI_CAPTURE_MODE_RELAXED &&
      capture.thread != std::this_thread::get_id()) {
    return Fail(ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD,
                "the capture of stream {} ends in another thread than it began, expected the same "
                "(or mode RELAXED)",
                stream.id());
  }
  if (capture.invalid) return FailInvalid(stream);
  for (const CapturedLane& lane : capture.lanes) {
    if (lane.open_group == nullptr) continue;
    return Fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "stream {} has an open task group, expected aclmdlRICaptureTaskGrpEnd before",
                lane.stream->id());
  }
  if (!capture.IsJoined()) {
    return Fail(ACL_ERROR_RT_STREAM_UNJOINED,
                "a stream that joined the capture has tasks for which stream {} does not wait, "
                "expected aclrtRecordEvent after its last task and aclrtStreamWaitEvent",
                origin.id());
  }
  return {};
}

}  // namespace

Status CheckCaptureMode(aclmdlRICaptureMode mode) {
  const int number = static_cast<int>(mode);
  if (number >= ACL_MODEL_RI_CAPTURE_MODE_GLOBAL && number <= ACL_MODEL_RI_CAPTURE_MODE_RELAXED) {
    return {};
  }
  return Fail(ACL_ERROR_RT_PARAM_INVALID,
              "mode is {}, expected 0 (global), 1 (thread local) or 2 (relaxed)", number);
}

Status BeginCapture(const std::shared_ptr<Stream>& stream, aclmdlRICaptureMode mode,
                    aclmdlRI part) {
  if (Status s = CheckNotBound(*stream); !s.ok()) return s;
  if (IsDefaultStream(*stream)) {
    return Fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                "stream {} is the default stream of its context, which cannot be captured",
                stream->id());
  }
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  if (CaptureOf(captures, *stream) != nullptr) {
    return Fail(ACL_ERROR_RT_STREAM_CAPTURED, "stream {} is being captured already", stream->id());
  }
  auto capture = std::make_shared<Capture>();
  capture->graph = part == nullptr ? std::make_shared<Graph>(stream->device(), stream->context())
                                   : Graphs().Find(part);
  const Graph* into = capture->graph.get();
  const auto captured_into = [&](const auto& other) { return other->graph.get() == into; };
  if (into == nullptr || std::ranges::any_of(captures.active, captured_into)) {
    return Fail(ACL_ERROR_RT_MODEL_CAPTURED,
                "modelRI {} is being captured by another stream, or destroyed", part);
  }
  if (into->context() != stream->context()) {
    return Fail(ACL_ERROR_RT_MODEL_CONTEXT, "stream {} belongs to another context than graph {}",
                stream->id(), into->id());
  }
  capture->mode = mode;
  capture->thread = std::this_thread::get_id();
  capture->lanes.push_back({stream, {}, nullptr});
  captures.active.push_back(capture);
  captures.count.store(captures.active.size(), std::memory_order_release);
  capture->handle = part == nullptr ? Graphs().Add(capture->graph) : part;
  stream->Divert(capture);
  return {};
}

Status EndCapture(const std::shared_ptr<Stream>& stream, aclmdlRI* graph) {
  *graph = nullptr;
  std::shared_ptr<Capture> capture;  // ends after the lock
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  capture = CaptureOf(captures, *stream);
  if (capture == nullptr) {
    return Fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
                "stream {} is not being captured, expected aclmdlRICaptureBegin before",
                stream->id());
  }
  if (capture->LaneOf(*stream) != 0) {
    return Fail(ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED,
                "the capture of stream {} began on stream {}, expected that one", stream->id(),
                capture->lanes[0].stream->id());
  }
  EndAll(captures, capture);
  if (Status s = Check(*capture, *stream, *capture->lanes[0].stream); !s.ok()) {
    Graphs().Remove(capture->handle);
    return s;
  }
  std::vector<Graph::CapturedStream> lanes;
  for (CapturedLane& lane : capture->lanes) {
    lanes.push_back({lane.stream->id(), std::move(lane.nodes)});
  }
  capture->graph->SetExternalEvents(std::move(capture->awaited), std::move(capture->recorded));
  capture->graph->Seal(std::move(lanes), std::move(capture->groups));
  *graph = capture->handle;
  return {};
}

void AbandonCapture(const Stream& stream) {
  if (NoneActive()) return;
  std::shared_ptr<Capture> capture;  // ends after the lock
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  capture = CaptureOf(captures, stream);
  if (capture == nullptr) return;
  EndAll(captures, capture);
  Graphs().Remove(capture->handle);
}

CaptureInfo CaptureInfoOf(const Stream& stream) {
  if (NoneActive()) return {};
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  const std::shared_ptr<Capture> capture = CaptureOf(captures, stream);
  if (capture == nullptr) return {};
  return {capture->invalid ? ACL_MODEL_RI_CAPTURE_STATUS_INVALIDATED
                           : ACL_MODEL_RI_CAPTURE_STATUS_ACTIVE,
          capture->handle};
}

Status CheckNotCapturing(const Stream& stream) {
  if (CaptureInfoOf(stream).status == ACL_MODEL_RI_CAPTURE_STATUS_NONE) return {};
  return Fail(ACL_ERROR_RT_STREAM_CAPTURED,
              "stream {} is being captured, expected aclmdlRICaptureEnd before", stream.id());
}

Status CheckNotCaptured(const std::shared_ptr<Event>& event) {
  if (NoneActive()) return {};
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  if (CaptureOf(captures, event) == nullptr) return {};
  return Fail(ACL_ERROR_RT_EVENT_CAPTURED,
              "event {} was recorded in a capture, expected aclmdlRICaptureEnd before",
              event->id());
}

void ExchangeCaptureMode(aclmdlRICaptureMode* mode) { std::swap(t_mode, *mode); }

Status CheckUncapturedCall(int code) {
  if (NoneActive() || t_mode == ACL_MODEL_RI_CAPTURE_MODE_RELAXED) return {};
  CurrentContext current;
  if (Status s = GetCurrentContext(&current); !s.ok()) return s;
  constexpr auto kNone = static_cast<aclmdlRICaptureMode>(3);
  aclmdlRICaptureMode in_context = kNone;  // the strictest
  aclmdlRICaptureMode in_thread = kNone;
  {
    Captures& captures = AllCaptures();
    std::lock_guard lock(captures.mutex);
    for (const auto& capture : captures.active) {
      if (capture->graph->context() == current.handle) {
        in_context = std::min(in_context, capture->mode);
      }
      if (capture->thread == std::this_thread::get_id()) {
        in_thread = std::min(in_thread, capture->mode);
      }
    }
  }
  if (in_context == kNone) return {};
  const bool local = in_thread == ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL;
  const bool forbidden = t_mode == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL
                             ? local || in_context == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL
                             : local || in_thread == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL;
  if (!forbidden) return {};
  return Fail(code,
              "executed at once while a stream is being captured in mode {}, expected mode RELAXED "
              "(aclmdlRICaptureThreadExchangeMode)",
              in_context == ACL_MODEL_RI_CAPTURE_MODE_GLOBAL ? "GLOBAL" : "THREAD_LOCAL");
}

std::optional<Status> CaptureRecord(const std::shared_ptr<Event>& event,
                                    const std::shared_ptr<Stream>& stream) {
  if (std::optional<Status> s = ModelRecord(event, *stream)) return s;
  if (NoneActive() || IsExternal(*event)) return std::nullopt;
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  const std::shared_ptr<Capture> capture = CaptureOf(captures, *stream);
  if (capture == nullptr) return std::nullopt;
  if (Status s = CheckCapturable(*event); !s.ok()) return s;
  // For what has no ACL_EVENT_SYNC no stream can wait, and no thread before the end.
  if ((event->flags() & ACL_EVENT_SYNC) == 0) return Status();
  if (capture->invalid) return FailInvalid(*stream);
  for (const auto& other : captures.active) other->records.erase(event);
  const uint32_t lane = capture->LaneOf(*stream);
  capture->records[event] = {lane, static_cast<uint32_t>(capture->lanes[lane].nodes.size())};
  return Status();
}

std::optional<Status> CaptureWait(const std::shared_ptr<Event>& event,
                                  const std::shared_ptr<Stream>& stream) {
  if (std::optional<Status> s = ModelWait(event, *stream)) return s;
  if (NoneActive() || IsExternal(*event)) return std::nullopt;
  const bool is_default = IsDefaultStream(*stream);
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  const std::shared_ptr<Capture> waiting = CaptureOf(captures, *stream);
  const std::shared_ptr<Capture> recorded = CaptureOf(captures, event);
  if (recorded == nullptr) {
    if (waiting == nullptr) return std::nullopt;
    if (Status s = CheckCapturable(*event); !s.ok()) return s;
    if (event->record() == nullptr) return Status();
    return Fail(ACL_ERROR_RT_CAPTURE_DEPENDENCY,
                "event {} was recorded outside the capture of stream {}, expected a record in it",
                event->id(), stream->id());
  }
  if (is_default) {
    return Fail(ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT,
                "stream {} is the default stream of its context, which cannot join a capture",
                stream->id());
  }
  if (waiting != nullptr && waiting != recorded) {
    waiting->invalid = recorded->invalid = true;
    return Fail(ACL_ERROR_STREAM_CAPTURE_CONFLICT,
                "event {} was recorded in another capture than that of stream {}, expected the "
                "same",
                event->id(), stream->id());
  }
  if (recorded->invalid) return FailInvalid(*stream);
  if (waiting == nullptr) {
    if (Status s = Join(recorded, stream); !s.ok()) return s;
  }
  const uint32_t lane = recorded->LaneOf(*stream);
  const GraphPoint& point = recorded->records[event];
  if (point.lane != lane) recorded->lanes[lane].nodes.push_back({nullptr, point, false, false});
  return Status();
}

std::optional<Status> CaptureReset(const std::shared_ptr<Event>& event,
                                   const std::shared_ptr<Stream>& stream) {
  if (std::optional<Status> s = ModelReset(event, *stream)) return s;
  if (NoneActive() || IsExternal(*event)) return std::nullopt;
  if (CaptureInfoOf(*stream).status == ACL_MODEL_RI_CAPTURE_STATUS_NONE) return std::nullopt;
  return CheckCapturable(*event);
}

std::optional<Status> CaptureExternal(const std::shared_ptr<Event>& event, const Stream& stream,
                                      bool records) {
  if (Status s = CheckNotBound(stream); !s.ok()) return s;
  if (NoneActive()) return std::nullopt;
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  const std::shared_ptr<Capture> capture = CaptureOf(captures, stream);
  if (capture == nullptr) return std::nullopt;
  if (capture->invalid) return FailInvalid(stream);
  if (Status s = CheckCapturable(*event); !s.ok()) return s;
  if (capture->graph->origin() == GraphOrigin::kPart) {
    return Fail(ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                "flag is 1 (external) on stream {}, which is captured into a part of another graph",
                stream.id());
  }
  const bool recorded = std::ranges::find(capture->recorded, event) != capture->recorded.end();
  const bool awaited = std::ranges::find(capture->awaited, event) != capture->awaited.end();
  if (recorded || (records && awaited)) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "event {} is external in this graph already, expected another one: a graph records "
                "it once, or waits for it",
                event->id());
  }
  if (!awaited) (records ? capture->recorded : capture->awaited).push_back(event);
  return Status();
}

Status BeginTaskGroup(const Stream& stream) {
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  const std::shared_ptr<Capture> capture = CaptureOf(captures, stream);
  if (capture == nullptr) {
    return Fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
                "stream {} is not being captured, expected aclmdlRICaptureBegin before",
                stream.id());
  }
  const uint32_t lane = capture->LaneOf(stream);
  if (capture->lanes[lane].open_group != nullptr) {
    return Fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS, "stream {} has an open task group already",
                stream.id());
  }
  capture->lanes[lane].open_group = std::make_shared<TaskGroup>(capture->graph, lane);
  return {};
}

Status EndTaskGroup(const Stream& stream, aclrtTaskGrp* group) {
  *group = nullptr;
  Captures& captures = AllCaptures();
  std::lock_guard lock(captures.mutex);
  const std::shared_ptr<Capture> capture = CaptureOf(captures, stream);
  if (capture == nullptr) {
    return Fail(ACL_ERROR_RT_STREAM_NOT_CAPTURED,
                "stream {} is not being captured, expected aclmdlRICaptureBegin before",
                stream.id());
  }
  CapturedLane& lane = capture->lanes[capture->LaneOf(stream)];
  if (lane.open_group == nullptr) {
    return Fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "stream {} has no open task group, expected aclmdlRICaptureTaskGrpBegin before",
                stream.id());
  }
  const std::shared_ptr<TaskGroup> ended = std::exchange(lane.open_group, nullptr);
  if (capture->invalid) return FailInvalid(stream);
  capture->groups.push_back(ended);
  *group = TaskGroups().Add(ended);
  ended->handle = *group;
  return {};
}

}  // namespace anyacl
