// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_
#define ANYACL_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnInplaceFfnWorkerScheduler: waits until attention workers have sent their tokens, and lists
// them.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   scheduleContextRef  INT8; [bytes]; contiguous; changed in place; the 1024 bytes of the schedule
//                       context; read when the task runs
//   syncGroupSize       sessions that are taken together; 1 to the number of sessions in the
//                       context
//   executeMode         0: run once
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: ffn/ffn_worker_scheduler/docs/aclnnInplaceFfnWorkerScheduler.md
ACLNN_API aclnnStatus aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(
    aclTensor* scheduleContextRef, int32_t syncGroupSize, int32_t executeMode,
    uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceFfnWorkerScheduler(
    void* workspace, uint64_t workspaceSize, aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_
