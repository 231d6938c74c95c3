// SPDX-License-Identifier: Apache-2.0
// Into the arithmetic's types, and out of them.
#include "attention/kernel.h"
#include "attention/kernel_sources.h"
#include "base/division.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {

using attention::kPartialHead;
using attention::MergeRow;
using attention::OutRow;

namespace {

constexpr int kUnit = static_cast<int>(kLanes);

template <Element kSource>
void ConvertRow(const char* row, int dim, float* out) {
  int d = 0;
  for (; d + kUnit <= dim; d += kUnit) {
    Store(out + d, Load16<kSource>(row, static_cast<size_t>(d)));
  }
  if (d < dim) {
    Store(out + d, Load16<kSource>(row, static_cast<size_t>(d), static_cast<size_t>(dim - d)));
  }
}

VecF32 ResultOf(const OutRow& row, int d, size_t n) {
  VecF32 x = Div(Add(Load(row.o + d, n), SetF32(row.extra)), SetF32(row.l));
  if (row.value_offset != nullptr) x = Add(x, Load(row.value_offset + d, n));
  if (row.value_scale != nullptr) x = Mul(x, Load(row.value_scale + d, n));
  return x;
}

void WriteInt8(const OutRow& row, int d, size_t n, VecF32 x) {
  const VecF32 scaled = Add(Mul(x, Load(row.out_scale + d, n)), Load(row.out_offset + d, n));
  // NaN becomes 0; the bounds keep the conversion within its range.
  const VecF32 number = Select(Equal(scaled, scaled), scaled, SetF32(0.0f));
  const VecI32 rounded = RoundToI32(Clamp(number, -128.0f, 127.0f));
  if (row.step == 1) {
    StoreI8(static_cast<int8_t*>(row.out) + d, rounded, n);
    return;
  }
  int8_t lanes[kLanes];
  StoreI8(lanes, rounded);
  for (size_t i = 0; i < n; ++i) {
    static_cast<int8_t*>(row.out)[(d + static_cast<int64_t>(i)) * row.step] = lanes[i];
  }
}

void WriteHalf(const OutRow& row, Element target, int d, size_t n, VecF32 x) {
  auto* out = static_cast<uint16_t*>(row.out);
  if (row.step == 1) {
    target == Element::kFp16 ? StoreFp16(out + d, x, n) : StoreBf16(out + d, x, n);
    return;
  }
  uint16_t lanes[kLanes];
  target == Element::kFp16 ? StoreFp16(lanes, x) : StoreBf16(lanes, x);
  for (size_t i = 0; i < n; ++i) out[(d + static_cast<int64_t>(i)) * row.step] = lanes[i];
}

void WriteFloat(const OutRow& row, int d, size_t n, VecF32 x) {
  auto* out = static_cast<float*>(row.out);
  if (row.step == 1) return Store(out + d, x, n);
  float lanes[kLanes];
  Store(lanes, x);
  for (size_t i = 0; i < n; ++i) out[(d + static_cast<int64_t>(i)) * row.step] = lanes[i];
}

}  // namespace

void AttentionToFloat(Element source, const char* row, int dim, float* out) {
  WithSource(source, [&](auto tag) { ConvertRow<decltype(tag)::kValue>(row, dim, out); });
}

void AttentionPackFp32(Element source, const char* const* rows, int columns, int dim, int tile_step,
                       float* out) {
  WithSource(source, [&](auto tag) {
    for (int j = 0; j < columns; ++j) {
      ConvertRow<decltype(tag)::kValue>(rows[j], dim, out + j * tile_step);
    }
  });
  for (int j = columns; j < RoundUp(columns, 8); ++j) {
    for (int d = 0; d < dim; d += kUnit) Store(out + j * tile_step + d, SetF32(0.0f));
  }
}

void AttentionPackKeysBf16(const char* const* rows, int columns, int dim, int tile_step,
                           uint16_t* out) {
  for (int j = 0; j < RoundUp(columns, 8); ++j) {
    for (int d = 0; d < dim; d += kUnit) {
      const size_t n = static_cast<size_t>(dim - d < kUnit ? dim - d : kUnit);
      const VecI32 x =
          j < columns ? LoadU16(reinterpret_cast<const uint16_t*>(rows[j]) + d, n) : SetI32(0);
      StoreLow16(out + j * tile_step + d, x);
    }
  }
}

void AttentionPackValuesBf16(const char* const* rows, int columns, int dim, int tile_step,
                             uint32_t* out) {
  for (int j = 0; j < RoundUp(columns, 8); j += 2) {
    for (int d = 0; d < dim; d += kUnit) {
      const size_t n = static_cast<size_t>(dim - d < kUnit ? dim - d : kUnit);
      const auto load = [&](int column) {
        return column < columns ? LoadU16(reinterpret_cast<const uint16_t*>(rows[column]) + d, n)
                                : SetI32(0);
      };
      Store(reinterpret_cast<int32_t*>(out) + j / 2 * tile_step + d,
            Or(load(j), ShiftLeft<16>(load(j + 1))));
    }
  }
}

void AttentionPackPrefillValues(const char* const* rows, int columns, int dim, int tile_step,
                                uint32_t* out) {
  AttentionPackValuesBf16(rows, columns, dim, tile_step, out);
}

void AttentionMergeRow(MergeRow& row) {
  float m = -__builtin_inff();
  for (int s = 0; s < row.splits; ++s) {
    const float part = row.partials[s * row.split_step];
    m = part > m ? part : m;
  }
  const float base = m == -__builtin_inff() ? 0.0f : m;
  row.m = m;
  row.l = 0;
  for (int d = 0; d < row.dim; d += kUnit) Store(row.o + d, SetF32(0.0f));
  for (int s = 0; s < row.splits; ++s) {
    const float* part = row.partials + s * row.split_step;
    float weight[kLanes];
    Store(weight, Exp(SetF32(part[0] - base)));
    // What counts for nothing may be infinite.
    if (weight[0] == 0.0f) continue;
    row.l += weight[0] * part[1];
    for (int d = 0; d < row.dim; d += kUnit) {
      const VecF32 o = Load(part + kPartialHead + d);
      Store(row.o + d, Fma(SetF32(weight[0]), o, Load(row.o + d)));
    }
  }
}

void AttentionWriteRow(Element target, const OutRow& row) {
  for (int d = 0; d < row.dim; d += kUnit) {
    const size_t n = static_cast<size_t>(row.dim - d < kUnit ? row.dim - d : kUnit);
    const VecF32 x = ResultOf(row, d, n);
    switch (target) {
      case Element::kInt8:
        WriteInt8(row, d, n, x);
        break;
      case Element::kFp32:
        WriteFloat(row, d, n, x);
        break;
      default:
        WriteHalf(row, target, d, n, x);
    }
  }
}

}  // namespace anyacl::ANYACL_ISA
