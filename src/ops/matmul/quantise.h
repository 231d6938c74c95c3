// SPDX-License-Identifier: Apache-2.0
// INT8 results of products: y = v * scale + offset in fp32, each step rounded, then the nearest
// whole number, ties to even, within -128 to 127. Scales are UINT64 or INT64: fp32 in the lower
// half, and in bits 37 to 45 a whole number from -256 to 255, the offset.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/element.h"
#include "nnop/view.h"

namespace anyacl::matmul {

// What aclnnTransQuantParamV2 makes: the highest 19 bits of the scale, a bit that is always set,
// and the offset, rounded and held within -256 to 255.
inline constexpr uint64_t kScaleBits = 0xFFFFE000, kParameterBit = uint64_t{1} << 46;
inline constexpr int kOffsetBit = 37, kOffsetBits = 9;
inline constexpr uint64_t kOffsetMask = (uint64_t{1} << kOffsetBits) - 1;
uint64_t QuantParameter(float scale);
uint64_t QuantParameter(float scale, float offset);

// Rows of sums that wait for it, in bytes.
inline constexpr int64_t kSumBytes = int64_t{16} << 20;

// As many rows as have room, 256 at the least: a block of the engine's.
constexpr int64_t SumRows(int64_t rows, int64_t columns) {
  return std::min(rows, std::max<int64_t>(256, kSumBytes / (4 * std::max<int64_t>(1, columns))));
}

// Of each of `count` columns, from a tensor of so many elements or of one for all. Offsets that are
// given replace those within the scales.
void ReadQuantParameters(const Bindings& bindings, const TensorView& scale,
                         const TensorView& offset, int64_t count, float* scales, float* offsets);

struct QuantArgs {
  Element type;  // of the sums: fp32 or int32, in contiguous rows
  const char* sums;
  int64_t rows;
  int64_t columns;
  const float* scales;
  const float* offsets;
  char* y;
  int64_t row_step;
  int64_t column_step;
};
void Quantise(const QuantArgs& args);

}  // namespace anyacl::matmul
