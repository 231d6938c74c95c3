// SPDX-License-Identifier: Apache-2.0
// Graph: the tasks of one capture, or of a model built by hand (aclmdlRI), to be run again and
// again. Every captured stream has become a lane; "lane 2 has finished 5 nodes" is all that orders
// lanes, as {stream, ticket} orders streams. In a model built by hand lanes start each other and
// jump.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "runtime/error_log.h"
#include "runtime/flag.h"
#include "runtime/graph_jump.h"
#include "runtime/handle_table.h"
#include "runtime/stream.h"
#include "runtime/task.h"
#include "runtime/task_group.h"

namespace anyacl {

// A point in a lane: `count` of its nodes have finished.
struct GraphPoint {
  uint32_t lane = 0;
  uint32_t count = 0;
};

struct GraphNode {
  std::shared_ptr<Task> task{};  // null: waits for `after`, or is a jump
  GraphPoint after{};
  bool awaited = false;      // a lane waits until this one is finished
  bool replaceable = false;  // a member of a task group
  std::shared_ptr<const GraphJump> jump{};
};

enum class GraphOrigin {
  kCaptured,
  kPart,   // captured, and run by a task of another graph
  kBuilt,  // by hand
};

class Condition;
class Event;

class Graph : public std::enable_shared_from_this<Graph> {
 public:
  Graph(int32_t device, const void* context, GraphOrigin origin = GraphOrigin::kCaptured);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // Whether there is one, in any device.
  static bool AnyLives();

  uint32_t id() const { return id_; }
  int32_t device() const { return device_; }
  const void* context() const { return context_; }
  uint64_t resets() const { return resets_; }
  GraphOrigin origin() const { return origin_; }
  std::string name() const;
  void set_name(std::string name);

  // Between Begin and End of the capture a graph has a handle and nothing else.
  bool ready() const { return ready_.load(std::memory_order_acquire); }
  struct CapturedStream {
    int32_t id;  // names the lane in dumps
    std::vector<GraphNode> nodes;
    bool head = true;  // runs from the beginning
  };
  // Of a model built by hand, whose flags are not set when an execution begins.
  void SealModel(std::vector<CapturedStream> lanes, std::vector<std::shared_ptr<Flag>> flags);
  // A stream was unbound: no more executions.
  void Retire() { retired_.store(true); }
  // Ends the capture, which began in the first lane.
  void Seal(std::vector<CapturedStream> lanes, std::vector<std::shared_ptr<TaskGroup>> groups);

  // Enqueues one task that runs all nodes. Replays of one graph exclude each other.
  Status Replay(const std::shared_ptr<Stream>& stream, const char* api, uint64_t* ticket = nullptr);
  // Runs the graph in a task of `whole`, whose lanes see `stop`.
  Status RunAsPart(const Graph& whole, const StopToken& stop);
  // A run that does not come about: tells the tasks.
  void Drop() const;
  // Ends the replay in progress. Waits for its end, unless it may run client's functions.
  void Abort();
  // Lets what sleeps in a replay look at the stop.
  void WakeAll();

  // Before an execution the stream waits for these, and after it records those.
  void SetExternalEvents(std::vector<std::shared_ptr<Event>> awaited,
                         std::vector<std::shared_ptr<Event>> recorded) {
    awaited_ = std::move(awaited);
    recorded_ = std::move(recorded);
  }

  // Conditions of tasks of this graph live as long as it does.
  void AddCondition(std::shared_ptr<Condition> condition);
  // Assigns defaults, also of its parts.
  void ResetConditions();

  // What is called when the client destroys the graph.
  struct DestroyCallback {
    void (*function)(void*);
    void* argument;
  };
  void AddDestroyCallback(DestroyCallback callback);
  bool RemoveDestroyCallback(void (*function)(void*));
  std::vector<DestroyCallback> TakeDestroyCallbacks();

  TaskKind KindOf(const TaskGroup& group, size_t member) const;
  // Puts another task in the place of a group's member.
  void Replace(const TaskGroup& group, size_t member, std::shared_ptr<Task> task);

  // In the format of chrome://tracing: one event per node, one row per lane.
  std::string ToJson() const;

 private:
  class ReplayTask;
  class LaneTask;
  friend class GraphForkGuard;  // a fork may happen during a replay

  struct Error {
    int code;
    std::string message;
  };
  struct Lane {
    std::vector<GraphNode> nodes;
    int32_t stream_id = 0;
    bool head = true;
    // Guarded by mutex_: where it runs from now or next.
    bool running = false;
    uint32_t start = 0;
    std::optional<uint32_t> again;      // it was started while it runs
    bool waiting = false;               // the first lane: for the executing thread
    std::atomic<uint32_t> finished{0};  // nodes in the current replay
    // Lanes beyond the first have threads of their own, because a node may block.
    std::shared_ptr<Stream> runner;
    std::shared_ptr<Task> runner_task;
  };

  Status RunReplay(const Stream& stream, const StopToken& stop);
  void BeginReplay(const Stream& stream, const StopToken& stop);
  void RunLane(uint32_t index);
  void RunNodes(uint32_t index, uint32_t start);
  static void DropNodes(const Lane& lane, size_t from);
  bool RunJump(const GraphJump& jump, uint32_t lane, uint32_t* next, ErrorCapture& capture);
  void StartLane(const GraphTarget& target);
  void EnqueueLane(uint32_t index);
  void PassStopOn();
  void RunNode(Task& task, const Lane& lane, uint32_t number, ErrorCapture& capture);
  bool AwaitPoint(const GraphPoint& point);
  void Cancel(int code);
  bool Ended() const { return cancelled_.load() || lane_stop_.Aborted(); }
  std::shared_ptr<Task> TaskOf(const GraphNode& node) const;

  const int32_t device_;
  const void* const context_;
  const uint64_t resets_;
  const uint32_t id_;
  const GraphOrigin origin_;
  std::atomic<bool> ready_{false};
  std::atomic<bool> retired_{false};

  // Constant once sealed, but for the tasks of replaceable nodes.
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::vector<const GraphNode*> blocking_;  // to wake when a replay is to stop
  TaskKind kind_ = TaskKind::kCompute;
  std::vector<std::shared_ptr<TaskGroup>> groups_;
  std::vector<std::shared_ptr<Flag>> flags_;
  std::vector<std::shared_ptr<Condition>> conditions_;
  std::vector<std::shared_ptr<Event>> awaited_, recorded_;

  mutable std::mutex replaced_mutex_;  // guards the tasks of replaceable nodes, and name_
  std::string name_;
  std::vector<DestroyCallback> destroy_callbacks_;

  // The current replay.
  std::mutex mutex_;
  std::condition_variable changed_;
  bool replaying_ = false;
  uint32_t lanes_left_ = 0;
  const Stream* stream_ = nullptr;   // that runs the replay
  const StopToken* stop_ = nullptr;  // of its task
  // What the lanes see: also an abort of the graph alone.
  uint64_t replay_ = 0;
  std::atomic<uint64_t> aborted_through_{0};
  std::atomic<uint64_t> drained_through_{0};
  StopToken lane_stop_{aborted_through_, drained_through_, 0};
  bool aborted_ = false;
  std::atomic<bool> completed_{false};  // a lane got to the end of the model
  // A lane could not go on, so that others would wait for ever.
  std::atomic<bool> cancelled_{false};
  std::optional<Error> error_;  // the first
};

using GraphTable = HandleTable<Graph, HandleKind::kGraph>;
GraphTable& Graphs();

// Ends graphs whose device or context goes. Clients own those that are no parts.
template <class Predicate>
void EndGraphsIf(Predicate predicate) {
  Graphs().EndIf(predicate,
                 [](const Graph& graph) { return graph.origin() != GraphOrigin::kPart; });
}
Status FindGraph(const void* handle, std::shared_ptr<Graph>* graph);

}  // namespace anyacl
