// SPDX-License-Identifier: Apache-2.0
#include "runtime/condition.h"

#include <utility>

#include "runtime/device.h"
#include "runtime/memory.h"

namespace anyacl {

ConditionTable& Conditions() {
  static ConditionTable* table = ConditionTable::NewGlobal();
  return *table;
}
[[maybe_unused]] static const bool kConditionMadeAtLoad = (Conditions(), true);

// Of kind kHost, because the graphs, which are captured later, may call the client's functions.
class Condition::ConditionTask final : public Task {
 public:
  ConditionTask(const Condition& condition, aclmdlRICondTaskType type,
                std::vector<std::shared_ptr<Graph>> parts)
      : Task(TaskKind::kHost, "aclmdlRIAddCondTask"),
        graph_(condition.graph_),
        address_(condition.address_),
        type_(type),
        parts_(std::move(parts)) {}

  Status Run(const StopToken& stop) override {
    for (;;) {
      const std::optional<uint64_t> value = LoadWord(address_);
      if (!value) {
        return Fail(ACL_ERROR_RT_PARAM_INVALID, "the memory of a condition of graph {} was freed",
                    graph_->id());
      }
      const size_t chosen = Choose(*value);
      if (chosen >= parts_.size()) return {};
      Graph& part = *parts_[chosen];
      if (!part.ready()) {
        return Fail(ACL_ERROR_RT_MODEL_EXECUTE,
                    "modelRIArray[{}] of a condition of graph {} is not captured, expected "
                    "aclmdlRICaptureToModelRIBegin and End before",
                    chosen, graph_->id());
      }
      if (Status s = part.RunAsPart(*graph_, stop); !s.ok()) return s;
      if (type_ != ACL_MODEL_RI_COND_TYPE_WHILE) return {};
      if (!stop.Requested()) continue;
      Dropped();
      return Fail(ACL_ERROR_RT_STREAM_ABORT, "ended before its condition");
    }
  }

  // Which of them would have run is not known.
  void Dropped() override {
    for (const auto& part : parts_) part->Drop();
  }

  void Wake() override {
    for (const auto& part : parts_) part->WakeAll();
  }

 private:
  // A number beyond the graphs: none.
  size_t Choose(uint64_t value) const {
    switch (type_) {
      case ACL_MODEL_RI_COND_TYPE_IF:
        return value != 0 ? 0 : 1;
      case ACL_MODEL_RI_COND_TYPE_WHILE:
        return value != 0 ? 0 : parts_.size();
      default:
        return value;
    }
  }

  const Graph* const graph_;  // which owns this
  const uint64_t* const address_;
  const aclmdlRICondTaskType type_;
  const std::vector<std::shared_ptr<Graph>> parts_;
};

Status Condition::New(const std::shared_ptr<Graph>& graph, bool assigns, uint64_t value,
                      aclmdlRICondHandle* handle) {
  if (graph->ready()) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "graph {} is captured already, expected one between aclmdlRICaptureBegin and End",
                graph->id());
  }
  auto condition = std::make_shared<Condition>();
  condition->graph_ = graph.get();
  condition->assigns_ = assigns;
  condition->value_ = value;
  condition->resets_ = ResetsSoFar();
  void* memory = nullptr;
  if (Status s = Allocate(sizeof(uint64_t), MemoryKind::kDevice, graph->device(),
                          Padding::kRound32Plus32, &memory);
      !s.ok()) {
    return s;
  }
  condition->address_ = static_cast<uint64_t*>(memory);
  *condition->address_ = 0;
  condition->handle_ = Conditions().Add(condition);
  *handle = condition->handle_;
  graph->AddCondition(std::move(condition));
  return {};
}

Status Condition::AddTask(aclmdlRICondTaskType type, uint32_t count, Stream& stream,
                          aclmdlRI* graphs) {
  if (used_.exchange(true)) {
    return Fail(ACL_ERROR_RT_PARAM_INVALID,
                "params.handle {} has a task already, expected one condition per task", handle_);
  }
  std::vector<std::shared_ptr<Graph>> parts;
  for (uint32_t i = 0; i < count; ++i) {
    parts.push_back(
        std::make_shared<Graph>(graph_->device(), graph_->context(), GraphOrigin::kPart));
  }
  if (Status s = stream.Enqueue(std::make_shared<ConditionTask>(*this, type, parts)); !s.ok()) {
    used_ = false;
    return s;
  }
  std::lock_guard lock(mutex_);
  for (uint32_t i = 0; i < count; ++i) {
    graphs[i] = Graphs().Add(parts[i]);
    parts_.emplace_back(graphs[i], parts[i]);
  }
  return {};
}

void Condition::Reset() {
  // The client may have freed it.
  if (assigns_ && LoadWord(address_)) __atomic_store_n(address_, value_, __ATOMIC_RELEASE);
  std::unique_lock lock(mutex_);
  const auto parts = parts_;
  lock.unlock();
  for (const auto& [handle, part] : parts) part->ResetConditions();
}

void Condition::EndOfGraph() {
  Conditions().Remove(handle_);
  for (const auto& [handle, part] : parts_) Graphs().Remove(handle);
  // A reset of the device has freed it, and somebody else may have it by now.
  const std::optional<Allocation> found = FindAllocation(address_);
  if (!found || found->base != reinterpret_cast<uintptr_t>(address_) || found->resets != resets_) {
    return;
  }
  static_cast<void>(Free(address_, "condition", MemoryKind::kDevice));
}

}  // namespace anyacl
