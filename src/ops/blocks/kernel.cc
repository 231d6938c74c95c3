// SPDX-License-Identifier: Apache-2.0
// One run of contiguous elements at a time where there is one; the loops over other numbers than
// fp32 are the compiler's to vectorise.
#include "ops/blocks/kernel.h"

#include "base/half.h"
#include "base/turned_rows.h"
#include "simd/alignment.h"
#include "simd/pair.h"
#include "simd/prefetch.h"
#include "simd/rounding.h"
#include "simd/split_load.h"

namespace anyacl::ANYACL_ISA {
namespace {

using blocks::Tile;

// Types of elements that are not their own numbers.
struct Fp16Bits {
  uint16_t bits;
};
struct Bf16Bits {
  uint16_t bits;
};
struct BoolByte {
  uint8_t byte;
};

template <class T>
constexpr bool kIsHalf = false;
template <>
constexpr bool kIsHalf<Fp16Bits> = true;
template <>
constexpr bool kIsHalf<Bf16Bits> = true;

template <class N>
constexpr bool kIsReal = false;
template <>
constexpr bool kIsReal<float> = true;
template <>
constexpr bool kIsReal<double> = true;

// From an element to a number.
template <class N, class E>
[[gnu::always_inline]] inline N NumberOf(E element) {
  return static_cast<N>(element);
}
template <class N>
[[gnu::always_inline]] inline N NumberOf(Fp16Bits element) {
  return static_cast<N>(anyacl::FloatFromFp16(element.bits));
}
template <class N>
[[gnu::always_inline]] inline N NumberOf(Bf16Bits element) {
  return static_cast<N>(anyacl::FloatFromBf16(element.bits));
}
template <class N>
[[gnu::always_inline]] inline N NumberOf(BoolByte element) {
  return static_cast<N>(element.byte != 0);
}

// Towards zero, within the range of E; `kEnd` is the power of two after the largest E.
template <class E, class N>
[[gnu::always_inline]] inline E Truncated(N number) {
  constexpr bool kSigned = static_cast<E>(-1) < E{0};
  constexpr E kLow = kSigned ? static_cast<E>(E{1} << (8 * sizeof(E) - 1)) : E{0};
  constexpr E kHigh = static_cast<E>(~kLow);
  const N end = static_cast<N>(kHigh / 2 + 1) * 2;
  // Values that no conversion is defined for are replaced before it.
  const bool inside = number > static_cast<N>(kLow) && number < end;
  const E whole = static_cast<E>(inside ? number : N{0});
  const E beyond = number >= end ? kHigh : number <= static_cast<N>(kLow) ? kLow : E{0};
  return inside ? whole : beyond;
}

// From a number to an element.
template <class E>
struct ElementFrom {
  template <class N>
  [[gnu::always_inline]] static E Of(N number) {
    if constexpr (kIsReal<N> && !kIsReal<E>) {
      return Truncated<E>(number);
    } else {
      return static_cast<E>(number);
    }
  }
};
template <>
struct ElementFrom<Fp16Bits> {
  template <class N>
  [[gnu::always_inline]] static Fp16Bits Of(N number) {
    return {anyacl::Fp16FromDouble(static_cast<double>(number))};
  }
};
template <>
struct ElementFrom<Bf16Bits> {
  template <class N>
  [[gnu::always_inline]] static Bf16Bits Of(N number) {
    return {anyacl::Bf16FromDouble(static_cast<double>(number))};
  }
};
template <>
struct ElementFrom<BoolByte> {
  template <class N>
  [[gnu::always_inline]] static BoolByte Of(N number) {
    return {number != N{0}};
  }
};

// 16 elements of a format of pair.h, in order.
inline VecF32 Whole(Fp32, const float* p) { return LoadSplit(p); }
inline VecF32 Whole(Fp16, const uint16_t* p) { return LoadFp16Split(p); }
inline VecF32 Whole(Bf16, const uint16_t* p) { return LoadBf16(p); }

// A run of fp32 numbers.
template <class Format>
inline void LoadRun(const typename Format::Bits* from, int64_t count, float* to) {
  int64_t i = 0;
  constexpr int64_t kStep = kLanes;
  // Widening is cheaper than the pairs' interleaving, which buffers would need.
  for (; i + kStep <= count; i += kStep) Store(to + i, Whole(Format(), from + i));
  const auto left = static_cast<size_t>(count - i);
  if (left > 0) Store(to + i, Format::Load(from + i, left), left);
}
template <class Format>
inline void LoadRunPastCaches(const typename Format::Bits* from, int64_t count, float* to) {
  constexpr int64_t kStep = kLanes;
  int64_t i = ToAlignment(to, count);
  LoadRun<Format>(from, i, to);
  for (; i + kStep <= count; i += kStep) StorePastCaches(to + i, Whole(Format(), from + i));
  LoadRun<Format>(from + i, count - i, to + i);
}
template <class Format>
inline void StoreRun(const float* from, int64_t count, typename Format::Bits* to) {
  int64_t i = 0;
  constexpr int64_t kStep = kLanes;
  for (; i + kStep <= count; i += kStep) Format::Store(to + i, LoadSplit(from + i), kLanes);
  const auto left = static_cast<size_t>(count - i);
  if (left > 0) Format::Store(to + i, Load(from + i, left), left);
}
template <class Format>
inline void StoreRunPastCaches(const float* from, int64_t count, typename Format::Bits* to) {
  constexpr int64_t kStep = kPairElements;
  int64_t i = ToAlignment(to, count);
  StoreRun<Format>(from, i, to);
  for (; i + kStep <= count; i += kStep) {
    StorePairPastCaches(Format(), to + i, {LoadSplit(from + i), LoadSplit(from + i + kLanes)});
  }
  StoreRun<Format>(from + i, count - i, to + i);
}

// Truncated<int8_t> of 16 at a time: a cast of 2^19 numbers takes 59 instead of 241 us in two
// threads.
inline VecI32 Truncated8(VecF32 x) {
  const VecF32 number = Select(Equal(x, x), x, SetF32(0.0f));
  return RoundToI32(Trunc(Max(Min(number, SetF32(127.0f)), SetF32(-128.0f))));
}
inline void StoreRun(const float* from, int64_t count, int8_t* to) {
  int64_t i = 0;
  constexpr int64_t kStep = kLanes;
  for (; i + kStep <= count; i += kStep) StoreI8(to + i, Truncated8(LoadSplit(from + i)));
  const auto left = static_cast<size_t>(count - i);
  if (left > 0) StoreI8(to + i, Truncated8(Load(from + i, left)), left);
}

template <class E>
struct FormatOf {};
template <>
struct FormatOf<float> {
  using Type = Fp32;
};
template <>
struct FormatOf<Fp16Bits> {
  using Type = Fp16;
};
template <>
struct FormatOf<Bf16Bits> {
  using Type = Bf16;
};

template <class N, class E>
constexpr bool kByVector = false;
template <>
constexpr bool kByVector<float, float> = true;
template <>
constexpr bool kByVector<float, Fp16Bits> = true;
template <>
constexpr bool kByVector<float, Bf16Bits> = true;

template <class N, class E>
inline void LoadContiguous(const E* from, int64_t count, N* to, bool past_caches) {
  if constexpr (kByVector<N, E>) {
    using Format = typename FormatOf<E>::Type;
    const auto* bits = reinterpret_cast<const typename Format::Bits*>(from);
    past_caches ? LoadRunPastCaches<Format>(bits, count, to) : LoadRun<Format>(bits, count, to);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = NumberOf<N>(from[i]);
  }
}

template <class N, class E>
inline void StoreContiguous(const N* from, int64_t count, E* to, bool past_caches) {
  if constexpr (kByVector<N, E>) {
    using Format = typename FormatOf<E>::Type;
    auto* bits = reinterpret_cast<typename Format::Bits*>(to);
    // A pair of bf16 is the even and the odd elements, which would have to be sorted out first.
    if constexpr (!__is_same(E, Bf16Bits)) {
      if (past_caches) return StoreRunPastCaches<Format>(from, count, bits);
    }
    StoreRun<Format>(from, count, bits);
  } else if constexpr (__is_same(N, float) && __is_same(E, int8_t)) {
    StoreRun(from, count, to);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = ElementFrom<E>::Of(from[i]);
  }
}

// Rows that follow each other are one.
inline Tile AsOneRow(Tile tile) {
  if (tile.rows == 1 || tile.row_stride != tile.cols || tile.col_stride != 1) return tile;
  tile.cols *= tile.rows;
  tile.rows = 1;
  return tile;
}

// A tile whose columns are contiguous, into rows: 2^20 sums with a transposed fp32 matrix take 0.5
// instead of 3.2 ms in two threads, element by element.
template <class E>
inline void CopyTurned(const Tile& f, E* to, int64_t to_stride) {
  constexpr int64_t kSize = sizeof(E);
  anyacl::TurnTile<kSize, true>(reinterpret_cast<char*>(to), to_stride * kSize, f.data,
                                f.col_stride * kSize, f.rows, f.cols);
}

// visit(part, where its first element is among the tile's numbers) for squares of a tile whose
// columns are contiguous.
constexpr int64_t kSide = 32;
template <class E, class Visit>
[[gnu::always_inline]] inline void ForSquares(const Tile& t, const Visit& visit) {
  Tile part = t;
  for (int64_t r = 0; r < t.rows; r += kSide) {
    part.rows = t.rows - r < kSide ? t.rows - r : kSide;
    for (int64_t c = 0; c < t.cols; c += kSide) {
      part.cols = t.cols - c < kSide ? t.cols - c : kSide;
      part.data = t.data + (c * t.col_stride + r) * static_cast<int64_t>(sizeof(E));
      visit(part, r * t.cols + c);
    }
  }
}

template <class N, class E>
inline void LoadTurned(const Tile& t, N* numbers) {
  if constexpr (__is_same(N, E)) {
    CopyTurned<E>(t, numbers, t.cols);
  } else {
    E turned[kSide * kSide];
    ForSquares<E>(t, [&](const Tile& part, int64_t place) {
      CopyTurned<E>(part, turned, kSide);
      for (int64_t i = 0; i < part.rows; ++i) {
        LoadContiguous(turned + i * kSide, part.cols, numbers + place + i * t.cols, false);
      }
    });
  }
}

template <class N, class E>
void LoadTile(const Tile& tile, void* to) {
  const Tile t = AsOneRow(tile);
  const auto* from = reinterpret_cast<const E*>(t.data);
  auto* numbers = static_cast<N*>(to);
  if (t.col_stride == 1) {
    for (int64_t r = 0; r < t.rows; ++r) {
      LoadContiguous(from + r * t.row_stride, t.cols, numbers + r * t.cols, t.past_caches);
    }
  } else if (t.col_stride == 0) {
    for (int64_t r = 0; r < t.rows; ++r) {
      const N number = NumberOf<N>(from[r * t.row_stride]);
      for (int64_t c = 0; c < t.cols; ++c) numbers[r * t.cols + c] = number;
    }
  } else if (t.row_stride == 1 && t.rows > 1) {
    LoadTurned<N, E>(t, numbers);
  } else {
    for (int64_t r = 0; r < t.rows; ++r) {
      const E* row = from + r * t.row_stride;
      for (int64_t c = 0; c < t.cols; ++c) {
        numbers[r * t.cols + c] = NumberOf<N>(row[c * t.col_stride]);
      }
    }
  }
}

// Rows of numbers into a tile whose columns are contiguous: softmaxes of 4096 x 256 along columns,
// as rows that are turned, took 1.8 instead of 5.3 ms in two threads, element by element.
template <class N, class E>
inline void StoreTurned(const N* numbers, const Tile& t) {
  constexpr int64_t kSize = sizeof(E);
  if constexpr (__is_same(N, E)) {
    anyacl::TurnTile<kSize>(t.data, t.col_stride * kSize, reinterpret_cast<const char*>(numbers),
                            t.cols * kSize, t.cols, t.rows);
  } else {
    E elements[kSide * kSide];
    ForSquares<E>(t, [&](const Tile& part, int64_t place) {
      for (int64_t i = 0; i < part.rows; ++i) {
        StoreContiguous(numbers + place + i * t.cols, part.cols, elements + i * part.cols, false);
      }
      StoreTurned<E, E>(elements, part);
    });
  }
}

template <class N, class E>
void StoreTile(const void* from, const Tile& tile) {
  const Tile t = AsOneRow(tile);
  const auto* numbers = static_cast<const N*>(from);
  if (t.row_stride == 1 && t.rows > 1 && t.col_stride != 1) return StoreTurned<N, E>(numbers, t);
  auto* to = reinterpret_cast<E*>(t.data);
  for (int64_t r = 0; r < t.rows; ++r) {
    E* row = to + r * t.row_stride;
    if (t.col_stride == 1) {
      StoreContiguous(numbers + r * t.cols, t.cols, row, t.past_caches);
    } else {
      for (int64_t c = 0; c < t.cols; ++c) {
        row[c * t.col_stride] = ElementFrom<E>::Of(numbers[r * t.cols + c]);
      }
    }
  }
}

void CopyBytes(const char* from, char* to, int64_t bytes, bool past_caches) {
  if (!past_caches) {
    __builtin_memmove(to, from, static_cast<size_t>(bytes));
    return;
  }
  constexpr int64_t kStep = kVectorBytes;
  int64_t i = ToAlignment(to, bytes);
  if (i > 0) __builtin_memcpy(to, from, static_cast<size_t>(i));
  const auto* bytes_from = reinterpret_cast<const int8_t*>(from);
  for (; i + kStep <= bytes; i += kStep) {
    StorePastCaches(reinterpret_cast<int8_t*>(to) + i, Load(bytes_from + i));
  }
  if (i < bytes) __builtin_memcpy(to + i, from + i, static_cast<size_t>(bytes - i));
}

// A few steps are constants for the compiler, which shuffles vectors instead of moving elements:
// 2^20 sums with every other fp32 number take 141 instead of 237 us in two threads.
template <int64_t kStep, class E>
inline void TakeEvery(const E* __restrict from, int64_t count, E* __restrict to) {
  for (int64_t i = 0; i < count; ++i) to[i] = from[i * kStep];
}
template <class E>
inline void TakePart(const E* from, int64_t step, int64_t count, E* to) {
  switch (step) {
    case -1:
      return TakeEvery<-1>(from, count, to);
    case 2:
      return TakeEvery<2>(from, count, to);
    case 3:
      return TakeEvery<3>(from, count, to);
    case 4:
      return TakeEvery<4>(from, count, to);
    default:
      for (int64_t i = 0; i < count; ++i) to[i] = from[i * step];
  }
}
// Long rows part by part, the lines of one some way ahead being asked for before it.
template <class E>
inline void TakeStrided(const E* from, int64_t step, int64_t count, E* to) {
  constexpr int64_t kPart = 256;
  if (count < 4 * kPart) return TakePart(from, step, count, to);
  const int64_t bytes = step * static_cast<int64_t>(sizeof(E));
  const int64_t line = bytes < 0 ? -64 : 64;
  const int64_t next = bytes / line > 0 ? bytes : line;  // from one line that is read to the next
  const int64_t lines = kPart * bytes / next;
  for (int64_t i = 0; i < count; i += kPart) {
    const E* const part = from + i * step;
    for (int64_t l = 0; l < lines; ++l) PrefetchLines<1>(part, line / 64 * kAheadBytes + l * next);
    TakePart(part, step, count - i < kPart ? count - i : kPart, to + i);
  }
}

struct Bits128 {
  uint64_t low, high;
};

template <class E>
void CopyTile(const Tile& source, const Tile& target) {
  const bool dense = source.row_stride == source.cols && source.col_stride == 1;
  const Tile f = dense && target.row_stride == target.cols ? AsOneRow(source) : source;
  const Tile t = f.rows == source.rows ? target : AsOneRow(target);
  const auto* from = reinterpret_cast<const E*>(f.data);
  auto* to = reinterpret_cast<E*>(t.data);
  const bool by_columns = f.row_stride == 1 && f.rows > 1 && f.col_stride != 1;
  if (f.col_stride == 1 && t.col_stride == 1) {
    for (int64_t r = 0; r < t.rows; ++r) {
      CopyBytes(reinterpret_cast<const char*>(from + r * f.row_stride),
                reinterpret_cast<char*>(to + r * t.row_stride),
                t.cols * static_cast<int64_t>(sizeof(E)), t.past_caches);
    }
  } else if (by_columns) {
    if constexpr (sizeof(E) <= 8) {
      if (t.col_stride == 1) return CopyTurned<E>(f, to, t.row_stride);
    }
    for (int64_t c = 0; c < t.cols; ++c) {
      const E* column = from + c * f.col_stride;
      for (int64_t r = 0; r < t.rows; ++r) to[r * t.row_stride + c * t.col_stride] = column[r];
    }
  } else if (t.col_stride == 1) {
    for (int64_t r = 0; r < t.rows; ++r) {
      TakeStrided(from + r * f.row_stride, f.col_stride, t.cols, to + r * t.row_stride);
    }
  } else {
    for (int64_t r = 0; r < t.rows; ++r) {
      const E* source_row = from + r * f.row_stride;
      E* target_row = to + r * t.row_stride;
      for (int64_t c = 0; c < t.cols; ++c) {
        target_row[c * t.col_stride] = source_row[c * f.col_stride];
      }
    }
  }
}

void Fence() { FencePastCaches(); }

// Whether every E is an N, modulo 2^64 at most.
template <class N, class E>
constexpr bool kHolds = kIsReal<N> || (!kIsReal<E> && !kIsHalf<E> &&
                                       (sizeof(N) == 8 || sizeof(E) < 4 || __is_same(N, E)));
template <class N, class E>
constexpr blocks::LoadFunction LoaderOf() {
  if constexpr (kHolds<N, E>) {
    return LoadTile<N, E>;
  } else {
    return nullptr;
  }
}

template <class N, class... Elements>
constexpr blocks::NumberKernels Between() {
  return {{LoaderOf<N, Elements>()...}, {StoreTile<N, Elements>...}};
}
// In the order of Element.
template <class N>
constexpr blocks::NumberKernels kKernelsOf =
    Between<N, float, Fp16Bits, Bf16Bits, double, int32_t, int64_t, uint64_t, int8_t, uint8_t,
            int16_t, uint16_t, uint32_t, BoolByte>();

}  // namespace

extern constinit const blocks::KernelSet kBlockKernels;
constinit const blocks::KernelSet kBlockKernels = {
    .fp32 = kKernelsOf<float>,
    .fp64 = kKernelsOf<double>,
    .int32 = kKernelsOf<int32_t>,
    .int64 = kKernelsOf<int64_t>,
    .copy = {CopyTile<uint8_t>, CopyTile<uint16_t>, CopyTile<uint32_t>, CopyTile<uint64_t>,
             CopyTile<Bits128>},
    .fence = Fence,
};

}  // namespace anyacl::ANYACL_ISA
