// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_ADVANCE_STEP_H_
#define ANYACL_ACLNNOP_ACLNN_ADVANCE_STEP_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnAdvanceStep: inputTokens = sampledTokenIds, inputPositions = seqLens, seqLens += 1,
// slotMapping[i] = (blockTables of inputPositions[i] / blockSize + M * i) * blockSize +
// inputPositions[i] % blockSize.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   inputTokens      INT64; [numSeqs]; changed in place
//   sampledTokenIds  INT64; [numQueries 1]
//   inputPositions   INT64; [numSeqs]; changed in place
//   seqLens          INT64; [numSeqs]; changed in place
//   slotMapping      INT64; [numSeqs]; changed in place
//   blockTables      INT64; [numSeqs M]
//   numSeqs          1 to 199999999; more than numQueries
//   numQueries       1 or more
//   blockSize        1 or more
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   161002  a format
//   561002  any other wrong argument
// CANN's document: ops-nn: optim/advance_step/docs/aclnnAdvanceStep.md
ACLNN_API aclnnStatus aclnnAdvanceStepGetWorkspaceSize(
    const aclTensor* inputTokens, const aclTensor* sampledTokenIds, const aclTensor* inputPositions,
    const aclTensor* seqLens, const aclTensor* slotMapping, const aclTensor* blockTables,
    int64_t numSeqs, int64_t numQueries, int64_t blockSize, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnAdvanceStep(void* workspace, uint64_t workspaceSize,
                                       aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_ADVANCE_STEP_H_
