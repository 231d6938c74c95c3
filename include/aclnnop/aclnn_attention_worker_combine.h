// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_COMBINE_H_
#define ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_COMBINE_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAttentionWorkerCombine: y[t] = sum of expertScales[t][j] * row[t][j], and of the shared
// experts' rows.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   scheduleContext  INT8; [bytes]; contiguous; the 1024 bytes of the schedule context; read when
//                    the task runs
//   expertScales     FLOAT; [BS K]; contiguous
//   layerId          INT32; [1]; contiguous
//   hiddenSize       1 or more; columns of a row
//   tokenDtype       0 to 1; of the rows: 0 FLOAT16, 1 BFLOAT16
//   needSchedule     0 to 1; 1: waits for the rows itself, as the scheduler does; 0: after the
//                    scheduler
//   y                FLOAT16, BF16; [BS hiddenSize]; contiguous; output
//   nextLayerId      INT32; [1]; contiguous; output; layerId + 1
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer:
// attention/attention_worker_combine/docs/aclnnAttentionWorkerCombine.md
ACLNN_API aclnnStatus aclnnAttentionWorkerCombineGetWorkspaceSize(
    const aclTensor* scheduleContext, const aclTensor* expertScales, const aclTensor* layerId,
    int64_t hiddenSize, int64_t tokenDtype, int64_t needSchedule, const aclTensor* y,
    const aclTensor* nextLayerId, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAttentionWorkerCombine(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ATTENTION_WORKER_COMBINE_H_
