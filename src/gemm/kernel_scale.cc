// SPDX-License-Identifier: Apache-2.0
// Few rows times integers that stand for numbers by a factor, and an offset, of their group: made
// numbers where they are multiplied.
#include "base/division.h"
#include "gemm/kernel_factors.h"
#include "gemm/kernel_pack.h"
#include "simd/float_tile.h"
#include "simd/packed_tile.h"

namespace anyacl::ANYACL_ISA {
namespace {

using gemm::FewArgs;
using gemm::Groups;

// Factors of 16 columns for some groups, a row for each. Where those of a column are contiguous
// they are transposed in registers.
class FactorRows {
 public:
  FactorRows(const Groups& groups, int64_t column, int64_t columns, int64_t end)
      : groups_(groups),
        column_(column),
        columns_(columns),
        count_(CeilDivide(end, groups.group)) {}
  // Of the group that k is in. Groups are asked for in their order.
  Factors Of(int64_t k) {
    const int64_t row = k / groups_.group;
    if (row >= first_ + kSquare || row < first_) Load16(row);
    return {Load(scale_[row - first_]), Load(offset_[row - first_])};
  }

 private:
  void Load16(int64_t row) {
    first_ = row;
    Fill(groups_.scale, scale_);
    if (groups_.offset.data != nullptr) Fill(groups_.offset, offset_);
  }
  void Fill(const gemm::View& view, float (&to)[kSquare][kSquare]) {
    const int64_t rows = count_ - first_ < kSquare ? count_ - first_ : kSquare;
    const int64_t columns = columns_ - column_ < kSquare ? columns_ - column_ : kSquare;
    if (view.row_step != 1 || view.column_step == 1) {
      for (int64_t i = 0; i < rows; ++i) {
        Store(to[i], LoadFloats(view, first_ + i, column_, columns));
      }
      return;
    }
    const gemm::View turned{view.type, view.data, view.column_step, view.row_step};
    VecI32 lines[kSquare];
    for (int64_t i = 0; i < kSquare; ++i) {
      lines[i] = i < columns ? BitsOf(LoadFloats(turned, column_ + i, first_, rows)) : SetI32(0);
    }
    Transpose(lines);
    for (int64_t i = 0; i < kSquare; ++i) Store(to[i], FloatFromBits(lines[i]));
  }

  const Groups& groups_;
  const int64_t column_, columns_, count_;
  int64_t first_ = -kSquare - 1;
  float scale_[kSquare][kSquare];
  float offset_[kSquare][kSquare] = {};
};

// A cache line of k of a column is fetched so many bytes before it is used.
constexpr int64_t kAhead = 512;

// Numbers of 8 or 4 bits, as many to a lane as fit.
template <bool kInt4>
struct Packed {
  static constexpr int64_t kPlaces = kInt4 ? 8 : 4;
  static constexpr int64_t kSteps = kSquare * kPlaces;  // k in a vector of a line
  static int64_t Bytes(int64_t count) { return kInt4 ? (count + 1) / 2 : count; }
  template <int kPlace>
  static VecF32 Number(VecI32 lanes) {
    if constexpr (kInt4) {
      return I4AsF32<kPlace>(lanes);
    } else {
      return I8AsF32<kPlace>(lanes);
    }
  }
  // kSteps elements from an address on, or those that are left.
  static VecI32 Load(const int8_t* from, int64_t left) {
    if (left >= kSteps) return ANYACL_ISA::Load(reinterpret_cast<const int32_t*>(from));
    int32_t lanes[kSquare] = {};
    __builtin_memcpy(lanes, from, static_cast<size_t>(Bytes(left)));
    return ANYACL_ISA::Load(lanes);
  }
};

// The products of one lane: kPlaces k, or those that are left.
template <class Source, bool kOffset, int kRows, int kPlace = 0>
[[gnu::always_inline]] inline void AddPlaces(VecI32 lanes, int64_t left, const Factors& f,
                                             const int8_t* a, VecF32 (&sum)[kRows]) {
  if constexpr (kPlace < Source::kPlaces) {
    if (kPlace >= left) return;
    VecF32 b = Source::template Number<kPlace>(lanes);
    if constexpr (kOffset) b = Add(b, f.offset);
    b = Mul(b, f.scale);
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) {
      sum[r] = FmaBroadcast(sum[r], b, a + 4 * (kPlace * kRows + r));
    }
    AddPlaces<Source, kOffset, kRows, kPlace + 1>(lanes, left, f, a, sum);
  }
}

// 16 columns at a time: lanes of several k are transposed in registers, then taken apart.
template <class Source, bool kOffset, int kRows>
[[gnu::noinline]] void ScaleFew(const FewArgs& args, const Groups& groups, int64_t first) {
  const int64_t line_bytes = Source::Bytes(args.depth);
  for (int64_t n = 0; n < args.columns; n += kSquare) {
    const int8_t* lines[kSquare];
    const int8_t* next[kSquare];
    for (int64_t i = 0; i < kSquare; ++i) {
      const int64_t line = n + i < args.columns ? n + i : args.columns - 1;
      lines[i] = static_cast<const int8_t*>(args.b) + Source::Bytes(line * args.column_step);
      next[i] = lines[i] + Source::Bytes(kSquare * args.column_step) - line_bytes;
    }
    VecF32 sum[kRows];
#pragma GCC unroll 4
    for (int r = 0; r < kRows; ++r) sum[r] = SetF32(0.0f);
    FactorRows rows(groups, n, args.columns, first + args.depth);
    Factors factors = {};
    int64_t group_left = 0;
    const auto* a = reinterpret_cast<const int8_t*>(args.rows);
    for (int64_t k = 0; k < args.depth; k += Source::kSteps) {
      const int64_t at = Source::Bytes(k);
      const int8_t* const* const ahead = at + kAhead < line_bytes ? lines : next;
      VecI32 lanes[kSquare];
      for (int64_t i = 0; i < kSquare; ++i) {
        PrefetchL1(ahead[i] + at + kAhead);
        lanes[i] = Source::Load(lines[i] + at, args.depth - k);
      }
      Transpose(lanes);
      for (int64_t i = 0; i < kSquare; ++i) {
        const int64_t place = k + i * Source::kPlaces;
        const int64_t left = args.depth - place;
        if (left <= 0) break;
        if (group_left == 0) {
          factors = rows.Of(first + place);
          group_left = groups.group - (first + place) % groups.group;
        }
        group_left -= Source::kPlaces;
        if (left >= Source::kPlaces) {
          AddPlaces<Source, kOffset>(lanes[i], Source::kPlaces, factors, a, sum);
        } else {
          AddPlaces<Source, kOffset>(lanes[i], left, factors, a, sum);
        }
        a += 4 * kRows * Source::kPlaces;
      }
    }
    for (int r = 0; r < kRows; ++r) {
      Store(static_cast<float*>(args.sums) + r * args.sums_step + n, sum[r]);
    }
  }
}

template <class Source, bool kOffset>
void ScaleFewRows(const FewArgs& args, const Groups& groups, int64_t first) {
  switch (args.row_count) {
    case 1:
      return ScaleFew<Source, kOffset, 1>(args, groups, first);
    case 2:
      return ScaleFew<Source, kOffset, 2>(args, groups, first);
    case 3:
      return ScaleFew<Source, kOffset, 3>(args, groups, first);
    case 4:
      return ScaleFew<Source, kOffset, 4>(args, groups, first);
  }
}

template <class Source>
void ScaleFewOf(const FewArgs& args, const Groups& groups, int64_t first) {
  groups.offset.data != nullptr ? ScaleFewRows<Source, true>(args, groups, first)
                                : ScaleFewRows<Source, false>(args, groups, first);
}

}  // namespace

void GemmScaleFew(const FewArgs& args, const Groups& groups, int64_t first) {
  args.type == Element::kInt4 ? ScaleFewOf<Packed<true>>(args, groups, first)
                              : ScaleFewOf<Packed<false>>(args, groups, first);
}

}  // namespace anyacl::ANYACL_ISA
