// SPDX-License-Identifier: Apache-2.0
// Weights into the order FRACTAL_NZ and back: what CANN's format cast does for the weights of
// aclnnGroupedMatmulSwigluQuant. An extension of anyacl.
//
// A matrix [K, N] becomes panels of 32 bytes of columns, which are 32 INT8 or 64 INT4; a panel
// holds all K rows of its columns, one behind the other:
//   INT8   [K, N] -> [N/32, K/16, 16, 32]      INT4   [K, N] -> [N/64, K/16, 16, 64]
// Element (k, n) of INT8 lies at byte n / 32 * (32 * K) + k * 32 + n % 32. INT4 lie two in a byte,
// the first in the low half, before and after; eight in an INT32 are the same bytes.
#ifndef ANYACL_ANYACL_WEIGHT_NZ_H_
#define ANYACL_ANYACL_WEIGHT_NZ_H_

#include <stdint.h>

#include "aclnn/aclnn_base.h"
#include "aclnnop/aclnn_util.h"

#ifdef __cplusplus
extern "C" {
#endif

// Packs `experts` matrices [K, N] of row-major weights, one behind the other.
//   dtype    ACL_INT8, ACL_INT4, or ACL_INT32 for words of eight INT4
//   k, n     of the weights: for ACL_INT32, n is eight times the words of a row. k is a multiple of
//            16, n one of 32 (ACL_INT8) or 64
//   nd, nz   experts * k * n weights each, not overlapping; host or device memory
// Returns 0; 161001: an address is null; 161002: anything else that is wrong.
ACLNN_API aclnnStatus anyaclPackWeightNz(const void* nd, void* nz, int64_t experts, int64_t k,
                                         int64_t n, aclDataType dtype);

// The way back.
ACLNN_API aclnnStatus anyaclUnpackWeightNz(const void* nz, void* nd, int64_t experts, int64_t k,
                                           int64_t n, aclDataType dtype);

#ifdef __cplusplus
}
#endif

#endif  // ANYACL_ANYACL_WEIGHT_NZ_H_
