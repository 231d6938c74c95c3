// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_
#define ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceAttentionWorkerScheduler: waits until the FFN workers have returned a micro batch.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   scheduleContextRef  INT8; [bytes]; contiguous; changed in place; the 1024 bytes of the schedule
//                       context; read when the task runs
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/attention_worker_scheduler/docs/aclnnInplaceAttentionWorkerScheduler.md
ACLNN_API aclnnStatus aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(
    aclTensor* scheduleContextRef, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceAttentionWorkerScheduler(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_
