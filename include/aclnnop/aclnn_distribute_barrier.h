// SPDX-License-Identifier: Apache-2.0
// Made from the operators' declarations by the target update_operator_files.
// clang-format off
#ifndef ANYACL_ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_H_
#define ANYACL_ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_H_

#ifdef __cplusplus
#include <array>
#endif

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// aclnnDistributeBarrier: nobody is through before all ranks are there; xRef is left as it is.
// First phase: checks the arguments, tells the workspace in bytes and creates the executor.
//   xRef       FLOAT, FLOAT16, INT8, INT32, UINT8, INT16, UINT16, UINT32, INT64, UINT64, BOOL,
//              BF16; any shape; changed in place; left as it is
//   group      the communicator's name, 1 to 127 bytes
//   worldSize  1 to 4096; ranks of the communicator
//   161001  a required argument, workspaceSize or executor is null
//   161002  a data type
//   561002  any other wrong argument
// CANN's document: ops-transformer: mc2/distribute_barrier/docs/aclnnDistributeBarrier.md
ACLNN_API aclnnStatus aclnnDistributeBarrierGetWorkspaceSize(
    aclTensor* xRef, const char* group, int64_t worldSize, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator. 161001: executor null, or workspace null where one is needed.
ACLNN_API aclnnStatus aclnnDistributeBarrier(void* workspace, uint64_t workspaceSize,
                                             aclOpExecutor* executor, aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_DISTRIBUTE_BARRIER_H_
