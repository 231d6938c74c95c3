// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_attention_worker_scheduler.h"
#include "aclnnop/aclnn_ffn_worker_scheduler.h"
#include "nnop/phases.h"
#include "ops/ffn_worker_scheduler/operators.h"

using namespace anyacl;
using anyacl::ffn_worker_scheduler::kOperators;

extern "C" {

aclnnStatus aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(
    aclTensor* scheduleContextRef, int32_t syncGroupSize, int32_t executeMode,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceFfnWorkerScheduler"),
                  {scheduleContextRef, syncGroupSize, executeMode}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceFfnWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                           aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceFfnWorkerScheduler").op, workspace,
                           workspaceSize, executor, stream);
}

aclnnStatus aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(
    aclTensor* scheduleContextRef, uint64_t* workspaceSize, aclOpExecutor** executor) {
  return PhaseOne(Find(kOperators, "aclnnInplaceAttentionWorkerScheduler"),
                  {scheduleContextRef}, workspaceSize, executor);
}

aclnnStatus aclnnInplaceAttentionWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                                 aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(Find(kOperators, "aclnnInplaceAttentionWorkerScheduler").op, workspace,
                           workspaceSize, executor, stream);
}
}
