// SPDX-License-Identifier: Apache-2.0
// aclnnInplaceFfnWorkerScheduler and aclnnInplaceAttentionWorkerScheduler.
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "nnop/phases.h"
#include "ops/ffn_worker_scheduler/op.h"

using namespace anyacl;
using namespace anyacl::ffn_worker_scheduler;

extern "C" {

aclnnStatus aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(aclTensor* scheduleContextRef,
                                                           int32_t syncGroupSize,
                                                           int32_t executeMode,
                                                           uint64_t* workspaceSize,
                                                           aclOpExecutor** executor) {
  return PhaseOne(*kFfnSpec.op, workspaceSize, executor, [&](PreparedCall& call) -> Status {
    Operands operands(kFfnSpec);
    if (Status s = CheckTensor(scheduleContextRef, operands); !s.ok()) return s;
    if (Status s = CheckAttributes(syncGroupSize, executeMode); !s.ok()) return s;
    call.slots = operands.Slots();
    call.kind = TaskKind::kPoll;
    call.plan = MakeFfnPlan(operands[kContext].layout->offset, syncGroupSize);
    return {};
  });
}

aclnnStatus aclnnInplaceFfnWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(*kFfnSpec.op, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(aclTensor* scheduleContextRef,
                                                                 uint64_t* workspaceSize,
                                                                 aclOpExecutor** executor) {
  return PhaseOne(*kAttentionSpec.op, workspaceSize, executor, [&](PreparedCall& call) -> Status {
    Operands operands(kAttentionSpec);
    if (Status s = CheckTensor(scheduleContextRef, operands); !s.ok()) return s;
    call.slots = operands.Slots();
    call.kind = TaskKind::kPoll;
    call.plan = MakeAttentionPlan(operands[kContext].layout->offset);
    return {};
  });
}

aclnnStatus aclnnInplaceAttentionWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(*kAttentionSpec.op, workspace, workspaceSize, executor, stream);
}
}
