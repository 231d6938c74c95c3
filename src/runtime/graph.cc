// SPDX-License-Identifier: Apache-2.0
#include "runtime/graph.h"

#include <algorithm>
#include <new>
#include <utility>

#include "acl/acl_rt.h"
#include "base/entry.h"
#include "base/fork_locks.h"
#include "runtime/arguments.h"
#include "runtime/condition.h"
#include "runtime/device.h"
#include "runtime/error_log.h"
#include "runtime/event.h"
#include "runtime/model_build.h"
#include "runtime/profile.h"

namespace anyacl {
namespace {

constexpr char kApi[] = "aclmdlRIExecuteAsync";  // for messages of a replay itself

}  // namespace

// A replay that runs in another thread while the process forks does not go on in the child.
class GraphForkGuard {
 public:
  static void Install() {
    ForkLocks::Add(ForkOrder::kGraphs, {[] { Instance().Lock(); }, [] { Instance().Unlock(); },
                                        [] { Instance().InChild(); }});
  }

 private:
  static GraphForkGuard& Instance() {
    static auto* guard = new GraphForkGuard;
    return *guard;
  }
  void Lock() {
    locked_ = Graphs().All();
    for (const auto& graph : locked_) {
      graph->mutex_.lock();
      graph->replaced_mutex_.lock();
    }
  }
  void Unlock() {
    for (const auto& graph : locked_) {
      graph->replaced_mutex_.unlock();
      graph->mutex_.unlock();
    }
    locked_.clear();
  }
  void InChild() {
    for (const auto& graph : locked_) {
      // A condition variable may remember waiters that do not exist here.
      new (&graph->changed_) std::condition_variable;
      graph->replaying_ = false;
      // If a task of a replay forked, its lane is what is left, and ends with that task.
      graph->cancelled_ = true;
      graph->lanes_left_ = 1;
    }
  }

  std::vector<std::shared_ptr<Graph>> locked_;  // by the current fork
};

GraphTable& Graphs() {
  static GraphTable* table = GraphTable::NewGlobal();
  return *table;
}
[[maybe_unused]] static const bool kGraphMadeAtLoad = (Graphs(), GraphForkGuard::Install(), true);

Status FindGraph(const void* handle, std::shared_ptr<Graph>* graph) {
  if (Status s = NotNull(handle, "modelRI"); !s.ok()) return s;
  *graph = Graphs().Find(handle);
  if (*graph != nullptr) return {};
  return Fail(ACL_ERROR_RT_INVALID_HANDLE,
              "modelRI {} is not a live graph (destroyed, or never made here)", handle);
}

// One replay, as the executing stream sees it.
class Graph::ReplayTask final : public Task {
 public:
  ReplayTask(std::shared_ptr<Graph> graph, const Stream* stream, const char* api)
      : Task(graph->kind_, api), graph_(std::move(graph)), stream_(stream) {}
  ~ReplayTask() override {
    if (!over_) graph_->Drop();
  }
  Status Run(const StopToken& stop) override {
    over_ = true;
    return graph_->RunReplay(*stream_, stop);
  }
  void Wake() override { graph_->WakeAll(); }
  // It was never in a stream.
  void Forget() { over_ = true; }

 private:
  const std::shared_ptr<Graph> graph_;
  const Stream* const stream_;
  bool over_ = false;
};

// A lane beyond the first, as its runner sees it. The replay keeps the graph alive.
class Graph::LaneTask final : public Task {
 public:
  LaneTask(Graph* graph, uint32_t lane) : Task(TaskKind::kHost, kApi), graph_(graph), lane_(lane) {}
  Status Run(const StopToken&) override {
    const Stream::TaskScope scope(graph_->stream_);
    graph_->RunLane(lane_);
    return {};
  }

 private:
  Graph* const graph_;
  const uint32_t lane_;
};

namespace {
std::atomic<int64_t> live_graphs{0};
}

bool Graph::AnyLives() { return live_graphs.load() > 0; }

Graph::Graph(int32_t device, const void* context, GraphOrigin origin)
    : device_(device),
      context_(context),
      resets_(ResetsSoFar()),
      id_([] {
        static std::atomic<uint32_t> next{0};
        return next.fetch_add(1);
      }()),
      origin_(origin) {
  ++live_graphs;
}

Graph::~Graph() {
  --live_graphs;
  if (origin_ == GraphOrigin::kBuilt) ReleaseModel(*this);
  for (const auto& condition : conditions_) condition->EndOfGraph();
  for (const auto& group : groups_) TaskGroups().Remove(group->handle);
  for (const auto& lane : lanes_) {
    if (lane->runner != nullptr) lane->runner->RetireWorker();
  }
}

void Graph::Seal(std::vector<CapturedStream> lanes,
                 std::vector<std::shared_ptr<TaskGroup>> groups) {
  groups_ = std::move(groups);
  bool calls_client = false;
  bool blocks = lanes.size() > 1;
  for (uint32_t i = 0; i < lanes.size(); ++i) {
    auto lane = std::make_unique<Lane>();
    lane->nodes = std::move(lanes[i].nodes);
    lane->stream_id = lanes[i].id;
    lane->head = lanes[i].head;
    if (i > 0) {
      lane->runner = Stream::CreateRunner(device_);
      lane->runner_task = std::make_shared<LaneTask>(this, i);
    }
    lanes_.push_back(std::move(lane));
  }
  for (const auto& lane : lanes_) {
    for (const GraphNode& node : lane->nodes) {
      if (node.jump != nullptr) {
        blocks = true;
        continue;
      }
      if (node.task == nullptr) {
        if (node.after.count > 0) {
          lanes_[node.after.lane]->nodes[node.after.count - 1].awaited = true;
        }
        continue;
      }
      const TaskKind kind = node.task->kind();
      if (kind == TaskKind::kCompute || kind == TaskKind::kMark) continue;
      calls_client |= kind == TaskKind::kHost;
      blocks = true;
      blocking_.push_back(&node);
    }
  }
  kind_ = calls_client ? TaskKind::kHost : blocks ? TaskKind::kGraph : TaskKind::kCompute;
  ready_.store(true, std::memory_order_release);
}

void Graph::SealModel(std::vector<CapturedStream> lanes, std::vector<std::shared_ptr<Flag>> flags) {
  flags_ = std::move(flags);
  Seal(std::move(lanes), {});
}

void Graph::AddCondition(std::shared_ptr<Condition> condition) {
  std::lock_guard lock(mutex_);
  conditions_.push_back(std::move(condition));
}

void Graph::ResetConditions() {
  std::unique_lock lock(mutex_);
  const std::vector<std::shared_ptr<Condition>> conditions = conditions_;
  lock.unlock();
  for (const auto& condition : conditions) condition->Reset();
}

Status Graph::Replay(const std::shared_ptr<Stream>& stream, const char* api, uint64_t* ticket) {
  if (stream->context() != context_) {
    return Fail(ACL_ERROR_RT_MODEL_CONTEXT,
                "stream {} belongs to another context than graph {}, expected the one of its "
                "capture",
                stream->id(), id_);
  }
  if (retired_) {
    return Fail(ACL_ERROR_RT_STREAM_MODEL,
                "a stream of model {} was unbound, expected aclmdlRIUnbindStream after its last "
                "execution",
                id_);
  }
  for (const auto& event : awaited_) {
    if (Status s = event->MakeWait(stream); !s.ok()) return s;
  }
  const auto task = std::make_shared<ReplayTask>(shared_from_this(), stream.get(), api);
  if (Status s = stream->Enqueue(task, ticket); !s.ok()) {
    task->Forget();
    return s;
  }
  for (const auto& event : recorded_) {
    if (Status s = event->RecordOn(stream); !s.ok()) return s;
  }
  return {};
}

Status Graph::RunReplay(const Stream& stream, const StopToken& stop) {
  const bool begun = [&] {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !replaying_ || stop.Aborted(); });
    if (stop.Aborted()) return false;
    BeginReplay(stream, stop);
    return true;
  }();
  if (!begun) {
    Drop();
    return Fail(ACL_ERROR_RT_STREAM_ABORT, "graph {} was not run", id_);
  }
  if (origin_ != GraphOrigin::kPart) ResetConditions();
  for (uint32_t i = 1; i < lanes_.size(); ++i) {
    if (lanes_[i]->head) EnqueueLane(i);
  }
  if (!lanes_.empty() && lanes_[0]->head) RunLane(0);
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return lanes_left_ == 0 || lanes_[0]->waiting; });
    if (lanes_left_ == 0) break;
    lanes_[0]->waiting = false;
    lock.unlock();
    RunLane(0);
    lock.lock();
  }
  replaying_ = false;
  stop_ = nullptr;
  changed_.notify_all();
  std::optional<Error> error = std::exchange(error_, std::nullopt);
  const bool aborted = std::exchange(aborted_, false);
  lock.unlock();
  if (stop.Aborted()) return Fail(ACL_ERROR_RT_STREAM_ABORT, "graph {} was ended", id_);
  if (aborted) {
    return Fail(ACL_ERROR_RT_MODEL_ABORT_NORMAL, "model {} was ended by aclmdlRIAbort", id_);
  }
  if (error) {
    if (!error->message.empty()) RecordCarriedError(error->code, error->message);
    return anyacl::Replay(error->code);
  }
  if (origin_ != GraphOrigin::kBuilt || completed_) return {};
  return Fail(ACL_ERROR_RT_MODEL_EXECUTE,
              "no stream of model {} got to aclmdlRIEndTask, and none has anything left to do",
              id_);
}

// Called with the lock held.
void Graph::BeginReplay(const Stream& stream, const StopToken& stop) {
  replaying_ = true;
  stream_ = &stream;
  stop_ = &stop;
  ++replay_;
  lane_stop_ = StopToken(aborted_through_, drained_through_, replay_);
  PassStopOn();
  error_.reset();
  aborted_ = false;
  cancelled_ = false;
  completed_ = false;
  lanes_left_ = 0;
  for (const auto& lane : lanes_) {
    lane->finished.store(0, std::memory_order_relaxed);
    lane->running = lane->head;
    lane->start = 0;
    lane->again.reset();
    lane->waiting = false;
    if (lane->head) ++lanes_left_;
  }
  for (const auto& flag : flags_) flag->Clear();
}

// Called with the lock held: what the task is told the lanes are told.
void Graph::PassStopOn() {
  if (stop_ == nullptr) return;
  if (stop_->Requested()) drained_through_.store(replay_, std::memory_order_release);
  if (stop_->Aborted()) aborted_through_.store(replay_, std::memory_order_release);
}

Status Graph::RunAsPart(const Graph& whole, const StopToken& stop) {
  return RunReplay(*whole.stream_, stop);
}

void Graph::EnqueueLane(uint32_t index) {
  Lane& lane = *lanes_[index];
  const int code = Entry(kApi, [&] { return lane.runner->Enqueue(lane.runner_task); });
  if (code == 0) return;
  Cancel(code);
  std::lock_guard lock(mutex_);
  lane.running = false;
  --lanes_left_;
  changed_.notify_all();
}

void Graph::StartLane(const GraphTarget& target) {
  Lane& lane = *lanes_[target.lane];
  {
    std::lock_guard lock(mutex_);
    if (lane.running) {
      lane.again = target.node;
      return;
    }
    lane.running = true;
    lane.start = target.node;
    ++lanes_left_;
    if (target.lane == 0) {
      lane.waiting = true;
      changed_.notify_all();
      return;
    }
  }
  EnqueueLane(target.lane);
}

void Graph::RunLane(uint32_t index) {
  Lane& lane = *lanes_[index];
  std::unique_lock lock(mutex_);
  for (;;) {
    const uint32_t start = lane.start;
    lock.unlock();
    const int code = Entry(kApi, [&]() -> Status {
      RunNodes(index, start);
      return {};
    });
    if (code != 0) Cancel(code);
    lock.lock();
    if (!lane.again || Ended()) break;
    lane.start = *std::exchange(lane.again, std::nullopt);
  }
  lane.running = false;
  --lanes_left_;
  changed_.notify_all();
}

// A failed node does not keep the others from running, as on a stream.
void Graph::RunNodes(uint32_t index, uint32_t start) {
  Lane& lane = *lanes_[index];
  ErrorCapture capture;
  uint32_t i = start;
  while (i < lane.nodes.size() && !Ended()) {
    const GraphNode& node = lane.nodes[i++];
    if (node.jump != nullptr) {
      if (!RunJump(*node.jump, index, &i, capture)) break;
    } else if (node.task == nullptr) {
      if (!AwaitPoint(node.after)) break;
    } else if (node.replaceable) {
      RunNode(*TaskOf(node), lane, i, capture);
    } else {
      RunNode(*node.task, lane, i, capture);
    }
    if (!node.awaited) continue;
    lane.finished.store(i, std::memory_order_release);
    { std::lock_guard lock(mutex_); }
    changed_.notify_all();
  }
  if (Ended()) DropNodes(lane, i);
}

// Members of task groups compute or poll: nobody waits for them.
void Graph::DropNodes(const Lane& lane, size_t from) {
  for (size_t i = from; i < lane.nodes.size(); ++i) {
    const GraphNode& node = lane.nodes[i];
    if (node.task != nullptr && !node.replaceable) node.task->Dropped();
  }
}

void Graph::Drop() const {
  if (!ready()) return;
  for (const auto& lane : lanes_) DropNodes(*lane, 0);
}

// False: the lane ends. A circle ends with any stop, as nothing else need end it.
bool Graph::RunJump(const GraphJump& jump, uint32_t lane, uint32_t* next, ErrorCapture& capture) {
  GraphStep step;
  const int code = Entry(jump.name, [&] { return jump.decide(&step); });
  if (code != 0) {
    std::string message = capture.TakeNewest();
    {
      std::lock_guard lock(mutex_);
      if (!error_) error_ = Error{code, std::move(message)};
    }
    Cancel(code);
    return false;
  }
  if (step.completes) completed_ = true;
  if (!step.start) return !step.leaves;
  if (lane_stop_.Requested()) {
    Cancel(ACL_ERROR_RT_STREAM_ABORT);
    return false;
  }
  if (step.leaves && step.start->lane == lane) {
    *next = step.start->node;
    return true;
  }
  StartLane(*step.start);
  return !step.leaves;
}

void Graph::Abort() {
  std::unique_lock lock(mutex_);
  if (!replaying_) return;
  const uint64_t replay = replay_;
  aborted_ = true;
  drained_through_.store(replay, std::memory_order_release);
  aborted_through_.store(replay, std::memory_order_release);
  const bool waits = kind_ != TaskKind::kHost && !stream_->RunsInThisThread();
  lock.unlock();
  WakeAll();
  lock.lock();
  if (waits) changed_.wait(lock, [&] { return !replaying_ || replay_ != replay; });
}

void Graph::RunNode(Task& task, const Lane& lane, uint32_t number, ErrorCapture& capture) {
  const int code = Entry(task.name(), [&] {
    const ProfiledTask profiled(task, device_, lane.stream_id, number, 0);
    return task.Run(lane_stop_);
  });
  if (code == 0) return;
  // What comes after a wait must not run without what was waited for.
  if (task.kind() == TaskKind::kWait && lane_stop_.Requested()) return Cancel(code);
  std::string message = capture.TakeNewest();
  std::lock_guard lock(mutex_);
  if (!error_) error_ = Error{code, std::move(message)};
}

void Graph::Cancel(int code) {
  std::lock_guard lock(mutex_);
  if (!error_) error_ = Error{code, {}};
  cancelled_ = true;
  changed_.notify_all();
}

bool Graph::AwaitPoint(const GraphPoint& point) {
  const std::atomic<uint32_t>& finished = lanes_[point.lane]->finished;
  const auto reached = [&] { return finished.load(std::memory_order_acquire) >= point.count; };
  if (reached()) return true;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return reached() || Ended(); });
  return reached();
}

void Graph::WakeAll() {
  // Under the lock: a waiter is either before its look at the stop or asleep.
  {
    std::lock_guard lock(mutex_);
    PassStopOn();
  }
  changed_.notify_all();
  for (const GraphNode* node : blocking_) TaskOf(*node)->Wake();
}

std::shared_ptr<Task> Graph::TaskOf(const GraphNode& node) const {
  if (!node.replaceable) return node.task;
  std::lock_guard lock(replaced_mutex_);
  return node.task;
}

TaskKind Graph::KindOf(const TaskGroup& group, size_t member) const {
  return TaskOf(lanes_[group.lane]->nodes[group.nodes[member]])->kind();
}

void Graph::Replace(const TaskGroup& group, size_t member, std::shared_ptr<Task> task) {
  std::shared_ptr<Task>& current = lanes_[group.lane]->nodes[group.nodes[member]].task;
  std::lock_guard lock(replaced_mutex_);
  current.swap(task);  // the old one ends after the lock
}

}  // namespace anyacl
