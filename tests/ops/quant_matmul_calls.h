// SPDX-License-Identifier: Apache-2.0
// First phases of the versions of aclnnQuantMatmul, under one signature.
#pragma once

#include "aclnnop/aclnn_quant_matmul_v3.h"
#include "aclnnop/aclnn_quant_matmul_v4.h"
#include "aclnnop/aclnn_quant_matmul_v5.h"
#include "aclnnop/aclnn_quant_matmul_weight_nz.h"

namespace anyacl::test::quant_matmul {

// What a version lacks is left out.
struct Arguments {
  const aclTensor *x = nullptr, *weight = nullptr, *scale = nullptr, *offset = nullptr,
                  *row_scale = nullptr, *bias = nullptr;
  bool turn_x = false, turn_weight = false;
  aclTensor* out = nullptr;
  const aclTensor *out_scale = nullptr, *x_offset = nullptr, *out_offset = nullptr;
  int64_t group = 0;
};

inline aclnnStatus V3(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return aclnnQuantMatmulV3GetWorkspaceSize(a.x, a.weight, a.scale, a.offset, a.bias, a.turn_x,
                                            a.turn_weight, a.out, s, e);
}
inline aclnnStatus V4(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return aclnnQuantMatmulV4GetWorkspaceSize(a.x, a.weight, a.scale, a.offset, a.row_scale, a.bias,
                                            a.turn_x, a.turn_weight, a.out, s, e);
}
inline aclnnStatus V5(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return aclnnQuantMatmulV5GetWorkspaceSize(a.x, a.weight, a.row_scale, a.scale, a.out_scale,
                                            a.x_offset, a.offset, a.out_offset, a.bias, a.turn_x,
                                            a.turn_weight, a.group, a.out, s, e);
}
inline aclnnStatus WeightNz(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return aclnnQuantMatmulWeightNzGetWorkspaceSize(a.x, a.weight, a.row_scale, a.scale, a.out_scale,
                                                  a.x_offset, a.offset, a.out_offset, a.bias,
                                                  a.turn_x, a.turn_weight, a.group, a.out, s, e);
}

}  // namespace anyacl::test::quant_matmul
