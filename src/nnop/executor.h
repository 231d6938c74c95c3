// SPDX-License-Identifier: Apache-2.0
// What phase 1 leaves for phase 2: a plan without addresses, and the tensors whose addresses are
// looked up when phase 2 is called.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "aclnn/acl_meta.h"
#include "nnop/objects.h"
#include "runtime/rank_group.h"
#include "runtime/task.h"

namespace anyacl {

// One per exported operator; its address identifies the operator.
struct OpInfo {
  const char* phase_one;  // the exported names
  const char* phase_two;
  // The code of every failure that phase 2 detects in the call; 0: each failure's own code.
  int phase_two_code = 0;
};

// The addresses of one run, in the order of PreparedCall::slots; null for an absent tensor.
struct Bindings {
  std::span<char* const> data;
  char* workspace = nullptr;         // aligned to kWorkspaceAlignment
  RankCollectives* ranks = nullptr;  // of a call with a group
};

inline constexpr size_t kWorkspaceAlignment = 128;

// A validated problem, ready to run any number of times. Immutable: runs may overlap.
class Plan {
 public:
  virtual ~Plan() = default;
  // A problem that phase 1 must accept by the documentation, but that cannot run.
  virtual Status CheckRunnable() const { return {}; }
  // In bytes, with room to align whatever address the client brings.
  virtual uint64_t workspace_size() const { return 0; }
  virtual Status Run(const Bindings& bindings, const StopToken& stop) const = 0;
};

// One tensor of a call.
struct Slot {
  const char* parameter = "";
  bool is_output = false;
  size_t list_index = 0;           // within a tensor list
  std::shared_ptr<Tensor> tensor;  // null: absent
  // The bytes its elements occupy, relative to the tensor's address; equal if it has none.
  int64_t begin = 0;
  int64_t end = 0;
  size_t alignment = 1;  // of the element type
};

struct PreparedCall {
  const OpInfo* op = nullptr;
  std::vector<Slot> slots;           // in the order of the operator's parameters
  std::shared_ptr<const Plan> plan;  // null: there is nothing to compute
  TaskKind kind = TaskKind::kCompute;
  bool is_small = false;  // so few elements that a thread runs it sooner than it hands it over
  bool may_have_panels = false;  // the operator takes tensors in panels beside plain ones
  uint64_t workspace_size = 0;
  // The ranks that run the call together, if it is not this one's alone, and what all of them must
  // pass alike.
  std::shared_ptr<RankGroup> group;
  std::shared_ptr<RankGroup> beside;  // a second one: of ranks that are a grid, the other direction
  std::string alike;
};

class Executor {
 public:
  // With the addresses that the call's tensors have when it is launched.
  explicit Executor(std::shared_ptr<const PreparedCall> call) : call_(std::move(call)) {}
  // With others: one for each tensor that the call has, in their order.
  Executor(std::shared_ptr<const PreparedCall> call, std::span<void* const> addresses);

  const OpInfo& op() const { return *call_->op; }
  uint64_t workspace_size() const { return call_->workspace_size; }
  bool repeatable() const { return repeatable_.load(std::memory_order_acquire); }
  void set_repeatable() { repeatable_.store(true, std::memory_order_release); }

  // Which of the call's tensors an index counts.
  enum class Among { kAll, kInputs, kOutputs };
  // Makes later runs use `address` for a tensor, and stores it in `tensor`, as documented.
  Status SetAddress(Among among, size_t index, size_t list_index,
                    const std::shared_ptr<Tensor>& tensor, void* address);

  Status Launch(void* workspace, uint64_t workspace_size, aclrtStream stream);

 private:
  int Code(int code) const { return op().phase_two_code != 0 ? op().phase_two_code : code; }
  Status Bind(std::vector<char*>* data) const;
  Status CheckAddress(const Slot& slot, const char* data) const;

  mutable std::mutex mutex_;
  const std::shared_ptr<const PreparedCall> call_;
  // By slot, addresses that did not come from the tensor; empty: all did.
  std::vector<std::optional<void*>> replaced_;
  std::atomic<bool> repeatable_{false};
};

// A handle of it, until it is used up or destroyed.
aclOpExecutor* AddExecutor(std::shared_ptr<Executor> executor);

}  // namespace anyacl
