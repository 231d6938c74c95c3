// SPDX-License-Identifier: Apache-2.0
// What keyCache and valueCache are: blocks of rows, [blocks, blockSize, Nk, D], or rows in pieces,
// [blocks, H/C, blockSize, C], C numbers of kPieceBytes.
#pragma once

#include "nnop/operands.h"
#include "ops/atb/operators.h"

namespace anyacl::atb_operations {

inline constexpr int64_t kPieceBytes = 32;

// The dimension that counts a block's rows.
inline int RowDim(const Operands& operands) { return operands.Flag(kInPieces) ? 2 : 1; }

inline Status CheckSameBlocks(const Operands& operands) {
  const auto row = static_cast<size_t>(RowDim(operands));
  const Dims& keys = operands[kKeyCache].shape();
  const Dims& values = operands[kValueCache].shape();
  if (keys[0] == values[0] && keys[row] == values[row]) return {};
  return Fail(
      operands.spec().codes.shape,
      "valueCache.shape = {}, expected as many blocks of as many rows as keyCache.shape = {}",
      values.ToString(), keys.ToString());
}

}  // namespace anyacl::atb_operations
