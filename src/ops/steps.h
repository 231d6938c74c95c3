// SPDX-License-Identifier: Apache-2.0
// A fused operator as steps, one after the other in one task, of all ranks where it has some: calls
// of other operators and collectives, on tensors of the call and pieces of the workspace.
#pragma once

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "nnop/view.h"
#include "ops/inner_call.h"
#include "runtime/rank_group.h"

namespace anyacl {

class StepsPlan final : public BookedPlan {
 public:
  using Step = std::function<Status(const Bindings&, char* scratch, const StopToken&)>;

  Status Run(const Bindings& bindings, const StopToken& stop) const override;

 private:
  friend class Steps;
  std::vector<Step> steps_;
  WorkspaceSlot<char> scratch_;
};

// Phase 1 of a fused operator: what is called on it becomes a step.
class Steps {
 public:
  explicit Steps(Operands& operands, uint32_t ranks = 1)
      : operands_(operands), ranks_(ranks), plan_(std::make_shared<StepsPlan>()) {}

  // A piece of the workspace; `name` is for messages. One that no address space holds has no
  // elements, and the next Call or Finish fails.
  InnerTensor Piece(const char* name, aclDataType dtype, const Dims& shape);
  // An input as rows of this shape, which follow each other: itself, or a copy.
  Status Contiguous(int id, const Dims& shape, InnerTensor* tensor);
  // The same of an output; Finish copies it to where it belongs.
  InnerTensor Result(int id, const Dims& shape);
  // An input whose elements have this type and follow each other: itself, or a copy.
  Status ContiguousAs(int id, aclDataType dtype, InnerTensor* tensor);
  // The same of an output; Finish converts it to where it belongs.
  InnerTensor ContiguousResultAs(int id, aclDataType dtype);
  // An output if it has this type, else a piece that Finish converts to it.
  InnerTensor ResultAs(int id, aclDataType dtype);
  // An input as it is. Of one in panels (FRACTAL_NZ) the launch then checks the storage.
  InnerTensor Weight(int id);

  Status Call(const char* api, std::initializer_list<InnerArgument> arguments);
  Status Copy(const InnerTensor& to, const InnerTensor& from) {
    return Call("aclnnInplaceCopy", {to, from});
  }
  // All tensors are contiguous.
  void AllGather(const InnerTensor& from, const InnerTensor& to);
  void AllReduce(const InnerTensor& tensor);
  // The own one of as many parts as there are ranks.
  void ReduceScatter(const InnerTensor& from, const InnerTensor& to);
  // Part i of `from` becomes the own part of rank i's `to`.
  void AllToAll(const InnerTensor& from, const InnerTensor& to);
  // `scratch_bytes` is what the step's scratch has at least.
  void Add(StepsPlan::Step step, uint64_t scratch_bytes = 0) {
    scratch_bytes_ = std::max(scratch_bytes_, scratch_bytes);
    plan_->steps_.push_back(std::move(step));
  }

  Status Finish(PreparedCall* call) { return Finish(nullptr, {}, call); }
  // `alike`: what all ranks must pass alike, in words.
  Status Finish(std::shared_ptr<RankGroup> group, std::string alike, PreparedCall* call);

 private:
  // In place of a result, which Finish converts it to.
  InnerTensor PieceFor(const InnerTensor& result, aclDataType dtype);

  Operands& operands_;
  const uint32_t ranks_;
  const std::shared_ptr<StepsPlan> plan_;
  Status status_;  // of pieces; Call and Finish tell it
  uint64_t scratch_bytes_ = 0;
  struct CopyOut {
    InnerTensor to, from;
  };
  std::vector<CopyOut> results_;
};

// A plan that is a step: its slots are the tensors, of the call or pieces, that it was shown.
class PlanStep {
 public:
  // For the plan's parameters; an absent view if the tensor is not given.
  TensorView View(const InnerTensor& tensor);
  void AddTo(Steps& steps, std::shared_ptr<const Plan> plan) const;

 private:
  std::vector<InnerTensor> tensors_;
};

}  // namespace anyacl
