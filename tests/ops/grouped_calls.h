// SPDX-License-Identifier: Apache-2.0
// First phases of the versions of aclnnGroupedMatmul that have factors of rows, under one
// signature.
#pragma once

#include "aclnnop/aclnn_grouped_matmul_v4.h"
#include "aclnnop/aclnn_grouped_matmul_v5.h"
#include "aclnnop/aclnn_grouped_matmul_weight_nz.h"

namespace anyacl::test::grouped {

// What a version lacks is left out.
struct Arguments {
  const aclTensorList *x = nullptr, *weight = nullptr, *bias = nullptr, *scale = nullptr,
                      *offset = nullptr, *antiquant_scale = nullptr, *antiquant_offset = nullptr,
                      *row_scale = nullptr;
  const aclTensor* list = nullptr;
  int64_t split = 2, type = 0, listing = 0, activation = 0;
  aclTensorList* out = nullptr;
  const aclIntArray* tuning = nullptr;
  int64_t group = 0;
  const aclTensorList* reserved = nullptr;
};

inline aclnnStatus V4(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return aclnnGroupedMatmulV4GetWorkspaceSize(
      a.x, a.weight, a.bias, a.scale, a.offset, a.antiquant_scale, a.antiquant_offset, a.row_scale,
      a.list, a.reserved, nullptr, nullptr, a.split, a.type, a.listing, a.activation, a.out,
      nullptr, nullptr, s, e);
}
inline aclnnStatus V5(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return aclnnGroupedMatmulV5GetWorkspaceSize(
      a.x, a.weight, a.bias, a.scale, a.offset, a.antiquant_scale, a.antiquant_offset, a.row_scale,
      a.list, a.reserved, nullptr, nullptr, a.split, a.type, a.listing, a.activation, a.tuning,
      a.out, nullptr, nullptr, s, e);
}
inline aclnnStatus Nz(const Arguments& a, uint64_t* s, aclOpExecutor** e) {
  return aclnnGroupedMatmulWeightNzGetWorkspaceSize(
      a.x, a.weight, a.bias, a.scale, a.offset, a.antiquant_scale, a.antiquant_offset, a.row_scale,
      a.list, a.reserved, nullptr, nullptr, a.split, a.type, a.listing, a.activation, a.tuning,
      a.group, a.out, nullptr, nullptr, s, e);
}

}  // namespace anyacl::test::grouped
