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

template <Norm kNorm, bool kPairs>
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
          const VecF64 left = kPairs ? LoadDoubles(a + lane) : VecF64{} + a[i];
          sums[v] = Added<kNorm>(sums[v], left - LoadDoubles(args.b + lane));
        }
      }
#pragma GCC unroll 4
      for (int64_t v = 0; v < kParts; ++v) StoreDoubles(to + v * kDoubles, sums[v]);
    }
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

template <Norm kNorm>
void AddSlopes(const SlopeArgs& args) {
  for (int64_t i = 0; i < args.count; ++i) {
    for (int64_t at = 0; at < args.lanes; at += kDoubles) {
      const VecF64 slope = SlopeOf<kNorm>(LoadDoubles(args.d + i * args.lanes + at),
                                          LoadDoubles(args.norm + i * args.norm_step + at));
      double* const to = args.sums + i * kLanes + at;
      StoreDoubles(to, LoadDoubles(to) + LoadDoubles(args.g + i * args.g_step + at) * slope);
    }
  }
}

}  // namespace

extern constinit const distance::KernelSet kDistanceKernels;
constinit const distance::KernelSet kDistanceKernels = {
    {Add<distance::kCount, false>, Add<distance::kSum, false>, Add<distance::kSquares, false>,
     Add<distance::kLargest, false>},
    {Add<distance::kCount, true>, Add<distance::kSum, true>, Add<distance::kSquares, true>,
     Add<distance::kLargest, true>},
    Root,
    {AddSlopes<distance::kCount>, AddSlopes<distance::kSum>, AddSlopes<distance::kSquares>,
     AddSlopes<distance::kLargest>}};

}  // namespace anyacl::ANYACL_ISA
