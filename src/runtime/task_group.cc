// SPDX-License-Identifier: Apache-2.0
#include "runtime/task_group.h"

#include <map>
#include <optional>
#include <utility>

#include "acl/acl_rt.h"
#include "base/fork_locks.h"
#include "runtime/capture.h"
#include "runtime/graph.h"
#include "runtime/model_build.h"

namespace anyacl {
namespace {

// The update that a stream collects. Its members take their places when the stream gets to the end
// of the update, so that what the stream does before is ordered before.
class TaskUpdate final : public TaskSink {
 public:
  TaskUpdate(std::shared_ptr<Graph> graph, std::shared_ptr<TaskGroup> group)
      : graph_(std::move(graph)), group_(std::move(group)) {}

  std::optional<Status> Take(const Stream& stream, const std::shared_ptr<Task>& task) override {
    if (task->kind() == TaskKind::kMark || task->kind() == TaskKind::kWait) return std::nullopt;
    std::lock_guard lock(mutex_);
    if (ended_) return std::nullopt;
    if (tasks_.size() >= group_->nodes.size()) {
      return Fail(ACL_ERROR_RT_INTERNAL_ERROR,
                  "{} is task {} of the update on stream {}, expected at most the {} of the group",
                  task->name(), tasks_.size() + 1, stream.id(), group_->nodes.size());
    }
    const TaskKind kind = graph_->KindOf(*group_, tasks_.size());
    if (task->kind() != kind) {
      return Fail(ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT,
                  "{} on stream {} is of another kind than the task that it is to replace",
                  task->name(), stream.id());
    }
    tasks_.push_back(task);
    return Status();
  }

  Status End(const std::shared_ptr<Stream>& stream) {
    std::vector<std::shared_ptr<Task>> tasks;
    {
      std::lock_guard lock(mutex_);
      ended_ = true;
      tasks.swap(tasks_);
    }
    stream->Divert(nullptr);
    {
      std::lock_guard lock(group_->mutex);
      group_->updating = false;
    }
    if (tasks.size() != group_->nodes.size()) {
      return Fail(ACL_ERROR_RT_INTERNAL_ERROR,
                  "the update on stream {} has {} tasks, expected the {} of the group",
                  stream->id(), tasks.size(), group_->nodes.size());
    }
    auto replace = [graph = graph_, group = group_, tasks = std::move(tasks)]() -> Status {
      for (size_t i = 0; i < tasks.size(); ++i) graph->Replace(*group, i, tasks[i]);
      return {};
    };
    return stream->Enqueue(
        MakeTask(TaskKind::kMark, "aclmdlRICaptureTaskUpdateEnd", std::move(replace)));
  }

 private:
  const std::shared_ptr<Graph> graph_;
  const std::shared_ptr<TaskGroup> group_;
  std::mutex mutex_;
  bool ended_ = false;
  std::vector<std::shared_ptr<Task>> tasks_;
};

// By the stream's number, which is never used twice.
struct Updates {
  std::mutex mutex;
  std::map<int32_t, std::shared_ptr<TaskUpdate>> by_stream;
};

Updates& AllUpdates() {
  static Updates* updates = [] {
    auto* created = new Updates;
    ForkLocks::Add(ForkOrder::kCaptures, created->mutex);
    return created;
  }();
  return *updates;
}

}  // namespace

TaskGroupTable& TaskGroups() {
  static TaskGroupTable* table = TaskGroupTable::NewGlobal();
  return *table;
}
[[maybe_unused]] static const bool kTaskGroupMadeAtLoad = (TaskGroups(), AllUpdates(), true);

Status BeginTaskUpdate(const std::shared_ptr<Stream>& stream, aclrtTaskGrp handle) {
  if (Status s = CheckNotBound(*stream); !s.ok()) return s;
  if (Status s = CheckNotCapturing(*stream); !s.ok()) return s;
  const std::shared_ptr<TaskGroup> group = TaskGroups().Find(handle);
  const std::shared_ptr<Graph> graph = group == nullptr ? nullptr : group->graph.lock();
  if (graph == nullptr) {
    return Fail(ACL_ERROR_RT_INVALID_HANDLE,
                "handle {} is not a live task group (its graph was destroyed, or it was never made "
                "here)",
                handle);
  }
  if (!graph->ready()) {
    return Fail(
        ACL_ERROR_RT_MODEL_CAPTURED,
        "the graph of the task group is being captured, expected aclmdlRICaptureEnd before");
  }
  Updates& updates = AllUpdates();
  std::lock_guard lock(updates.mutex);
  if (updates.by_stream.contains(stream->id())) {
    return Fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "stream {} updates a task group already, expected aclmdlRICaptureTaskUpdateEnd "
                "before",
                stream->id());
  }
  {
    std::lock_guard group_lock(group->mutex);
    if (group->updating) {
      return Fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                  "another stream than {} updates the task group, expected one at a time",
                  stream->id());
    }
    group->updating = true;
  }
  auto update = std::make_shared<TaskUpdate>(graph, group);
  stream->Divert(update);
  updates.by_stream.emplace(stream->id(), std::move(update));
  return {};
}

Status EndTaskUpdate(const std::shared_ptr<Stream>& stream) {
  if (Status s = CheckNotCapturing(*stream); !s.ok()) return s;
  std::shared_ptr<TaskUpdate> update;
  {
    Updates& updates = AllUpdates();
    std::lock_guard lock(updates.mutex);
    auto found = updates.by_stream.extract(stream->id());
    if (!found.empty()) update = std::move(found.mapped());
  }
  if (update == nullptr) {
    return Fail(ACL_ERROR_STREAM_TASK_GROUP_STATUS,
                "stream {} updates no task group, expected aclmdlRICaptureTaskUpdateBegin before",
                stream->id());
  }
  return update->End(stream);
}

}  // namespace anyacl
