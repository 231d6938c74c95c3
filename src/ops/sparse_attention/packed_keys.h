// SPDX-License-Identifier: Apache-2.0
// Keys in bytes: 512 INT8 numbers, 64 numbers of query's type (the rope), and an fp32 factor for
// each 128 of the former.
#pragma once

#include "ops/sparse_attention/sequences.h"

namespace anyacl::sparse_attention {

inline constexpr int64_t kPackedDim = 512, kPackedRope = 64, kPackedTile = 128;
inline constexpr int64_t kPackedBytes = kPackedDim + 2 * kPackedRope + 4 * kPackedDim / kPackedTile;
inline constexpr int64_t kUnpackedDim = kPackedDim + kPackedRope;

// What only one value has a meaning of.
Status CheckPacking(const Operands& operands);

// `count` keys, whose rows are told, in query's type, one behind the other.
void UnpackKeys(const SplitRows& keys, const Bindings& bindings, const int32_t* rows, int64_t count,
                aclDataType type, uint16_t* to);

}  // namespace anyacl::sparse_attention
