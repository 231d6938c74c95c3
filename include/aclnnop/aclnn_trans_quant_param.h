// SPDX-License-Identifier: Apache-2.0
// Scales and offsets of INT8 results, in host memory.
#ifndef ANYACL_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_
#define ANYACL_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// The 64 bits in which products take a scale and an offset: the bits of the scale, bit 46, and in
// bits 37 to 45 the offset, rounded (ties away from 0) and held within -256 to 255. Runs at once.
//   scaleArray      scaleSize numbers
//   offsetArray     offsetSize numbers; null if that is 0
//   quantParam      the array that is made, for free(): as many as the longer of both, and unless
//                   that is 1 zeros behind them up to a multiple of 16. Without a scale bit 46 is
//                   0.
//   quantParamSize  how many
// 161001: quantParam or quantParamSize is null; 161002: scaleArray is null, scaleSize is 0, or one
// of offsetArray and offsetSize is without the other.
// CANN's document: ops-nn: quant/trans_quant_param/docs/aclnnTransQuantParam.md
ACLNN_API aclnnStatus aclnnTransQuantParam(const float* scaleArray, uint64_t scaleSize,
                                           const float* offsetArray, uint64_t offsetSize,
                                           uint64_t** quantParam, uint64_t* quantParamSize);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ACLNNOP_ACLNN_TRANS_QUANT_PARAM_H_
