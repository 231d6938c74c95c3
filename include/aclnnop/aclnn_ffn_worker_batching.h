// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_FFN_WORKER_BATCHING_H_
#define ANYACL_ACLNNOP_ACLNN_FFN_WORKER_BATCHING_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnFfnWorkerBatching: the tokens that attention workers have sent, sorted by expert.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   scheduleContext  INT8; [bytes]; contiguous; the 1024 bytes of the schedule context; read when
//                    the task runs
//   expertNum        1 to 8192; experts of this worker: ids are below
//   maxOutShape      {A, BS, K, H}: sessions, tokens, rows of a token, columns; A <= 1024, K <= 64
//   tokenDtype       0 to 2; of the rows: 0 FLOAT16, 1 BFLOAT16, 2 INT8 with a FLOAT scale behind
//                    each row
//   needSchedule     0 to 1; 1: waits for the rows itself, as the scheduler does; 0: after the
//                    scheduler
//   layerNum         0 or more; at most expertNum; not used
//   y                FLOAT16, INT8, BF16; [Y H]; contiguous; output; rows by expert; those beyond
//                    actualTokenNum are left as they are
//   groupList        INT64; [expertNum 2]; contiguous; output; {expert, number of rows} of the
//                    experts that have any, then zeros
//   sessionIds       INT32; [Y]; contiguous; output
//   microBatchIds    INT32; [Y]; contiguous; output
//   tokenIds         INT32; [Y]; contiguous; output
//   expertOffsets    INT32; [Y]; contiguous; output; which of its token's rows each is
//   dynamicScale     FLOAT; [S]; contiguous; output; with tokenDtype 2 [Y]; else [Y] or empty, and
//                    not written
//   actualTokenNum   INT64; [1]; contiguous; output
//   161001  a required argument, workspaceSize or executor is null
//   161002  any other wrong argument
// CANN's document: ops-transformer: ffn/ffn_worker_batching/docs/aclnnFfnWorkerBatching.md
ACLNN_API aclnnStatus aclnnFfnWorkerBatchingGetWorkspaceSize(
    const aclTensor* scheduleContext, int64_t expertNum, const aclIntArray* maxOutShape,
    int64_t tokenDtype, int64_t needSchedule, int64_t layerNum, const aclTensor* y,
    const aclTensor* groupList, const aclTensor* sessionIds, const aclTensor* microBatchIds,
    const aclTensor* tokenIds, const aclTensor* expertOffsets, const aclTensor* dynamicScale,
    const aclTensor* actualTokenNum, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnFfnWorkerBatching(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_FFN_WORKER_BATCHING_H_
