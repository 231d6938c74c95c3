// SPDX-License-Identifier: Apache-2.0
#include "ops/distance/kernel.h"

#include "simd/doubles.h"

namespace anyacl::ANYACL_ISA {
namespace {

using distance::kLanes;
using distance::Norm;
using distance::SlopeArgs;
using distance::SumArgs;

// Sums that are added to by turns, in registers.
constexpr int64_t kParts = 4;

template <Norm kNorm>
[[gnu::always_inline]] inline VecF64 Added(VecF64 sum, VecF64 d) {
  if constexpr (kNorm == distance::kSquares) {
    return sum + d * d;
  } else if constexpr (kNorm == distance::kSum) {
    return sum + Magnitude(d);
  } else if constexpr (kNorm == distance::kCount) {
    return sum + Where(d != 0, VecF64{} + 1, VecF64{});
  } else {
    const VecF64 size = Magnitude(d);
    return Where((size > sum) | (size != size), size, sum);
  }
}

template <Norm kNorm>
void Add(const SumArgs& args) {
  for (int64_t r = 0; r < args.rows; ++r) {
    const double* const a = args.a + r * args.row_step;
    for (int64_t at = 0; at < args.lanes; at += kParts * kDoubles) {
      double* const to = args.sums + r * kLanes + at;
      VecF64 sums[kParts];
#pragma GCC unroll 4
      for (int64_t v = 0; v < kParts; ++v) sums[v] = LoadDoubles(to + v * kDoubles);
      for (int64_t i = 0; i < args.count; ++i) {
#pragma GCC unroll 4
        for (int64_t v = 0; v < kParts; ++v) {
          const int64_t lane = i * args.lanes + at + v * kDoubles;
          sums[v] = Added<kNorm>(sums[v], a[i] - LoadDoubles(args.b + lane));
        }
      }
#pragma GCC unroll 4
      for (int64_t v = 0; v < kParts; ++v) StoreDoubles(to + v * kDoubles, sums[v]);
    }
  }
}

// A square of differences at a time, which then lie side by side; those of numbers behind the last
// one add nothing.
template <Norm kNorm>
void AddPairs(const SumArgs& args) {
  MaskF64 place;
  for (int v = 0; v < kDoubles; ++v) place[v] = v;
  for (int64_t at = 0; at < args.lanes; at += kDoubles) {
    const double *const a = args.a + at * args.count, *const b = args.b + at * args.count;
    VecF64 sum = LoadDoubles(args.sums + at);
    for (int64_t i = 0; i < args.count; i += kDoubles) {
      VecF64 d[kDoubles];
#pragma GCC unroll 8
      for (int64_t v = 0; v < kDoubles; ++v) {
        const int64_t from = v * args.count + i;
        d[v] = LoadDoubles(a + from) - LoadDoubles(b + from);
      }
      if (i + kDoubles > args.count) {
        const MaskF64 inside = place < args.count - i;
        for (int64_t v = 0; v < kDoubles; ++v) d[v] = Where(inside, d[v], VecF64{});
      }
      Transpose(d);
#pragma GCC unroll 8
      for (int64_t v = 0; v < kDoubles; ++v) sum = Added<kNorm>(sum, d[v]);
    }
    StoreDoubles(args.sums + at, sum);
  }
}

void Root(double* sums, int64_t count) {
  for (int64_t i = 0; i < count; i += kDoubles) StoreDoubles(sums + i, Sqrt(LoadDoubles(sums + i)));
}

template <Norm kNorm>
[[gnu::always_inline]] inline VecF64 SlopeOf(VecF64 d, VecF64 norm) {
  if constexpr (kNorm == distance::kCount) return VecF64{};
  if constexpr (kNorm == distance::kSquares) return Where(norm == 0, VecF64{}, d / norm);
  const VecF64 sign = Where(d > 0, VecF64{} + 1, Where(d < 0, VecF64{} - 1, d));
  if constexpr (kNorm == distance::kSum) return sign;
  return Where((Magnitude(d) == norm) & (norm != 0), sign, VecF64{});
}

template <Norm kNorm, bool kEach, int64_t kVectors>
[[gnu::always_inline]] inline void AddSlopesAt(const SlopeArgs& args, int64_t at) {
  VecF64 sums[kVectors];
#pragma GCC unroll 4
  for (int64_t v = 0; v < kVectors; ++v) sums[v] = LoadDoubles(args.sums + at + v * kDoubles);
  for (int64_t i = 0; i < args.count; ++i) {
#pragma GCC unroll 4
    for (int64_t v = 0; v < kVectors; ++v) {
      const int64_t lane = at + v * kDoubles, place = i * args.lanes + lane;
      const VecF64 g = kEach ? LoadDoubles(args.g + place) : args.g[i] - VecF64{};
      const VecF64 norm = kEach ? LoadDoubles(args.norm + place) : args.norm[i] - VecF64{};
      const VecF64 d = LoadDoubles(args.a + i * args.a_step + lane) -
                       LoadDoubles(args.b + i * args.b_step + lane);
      sums[v] = sums[v] + g * SlopeOf<kNorm>(d, norm);
    }
  }
#pragma GCC unroll 4
  for (int64_t v = 0; v < kVectors; ++v) StoreDoubles(args.sums + at + v * kDoubles, sums[v]);
}

template <Norm kNorm, bool kEach>
void AddSlopesOf(const SlopeArgs& args) {
  int64_t at = 0;
  for (; at + (kParts - 1) * kDoubles < args.lanes; at += kParts * kDoubles) {
    AddSlopesAt<kNorm, kEach, kParts>(args, at);
  }
  for (; at < args.lanes; at += kDoubles) AddSlopesAt<kNorm, kEach, 1>(args, at);
}

template <Norm kNorm>
void AddSlopes(const SlopeArgs& args) {
  args.each ? AddSlopesOf<kNorm, true>(args) : AddSlopesOf<kNorm, false>(args);
}

}  // namespace

extern constinit const distance::KernelSet kDistanceKernels;
constinit const distance::KernelSet kDistanceKernels = {
    {Add<distance::kCount>, Add<distance::kSum>, Add<distance::kSquares>, Add<distance::kLargest>},
    {AddPairs<distance::kCount>, AddPairs<distance::kSum>, AddPairs<distance::kSquares>,
     AddPairs<distance::kLargest>},
    Root,
    {AddSlopes<distance::kCount>, AddSlopes<distance::kSum>, AddSlopes<distance::kSquares>,
     AddSlopes<distance::kLargest>}};

}  // namespace anyacl::ANYACL_ISA
