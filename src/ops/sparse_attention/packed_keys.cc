// SPDX-License-Identifier: Apache-2.0
#include "ops/sparse_attention/packed_keys.h"

#include <cstring>

#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::sparse_attention {

Status CheckPacking(const Operands& operands) {
  for (const auto& [id, expected] : {std::pair{kKeyQuantMode, int64_t{2}},
                                     {kValueQuantMode, int64_t{2}},
                                     {kScaleRepository, int64_t{1}},
                                     {kTileSize, kPackedTile},
                                     {kRopeSize, kPackedRope}}) {
    if (operands.Int(id) == expected) continue;
    return Fail(operands.spec().codes.shape, "{} = {}, expected {}", operands.NameOf(id),
                operands.Int(id), expected);
  }
  return {};
}

void UnpackKeys(const SplitRows& keys, const Bindings& bindings, const int32_t* rows, int64_t count,
                aclDataType type, uint16_t* to) {
  constexpr int64_t kWorth = 1 << 5;  // keys: 5 us
  ParallelFor(count, kWorth, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; ++k) {
      const char* const from = RowAt(keys, bindings, rows[k], 0);
      uint16_t* const row = to + k * kUnpackedDim;
      float numbers[kPackedTile];
      for (int64_t tile = 0; tile < kPackedDim / kPackedTile; ++tile) {
        float factor = 0;
        std::memcpy(&factor, from + kPackedDim + 2 * kPackedRope + 4 * tile, sizeof(factor));
        blocks::LoadRow(ACL_INT8, from + tile * kPackedTile, 1, kPackedTile, numbers);
        for (float& number : numbers) number *= factor;
        blocks::StoreRow(numbers, kPackedTile, type,
                         reinterpret_cast<char*>(row + tile * kPackedTile), 1);
      }
      std::memcpy(row + kPackedDim, from + kPackedDim, 2 * kPackedRope);
    }
  });
}

}  // namespace anyacl::sparse_attention
