// SPDX-License-Identifier: Apache-2.0
// aclnnGroupedMatmulSwigluQuantWeightNZ: aclnnGroupedMatmulSwigluQuant for weights in FRACTAL_NZ
// order, whatever their format says.
#ifndef ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_H_
#define ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// First phase. As aclnnGroupedMatmulSwigluQuantGetWorkspaceSize, except for
//   weight        storage shape of rank 5; view shape of rank 5, or the logical [E, K, N]
//                 (INT32: [E, K, N/8]), of which the strides do not count
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* bias, const aclTensor* offset,
    const aclTensor* weightScale, const aclTensor* xScale, const aclTensor* groupList,
    aclTensor* output, aclTensor* outputScale, aclTensor* outputOffset, uint64_t* workspaceSize,
    aclOpExecutor** executor);

// Second phase: queues the operator.
ACLNN_API aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNZ(void* workspace, uint64_t workspaceSize,
                                                            aclOpExecutor* executor,
                                                            aclrtStream stream);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_GROUPED_MATMUL_SWIGLU_QUANT_WEIGHT_NZ_H_
