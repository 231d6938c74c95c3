// SPDX-License-Identifier: Apache-2.0
// aclnnInplaceFfnWorkerScheduler: waits until the attention workers of a group have delivered their
// tokens and sorts them out for the FFN worker.
#ifndef ANYACL_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_
#define ANYACL_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   scheduleContextRef  INT8 [1024]: the schedule context, read and written in place
//   syncGroupSize       sessions per group; divides the number of sessions
//   executeMode         0: run once
//   161001  scheduleContextRef, workspaceSize or executor null
//   161002  any other wrong argument
ACLNN_API aclnnStatus aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize(aclTensor* scheduleContextRef,
                                                                     int32_t syncGroupSize,
                                                                     int32_t executeMode,
                                                                     uint64_t* workspaceSize,
                                                                     aclOpExecutor** executor);

// Second phase: queues the operator. What is wrong inside the context shows when the stream is
// synchronised (507018), as does a wait beyond aclrtSetOpExecuteTimeOut (507017). The call ends
// with success and takes nothing once the context's run_flag is 0. 161001: executor null, or
// workspace null where one is needed.
ACLNN_API aclnnStatus aclnnInplaceFfnWorkerScheduler(void* workspace, uint64_t workspaceSize,
                                                     aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FFN_WORKER_SCHEDULER_H_
