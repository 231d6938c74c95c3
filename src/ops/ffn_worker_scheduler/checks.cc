// SPDX-License-Identifier: Apache-2.0
// What phase 1 can know: the tensor and the attributes. What the context holds is checked when the
// task runs (context.cc).
#include "aclnn/opdev/op_errno.h"
#include "ops/ffn_worker_scheduler/op.h"

namespace anyacl::ffn_worker_scheduler {
namespace {

Status CheckTensor(Operands& operands) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  // The document says [1024]; longer tensors work upstream, and so here.
  constexpr auto kBytes = static_cast<int64_t>(sizeof(ScheduleContext));
  if (operands.Size("bytes") < kBytes) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected [{}]", operands.NameOf(kContext),
                operands[kContext].shape().ToString(), kBytes);
  }
  return operands.CheckStrides();
}

Status CheckAttributes(int32_t sync_group_size, int32_t execute_mode) {
  if (execute_mode != 0) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "executeMode is {}, expected 0 (run once)", execute_mode);
  }
  if (sync_group_size < 1) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "syncGroupSize is {}, expected 1 to the number of sessions in the context",
                sync_group_size);
  }
  return {};
}

}  // namespace

Status PrepareFfn(Operands& operands, PreparedCall* call) {
  const auto group_size = static_cast<int32_t>(operands.Int(kSyncGroupSize));
  if (Status s = CheckTensor(operands); !s.ok()) return s;
  if (Status s = CheckAttributes(group_size, static_cast<int32_t>(operands.Int(kExecuteMode)));
      !s.ok()) {
    return s;
  }
  call->kind = TaskKind::kPoll;
  call->plan = MakeFfnPlan(operands[kContext].layout->offset, group_size);
  return {};
}

Status PrepareAttention(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensor(operands); !s.ok()) return s;
  call->kind = TaskKind::kPoll;
  call->plan = MakeAttentionPlan(operands[kContext].layout->offset);
  return {};
}

}  // namespace anyacl::ffn_worker_scheduler
