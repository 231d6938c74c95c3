// SPDX-License-Identifier: Apache-2.0
// aclnnInplaceAttentionWorkerScheduler: waits until the FFN workers have returned every row of the
// next micro batch to an attention worker.
#ifndef ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_
#define ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   scheduleContextRef  INT8 [1024]: the schedule context, read and written in place
//   161001  scheduleContextRef, workspaceSize or executor null
//   161002  any other wrong argument
ACLNN_API aclnnStatus aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize(
    aclTensor* scheduleContextRef, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. What is wrong inside the context shows when the stream is
// synchronised (507018), as does a wait beyond aclrtSetOpExecuteTimeOut (507017). 161001: executor
// null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceAttentionWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                                           aclOpExecutor* executor,
                                                           aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_SCHEDULER_H_
