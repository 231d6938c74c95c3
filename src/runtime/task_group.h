// SPDX-License-Identifier: Apache-2.0
// TaskGroup: consecutive tasks of a graph that can be replaced (aclrtTaskGrp).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/handle_table.h"
#include "runtime/task.h"

namespace anyacl {

class Graph;

struct TaskGroup {
  TaskGroup(const std::shared_ptr<Graph>& of, uint32_t in_lane) : graph(of), lane(in_lane) {}

  const std::weak_ptr<Graph> graph;
  const uint32_t lane;
  std::vector<uint32_t> nodes;  // places in the lane
  void* handle = nullptr;

  std::mutex mutex;
  bool updating = false;  // by one stream at a time
};

using TaskGroupTable = HandleTable<TaskGroup, HandleKind::kTaskGroup>;
TaskGroupTable& TaskGroups();

// Whether a task may be a member: it computes, copies or polls memory.
inline bool IsReplaceable(const Task& task) {
  return task.kind() == TaskKind::kCompute || task.kind() == TaskKind::kPoll;
}

}  // namespace anyacl
