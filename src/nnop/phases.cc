// SPDX-License-Identifier: Apache-2.0
#include "nnop/phases.h"

#include <algorithm>

#include "base/entry.h"
#include "nnop/workspace.h"

namespace anyacl {
namespace {

Status CheckOutPointers(uint64_t* workspace_size, aclOpExecutor** executor) {
  if (workspace_size != nullptr) *workspace_size = 0;
  if (executor != nullptr) *executor = nullptr;
  if (workspace_size == nullptr) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "workspaceSize is null, expected an address");
  }
  if (executor == nullptr) {
    return Fail(ACLNN_ERR_PARAM_NULLPTR, "executor is null, expected an address");
  }
  return {};
}

aclnnStatus RunPhase(const char* name, PrepareFunction prepare,
                     decltype(anyaclMakeExecutor)* make_executor, const OpSpec& spec,
                     std::span<const Argument> arguments, uint64_t* workspace_size,
                     aclOpExecutor** executor) {
  return Entry(name, [&]() -> Status {
    if (Status s = CheckOutPointers(workspace_size, executor); !s.ok()) return s;
    auto call = std::make_shared<PreparedCall>();
    if (Status s = PrepareCall(spec, prepare, arguments, call.get()); !s.ok()) return s;
    *workspace_size = call->workspace_size;
    *executor = make_executor(std::move(call));
    return {};
  });
}

bool MayHavePanels(const OpSpec& spec) {
  const auto have = [](std::span<const ParamSpec> rows) {
    return std::ranges::any_of(rows,
                               [](const ParamSpec& row) { return row.formats != Formats::kPlain; });
  };
  return have(spec.params) || std::ranges::any_of(spec.variants, [&](const TableVariant& variant) {
           return have(variant.params);
         });
}

}  // namespace

Status PrepareCall(const OpSpec& spec, PrepareFunction prepare, std::span<const Argument> arguments,
                   PreparedCall* call) {
  Operands operands(spec, arguments);
  if (Status s = operands.Resolve(); !s.ok()) return s;
  call->op = &spec.op;
  if (Status s = prepare(operands, call); !s.ok()) return s;
  call->slots = operands.Slots();
  call->is_small = operands.HasAtMost(kSmallCall);
  call->may_have_panels = MayHavePanels(spec);
  if (call->plan != nullptr) {
    call->workspace_size = std::max(call->workspace_size, call->plan->workspace_size());
  }
  return CheckWorkspace(call->workspace_size, spec.codes.shape);
}

aclnnStatus PhaseOne(const OpSpec& spec, std::span<const Argument> arguments,
                     uint64_t* workspace_size, aclOpExecutor** executor) {
  const aclnnStatus code = RunPhase(spec.op.phase_one, spec.prepare, anyaclEndPhaseOne, spec,
                                    arguments, workspace_size, executor);
  if (code != ACL_SUCCESS) anyaclEndPhaseOne(nullptr);
  return code;
}

aclnnStatus PhaseMost(const OpSpec& spec, std::initializer_list<Argument> arguments,
                      uint64_t* workspace_size, aclOpExecutor** executor) {
  return RunPhase(spec.phase_most, spec.prepare_most, anyaclMakeExecutor, spec,
                  std::span(arguments.begin(), arguments.size()), workspace_size, executor);
}

}  // namespace anyacl
