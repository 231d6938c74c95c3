// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADVANCE_STEP_V2_H_
#define ANYACL_ACLNNOP_ACLNN_ADVANCE_STEP_V2_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAdvanceStepV2: inputPositions += acceptedNum + 1, seqLens = inputPositions + 1,
// inputTokens[i] = the last of sampledTokenIds[i], then specToken[i], slotMapping = blockTables[i,
// inputPositions / blockSize] * blockSize + inputPositions % blockSize.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   inputTokens      INT64; [E] or [numSeqs P]; changed in place; E = numSeqs * P
//   sampledTokenIds  INT64; [numSeqs P]; -1 behind the last token
//   inputPositions   INT64; [E] or [numSeqs P]; changed in place
//   seqLens          INT64; [E] or [numSeqs P]; changed in place
//   slotMapping      INT64; [E] or [numSeqs P]; changed in place
//   blockTables      INT64; [numSeqs M]
//   specToken        INT64; [numSeqs K]; K = P - 1
//   acceptedNum      INT64; [numSeqs]
//   numSeqs          1 or more
//   numQueries       1 or more; numSeqs
//   blockSize        1 or more
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: optim/advance_step/docs/aclnnAdvanceStepV2.md
ACLNN_API aclnnStatus aclnnAdvanceStepV2GetWorkspaceSize(
    const aclTensor* inputTokens, const aclTensor* sampledTokenIds, const aclTensor* inputPositions,
    const aclTensor* seqLens, const aclTensor* slotMapping, const aclTensor* blockTables,
    const aclTensor* specToken, const aclTensor* acceptedNum, int64_t numSeqs, int64_t numQueries,
    int64_t blockSize, uint64_t* workspaceSize, aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAdvanceStepV2(void* workspace, uint64_t workspaceSize,
                                         aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADVANCE_STEP_V2_H_
