// SPDX-License-Identifier: Apache-2.0
// Sums to results: 16 columns of a row at a time.
#include "base/turned_rows.h"
#include "gemm/kernel_view.h"
#include "simd/pair.h"

namespace anyacl::ANYACL_ISA {
namespace {

using gemm::FinishArgs;
using gemm::View;

constexpr auto kAll = static_cast<int64_t>(kLanes);

VecI32 LoadIntegers(const View& view, int64_t row, int64_t column, int64_t n) {
  return LoadRow<int32_t>(view, row, column, n,
                          [](const int32_t* p, size_t m) { return Load(p, m); });
}

template <class T, class Storing>
[[gnu::always_inline]] inline void StoreRow(const View& view, int64_t row, int64_t column,
                                            int64_t n, Storing store) {
  T* const to = const_cast<T*>(static_cast<const T*>(view.data)) + row * view.row_step +
                column * view.column_step;
  if (view.column_step == 1) return store(to, static_cast<size_t>(n));
  T values[kLanes];
  store(values, kLanes);
  for (int64_t i = 0; i < n; ++i) to[i * view.column_step] = values[i];
}

void StoreFloats(const View& view, int64_t row, int64_t column, int64_t n, VecF32 v) {
  switch (view.type) {
    case Element::kFp16:
      return StoreRow<uint16_t>(view, row, column, n,
                                [&](uint16_t* p, size_t m) { StoreFp16(p, v, m); });
    case Element::kBf16:
      return StoreRow<uint16_t>(view, row, column, n,
                                [&](uint16_t* p, size_t m) { StoreBf16(p, v, m); });
    default:
      return StoreRow<float>(view, row, column, n, [&](float* p, size_t m) { Store(p, v, m); });
  }
}

VecF32 Scaled(const FinishArgs& args, int64_t row, int64_t column, int64_t n, VecF32 v) {
  const auto by_row = [&] {
    if (args.row_scale == nullptr) return;
    v = Mul(v, SetF32(args.row_scale[row * args.row_scale_step]));
  };
  if (!args.column_scale_first) by_row();
  if (args.column_scale != nullptr) {
    const View scales{Element::kFp32, args.column_scale, 0, args.column_scale_step};
    v = Mul(v, LoadFloats(scales, 0, column, n));
  }
  if (args.column_scale_first) by_row();
  return args.alpha == 1.0f ? v : Mul(v, SetF32(args.alpha));
}

void FinishLanes(const FinishArgs& args, int64_t row, int64_t column, int64_t n) {
  const auto* const sums = static_cast<const int32_t*>(args.sums) + row * args.sums_step + column;
  const bool has_d = args.d.data != nullptr;
  VecF32 v;
  if (args.integers) {
    const int32_t correction = args.corrections != nullptr ? args.corrections[row] : 0;
    VecI32 s = Sub(Load(sums), SetI32(correction));
    const bool adds_integers = has_d && args.d.type == Element::kInt32;
    if (adds_integers) s = Add(s, LoadIntegers(args.d, row, column, n));
    if (args.c.type == Element::kInt32) {
      return StoreRow<int32_t>(args.c, row, column, n,
                               [&](int32_t* p, size_t m) { Store(p, s, m); });
    }
    v = Scaled(args, row, column, n, ToF32(s));
    if (adds_integers) return StoreFloats(args.c, row, column, n, v);
  } else {
    v = Scaled(args, row, column, n, FloatFromBits(Load(sums)));
  }
  if (has_d) v = Fma(SetF32(args.beta), LoadFloats(args.d, row, column, n), v);
  StoreFloats(args.c, row, column, n, v);
}

// The sums as they are, to contiguous rows.
template <class F>
void CopySums(const FinishArgs& args) {
  using T = typename F::Bits;
  for (int64_t row = 0; row < args.rows; ++row) {
    const auto* const sums = static_cast<const int32_t*>(args.sums) + row * args.sums_step;
    T* const c = const_cast<T*>(static_cast<const T*>(args.c.data)) + row * args.c.row_step;
    for (int64_t n = 0; n < args.columns; n += 64 / sizeof(T)) {
      PrefetchL1(c + 4 * args.c.row_step + n);
    }
    int64_t n = 0;
    for (; n + kAll <= args.columns; n += kAll) {
      F::Store(c + n, FloatFromBits(Load(sums + n)), kLanes);
    }
    if (n < args.columns) {
      F::Store(c + n, FloatFromBits(Load(sums + n)), static_cast<size_t>(args.columns - n));
    }
  }
}

// The same to contiguous columns (images with channels last).
template <class F>
void TurnSums(const FinishArgs& args) {
  using T = typename F::Bits;
  constexpr int64_t kSize = sizeof(T);
  const auto* const sums = static_cast<const float*>(args.sums);
  auto* const c = static_cast<char*>(const_cast<void*>(args.c.data));
  const int64_t step = args.c.column_step * kSize;
  if constexpr (kSize == sizeof(float)) {
    return anyacl::TurnTile<kSize>(c, step, reinterpret_cast<const char*>(sums),
                                   args.sums_step * kSize, args.columns, args.rows);
  }
  constexpr int64_t kRows = 16 / kSize;
  constexpr int64_t kColumns = gemm::kMaxPanelColumns;
  T tile[kRows][kColumns];
  for (int64_t n = 0; n < args.columns; n += kColumns) {
    const int64_t columns = args.columns - n < kColumns ? args.columns - n : kColumns;
    for (int64_t row = 0; row < args.rows; row += kRows) {
      const int64_t rows = args.rows - row < kRows ? args.rows - row : kRows;
      for (int64_t r = 0; r < rows; ++r) {
        const float* const line = sums + (row + r) * args.sums_step + n;
        for (int64_t i = 0; i < columns; i += kAll) F::Store(tile[r] + i, Load(line + i), kLanes);
      }
      anyacl::TurnTile<kSize>(c + n * step + row * kSize, step, reinterpret_cast<const char*>(tile),
                              sizeof(tile[0]), columns, rows);
    }
  }
}

// The sums and D, of C's type, to contiguous rows: layers with a bias.
template <class F>
void AddToSums(const FinishArgs& args) {
  using T = typename F::Bits;
  const VecF32 beta = SetF32(args.beta);
  const auto* d = static_cast<const T*>(args.d.data);
  auto* c = static_cast<T*>(const_cast<void*>(args.c.data));
  const auto* sums = static_cast<const int32_t*>(args.sums);
  for (int64_t row = 0; row < args.rows; ++row) {
    for (int64_t n = 0; n < args.columns; n += 64 / sizeof(T)) {
      PrefetchL1(c + 4 * args.c.row_step + n);
      PrefetchL1(d + 4 * args.d.row_step + n);
    }
    const auto add = [&](int64_t n, size_t count) {
      const VecF32 v = Fma(beta, F::Load(d + n, count), FloatFromBits(Load(sums + n)));
      F::Store(c + n, v, count);
    };
    int64_t n = 0;
    for (; n + kAll <= args.columns; n += kAll) add(n, kLanes);
    if (n < args.columns) add(n, static_cast<size_t>(args.columns - n));
    sums += args.sums_step;
    c += args.c.row_step;
    d += args.d.row_step;
  }
}

// Sums that are results but for D and rounding; false: they lie otherwise.
template <class F>
bool FinishSums(const FinishArgs& args) {
  if (args.d.data != nullptr) {
    if (args.d.type != args.c.type || args.d.column_step != 1 || args.c.column_step != 1) {
      return false;
    }
    AddToSums<F>(args);
  } else if (args.c.column_step == 1) {
    CopySums<F>(args);
  } else if (args.c.row_step == 1) {
    TurnSums<F>(args);
  } else {
    return false;
  }
  return true;
}

bool FinishSums(const FinishArgs& args) {
  if (args.integers || args.row_scale != nullptr || args.column_scale != nullptr ||
      args.alpha != 1.0f) {
    return false;
  }
  switch (args.c.type) {
    case Element::kFp32:
      return FinishSums<Fp32>(args);
    case Element::kFp16:
      return FinishSums<Fp16>(args);
    case Element::kBf16:
      return FinishSums<Bf16>(args);
    default:
      return false;
  }
}

}  // namespace

bool GemmFinite(const float* sums, int64_t sums_step, int64_t rows, int64_t columns) {
  VecF32 most = SetF32(0.0f);
  const auto see = [&](VecF32 x) { most = Add(most, Mul(x, SetF32(0.0f))); };
  for (int64_t row = 0; row < rows; ++row, sums += sums_step) {
    int64_t n = 0;
    for (; n + kAll <= columns; n += kAll) see(Load(sums + n));
    if (n < columns) see(Load(sums + n, static_cast<size_t>(columns - n)));
  }
  return ReduceSum(most) == 0.0f;
}

void GemmFinish(const FinishArgs& args) {
  if (FinishSums(args)) return;
  for (int64_t row = 0; row < args.rows; ++row) {
    int64_t column = 0;
    for (; column + kAll <= args.columns; column += kAll) FinishLanes(args, row, column, kAll);
    if (column < args.columns) FinishLanes(args, row, column, args.columns - column);
  }
}

}  // namespace anyacl::ANYACL_ISA
