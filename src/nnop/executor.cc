// SPDX-License-Identifier: Apache-2.0
#include "nnop/executor.h"

#include <algorithm>

#include "acl/acl_rt.h"
#include "aclnn/opdev/op_errno.h"
#include "base/dtype.h"
#include "base/entry.h"
#include "base/format.h"
#include "nnop/awaited_plan.h"
#include "nnop/exports.h"
#include "runtime/exports.h"

namespace anyacl {
namespace {

class PlanTask final : public Task {
 public:
  PlanTask(const PreparedCall& call, std::vector<char*> data, char* workspace, bool in_graph)
      : Task(call.kind, call.op->phase_two, call.is_small && call.kind == TaskKind::kCompute),
        plan_(call.plan),
        data_(std::move(data)),
        workspace_(workspace),
        over_(in_graph) {}
  ~PlanTask() override {
    if (!over_) Dropped();
  }

  Status Run(const StopToken& stop) override {
    over_ = true;
    return plan_->Run({data_, workspace_}, stop);
  }

  // Other ranks may wait for the run.
  void Dropped() override {
    if (kind() != TaskKind::kGraph) return;
    if (const auto* awaited = dynamic_cast<const AwaitedPlan*>(plan_.get())) awaited->Dropped();
  }

  // It was never in a stream.
  void Forget() { over_ = true; }

  std::shared_ptr<const TaskOperands> operands() const override { return operands_; }
  void set_operands(std::shared_ptr<const TaskOperands> operands) {
    operands_ = std::move(operands);
  }

 private:
  const std::shared_ptr<const Plan> plan_;
  const std::vector<char*> data_;
  char* const workspace_;
  std::shared_ptr<const TaskOperands> operands_;
  // Its end is no drop: it has run, or is a graph's, whose runs are what other ranks wait for.
  bool over_;
};

std::shared_ptr<const TaskOperands> OperandsOf(const PreparedCall& call) {
  auto operands = std::make_shared<TaskOperands>();
  for (const Slot& slot : call.slots) {
    if (slot.tensor == nullptr) continue;
    TaskOperands::Side& side = slot.is_output ? operands->outputs : operands->inputs;
    const std::shared_ptr<const TensorLayout> layout = slot.tensor->layout();
    const char* separator = side.types.empty() ? "" : ";";
    side.shapes += separator + Joined(std::span(layout->shape.begin(), layout->shape.end()), ",");
    side.types += separator + NameOf(layout->dtype);
    side.formats += separator + NameOf(layout->format);
  }
  return operands;
}

// Room to align within a workspace that has the reported size.
char* AlignWorkspace(void* workspace) {
  const auto address = reinterpret_cast<uintptr_t>(workspace);
  return reinterpret_cast<char*>((address + kWorkspaceAlignment - 1) / kWorkspaceAlignment *
                                 kWorkspaceAlignment);
}

}  // namespace

Executor::Executor(std::shared_ptr<const PreparedCall> call, std::span<void* const> addresses)
    : call_(std::move(call)), replaced_(call_->slots.size()) {
  size_t next = 0;
  for (size_t i = 0; i < replaced_.size(); ++i) {
    if (call_->slots[i].tensor != nullptr) replaced_[i] = addresses[next++];
  }
}

Status Executor::SetAddress(Among among, size_t index, size_t list_index,
                            const std::shared_ptr<Tensor>& tensor, void* address) {
  std::lock_guard lock(mutex_);
  size_t count = 0;  // tensors and tensor lists so far: the members of a list share one index
  for (size_t i = 0; i < call_->slots.size(); ++i) {
    const Slot& slot = call_->slots[i];
    if (among != Among::kAll && slot.is_output != (among == Among::kOutputs)) continue;
    if (slot.list_index == 0) ++count;
    if (count != index + 1 || slot.list_index != list_index) continue;
    if (slot.tensor == nullptr) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "index {} is {}, which the call left out", index,
                  slot.parameter);
    }
    tensor->set_data(address);
    replaced_.resize(call_->slots.size());
    replaced_[i] = slot.tensor == tensor ? std::nullopt : std::optional<void*>(address);
    return {};
  }
  const char* kind = among == Among::kInputs    ? "input tensors"
                     : among == Among::kOutputs ? "output tensors"
                                                : "tensors";
  return Fail(ACLNN_ERR_PARAM_INVALID, "index {} (member {}) is none of the {} {} of {}", index,
              list_index, count, kind, op().phase_two);
}

Status Executor::CheckAddress(const Slot& slot, const char* data) const {
  if (data == nullptr) {
    return Fail(Code(ACLNN_ERR_PARAM_NULLPTR), "{} has no data address, expected {} bytes",
                slot.parameter, slot.end - slot.begin);
  }
  const auto address = reinterpret_cast<uintptr_t>(data);
  if (address % slot.alignment != 0) {
    return Fail(Code(ACLNN_ERR_PARAM_INVALID),
                "{} has data address {}, expected a multiple of its element size {}",
                slot.parameter, static_cast<const void*>(data), slot.alignment);
  }
  // Extents are below 2^60 (operand_checks.cc) and addresses below 2^57, so the sums do not
  // overflow.
  const auto begin = static_cast<int64_t>(address) + slot.begin;
  const auto end = static_cast<int64_t>(address) + slot.end;
  constexpr int64_t kAddressEnd = int64_t{1} << 57;
  if (address >= kAddressEnd || begin < 0 || end > kAddressEnd) {
    return Fail(Code(ACLNN_ERR_PARAM_INVALID),
                "{} occupies bytes {} to {} from its data address {}, which are no addresses",
                slot.parameter, slot.begin, slot.end, static_cast<const void*>(data));
  }
  MemoryRange memory;
  if (!anyaclFindUsableRange(data, &memory)) return {};
  const int64_t before = data - memory.begin;
  const int64_t after = static_cast<int64_t>(memory.size) - before;
  if (slot.begin >= -before && slot.end <= after) return {};
  return Fail(Code(ACLNN_ERR_PARAM_INVALID),
              "{} occupies bytes {} to {} from its data address, expected within {} to {}: the "
              "allocation ends there",
              slot.parameter, slot.begin, slot.end, -before, after);
}

Status Executor::Bind(std::vector<char*>* data) const {
  data->reserve(call_->slots.size());
  for (size_t i = 0; i < call_->slots.size(); ++i) {
    const Slot& slot = call_->slots[i];
    char* address = nullptr;
    if (slot.tensor != nullptr && slot.begin != slot.end) {
      const bool replaced = i < replaced_.size() && replaced_[i].has_value();
      address = static_cast<char*>(replaced ? *replaced_[i] : slot.tensor->data());
      if (Status s = CheckAddress(slot, address); !s.ok()) return s;
    }
    data->push_back(address);
  }
  return {};
}

Status Executor::Launch(void* workspace, uint64_t workspace_size, aclrtStream stream) {
  std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock.owns_lock()) {
    return Fail(Code(ACLNN_ERR_PARAM_INVALID),
                "executor is in use by another thread, expected one call at a time");
  }
  if (workspace == nullptr && std::max(workspace_size, call_->workspace_size) > 0) {
    return Fail(Code(ACLNN_ERR_PARAM_NULLPTR), "workspace is null, expected {} bytes",
                std::max(workspace_size, call_->workspace_size));
  }
  if (workspace_size < call_->workspace_size) {
    return Fail(Code(ACLNN_ERR_PARAM_INVALID),
                "workspaceSize is {}, expected at least the {} that {} returned", workspace_size,
                call_->workspace_size, op().phase_one);
  }
  MemoryRange memory;
  if (call_->workspace_size > 0 && anyaclFindUsableRange(workspace, &memory)) {
    const size_t left =
        static_cast<size_t>(memory.begin + memory.size - static_cast<const char*>(workspace));
    if (left < call_->workspace_size) {
      return Fail(Code(ACLNN_ERR_PARAM_INVALID),
                  "workspace has {} bytes up to the end of its allocation, expected {}", left,
                  call_->workspace_size);
    }
  }
  if (call_->plan != nullptr) {
    if (Status s = call_->plan->CheckRunnable(); !s.ok()) return s;
  }
  // A call with nothing to compute needs no memory; it goes through the stream all the same, so
  // that a bad stream is found out.
  std::shared_ptr<Task> task;
  std::shared_ptr<PlanTask> planned;
  if (call_->plan != nullptr) {
    std::vector<char*> data;
    if (Status s = Bind(&data); !s.ok()) return s;
    if (call_->group != nullptr) {
      return call_->group->Submit(
          {op().phase_two, call_->alike,
           [plan = call_->plan, data = std::move(data), aligned = AlignWorkspace(workspace)](
               RankCollectives& ranks, const StopToken& stop) {
             return plan->Run({data, aligned, &ranks}, stop);
           },
           call_->beside},
          stream);
    }
    const bool in_graph = call_->kind == TaskKind::kGraph && anyaclEnqueuesForGraph(stream);
    planned =
        std::make_shared<PlanTask>(*call_, std::move(data), AlignWorkspace(workspace), in_graph);
    if (anyaclProfilesOperands()) planned->set_operands(OperandsOf(*call_));
    task = planned;
  } else {
    const auto nothing = []() -> Status { return {}; };
    task = MakeTask(TaskKind::kMark, op().phase_two, nothing);
  }
  const int code = anyaclEnqueue(stream, task);
  if (code != 0 && planned != nullptr) planned->Forget();
  if (code == 0 || Code(code) == code) return Replay(code);
  return Fail(Code(code), "the stream refused the task (error {}, see the next message)", code);
}

}  // namespace anyacl
