// SPDX-License-Identifier: Apache-2.0
// Rows into lanes and back, by squares of 16 x 16.
#include "attention/kernel.h"
#include "simd/simd.h"
#include "simd/transpose_tile.h"

namespace anyacl::ANYACL_ISA {

using attention::kPrefillRows;
using attention::kTile;
using attention::Masked;

namespace {

constexpr int kUnit = static_cast<int>(kLanes);

// Lane j of out[i] is from(j, i): from loads a row of the square.
template <class From>
[[gnu::always_inline]] inline void LoadSquare(const From& from, VecI32 (&square)[16]) {
#pragma GCC unroll 16
  for (int i = 0; i < kUnit; ++i) square[i] = from(i);
  Transpose(square);
}

VecI32 BitsAt(const float* p) { return Load(reinterpret_cast<const int32_t*>(p)); }

}  // namespace

void AttentionPlaceLanes(const float* rows, int row_step, int dim, int lane_step, float* out) {
  for (int d = 0; d < dim; d += kUnit) {
    VecI32 square[16];
    LoadSquare([&](int i) { return BitsAt(rows + i * row_step + d); }, square);
    const int count = dim - d < kUnit ? dim - d : kUnit;
    for (int i = 0; i < count; ++i) {
      Store(reinterpret_cast<int32_t*>(out) + (d + i) * lane_step, square[i]);
    }
  }
}

void AttentionPlacePairs(const float* rows, int row_step, int dim, int lane_step, uint32_t* out) {
  const VecI32 upper = SetI32(static_cast<int32_t>(0xffff0000));
  for (int d = 0; d < dim; d += kUnit) {
    VecI32 square[16];
    LoadSquare([&](int i) { return BitsAt(rows + i * row_step + d); }, square);
    const int count = dim - d < kUnit ? dim - d : kUnit;
    for (int i = 0; i < count; i += 2) {
      const VecI32 pair = Or(ShiftRight<16>(square[i]), And(square[i + 1], upper));
      Store(reinterpret_cast<int32_t*>(out) + (d + i) / 2 * lane_step, pair);
    }
  }
}

void AttentionTakeLanes(const float* lanes, int lane_step, int dim, int row_step, float* out) {
  for (int d = 0; d < dim; d += kUnit) {
    VecI32 square[16];
    // Behind the last d lies the last one again.
    const int last = dim - d - 1;
    LoadSquare([&](int i) { return BitsAt(lanes + (d + (i < last ? i : last)) * lane_step); },
               square);
    for (int i = 0; i < kUnit; ++i) {
      Store(reinterpret_cast<int32_t*>(out) + i * row_step + d, square[i]);
    }
  }
}

void AttentionPlaceBytes(const int8_t* rows, int vectors, int columns, int8_t* out) {
  for (int v = 0; v < vectors; ++v) {
    for (int j = 0; j < columns; j += kUnit) {
      VecI32 square[16];
      LoadSquare([&](int i) { return LoadI8(rows + (v * kUnit + i) * kTile + j); }, square);
      for (int i = 0; i < kUnit; ++i) StoreI8(out + (j + i) * kPrefillRows + v * kUnit, square[i]);
    }
  }
}

void AttentionPlaceSlopes(const attention::SlopeTile& t) {
  for (int lane = 0; lane < t.vectors * kUnit; lane += kUnit) {
    const VecF32 slope = Neg(Load(t.slope + lane));
    const VecI32 place = Load(t.place + lane);
    for (int j = 0; j < t.columns; ++j) {
      const VecF32 distance = Abs(ToF32(Sub(place, SetI32(j))));
      Store(t.out + j * kPrefillRows + lane, Mul(slope, t.roots ? Sqrt(distance) : distance));
    }
  }
}

Masked AttentionLookAtBytes(const int8_t* rows, int count, int columns) {
  VecI32 masked = SetI32(0), shown = SetI32(0);
  for (int r = 0; r < count; ++r) {
    for (int j = 0; j < columns; j += kUnit) {
      const VecI32 x = LoadI8(rows + r * kTile + j);
      masked = Or(masked, x);
      shown = Or(shown, Select(Equal(x, SetI32(0)), SetI32(1), SetI32(0)));
    }
  }
  int32_t some[kLanes], none[kLanes];
  Store(some, masked);
  Store(none, shown);
  bool any = false, all = true;
  for (int i = 0; i < kUnit; ++i) {
    any = any || some[i] != 0;
    all = all && none[i] == 0;
  }
  return !any ? Masked::kNone : all ? Masked::kAll : Masked::kSome;
}

}  // namespace anyacl::ANYACL_ISA
