// SPDX-License-Identifier: Apache-2.0
#include "ops/blocks/int4_rows.h"

#include <algorithm>

#include "base/element_width.h"
#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"

namespace anyacl::blocks {
namespace {

// Four bits with their sign.
float NumberOf(uint32_t bits) { return static_cast<float>(static_cast<int>((bits & 15) ^ 8) - 8); }

}  // namespace

void LoadIntegers(const TensorView& view, const char* data, int64_t at, int64_t count, float* to) {
  const int64_t step = view.rank > 0 ? view.strides[view.rank - 1] : 1;
  if (view.dtype == ACL_INT8) {
    return LoadRow(ACL_INT8, data + view.OffsetOf(at), step, count, to);
  }
  if (view.dtype == ACL_INT4) {
    for (int64_t i = 0; i < count; i += 2) {
      const auto byte = static_cast<uint8_t>(data[(at + i) / 2]);
      to[i] = NumberOf(byte);
      to[i + 1] = NumberOf(byte >> 4);
    }
    return;
  }
  const char* const words = data + view.OffsetOf(at / kPerInt32) * 4;
  for (int64_t i = 0; i < count; i += kPerInt32) {
    const auto word = LoadElement<uint32_t>(words + i / kPerInt32 * step * 4);
    for (int64_t k = 0; k < kPerInt32; ++k) to[i + k] = NumberOf(word >> (4 * k));
  }
}

void StoreIntegers(const float* from, int64_t count, const TensorView& view, char* data,
                   int64_t at) {
  const int64_t step = view.rank > 0 ? view.strides[view.rank - 1] : 1;
  if (view.dtype == ACL_INT8) {
    return StoreRow(from, count, ACL_INT8, data + view.OffsetOf(at), step);
  }
  alignas(64) int8_t held[kMostIntegers];
  StoreRow(from, count, ACL_INT8, reinterpret_cast<char*>(held), 1);
  const auto pair = [&](int64_t i) {
    const int low = std::clamp<int>(held[i], -8, 7), high = std::clamp<int>(held[i + 1], -8, 7);
    return static_cast<uint8_t>((low & 15) | (high & 15) << 4);
  };
  if (view.dtype == ACL_INT4) {
    for (int64_t i = 0; i < count; i += 2) data[(at + i) / 2] = static_cast<char>(pair(i));
    return;
  }
  char* const words = data + view.OffsetOf(at / kPerInt32) * 4;
  for (int64_t i = 0; i < count; i += kPerInt32) {
    uint32_t word = 0;
    for (int64_t k = 0; k < kPerInt32; k += 2) {
      word |= static_cast<uint32_t>(pair(i + k)) << (4 * k);
    }
    StoreElement(words + i / kPerInt32 * step * 4, word);
  }
}

}  // namespace anyacl::blocks
