// SPDX-License-Identifier: Apache-2.0
// Condition: a word of device memory by which a task of a captured graph chooses among graphs that
// belong to it (aclmdlRICond*).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "acl/acl_rt.h"
#include "base/status.h"
#include "runtime/graph.h"
#include "runtime/handle_table.h"
#include "runtime/stream.h"

namespace anyacl {

class Condition : public std::enable_shared_from_this<Condition> {
 public:
  // Adds a condition to a graph that is being captured.
  static Status New(const std::shared_ptr<Graph>& graph, bool assigns, uint64_t value,
                    aclmdlRICondHandle* handle);

  const Graph* graph() const { return graph_; }
  uint64_t* address() const { return address_; }

  // Enqueues the task on a stream that is being captured into the graph, and makes its graphs.
  Status AddTask(aclmdlRICondTaskType type, uint32_t count, Stream& stream, aclmdlRI* graphs);

  // An execution of the whole begins.
  void Reset();
  void EndOfGraph();

 private:
  class ConditionTask;

  const Graph* graph_ = nullptr;  // which owns this
  bool assigns_ = false;
  uint64_t value_ = 0;
  uint64_t* address_ = nullptr;
  uint64_t resets_ = 0;  // ResetsSoFar() when the memory was allocated
  void* handle_ = nullptr;
  std::atomic<bool> used_{false};
  std::mutex mutex_;                                             // guards parts_
  std::vector<std::pair<void*, std::shared_ptr<Graph>>> parts_;  // with their handles
};

using ConditionTable = HandleTable<Condition, HandleKind::kCondition>;
ConditionTable& Conditions();

}  // namespace anyacl
