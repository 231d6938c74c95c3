// SPDX-License-Identifier: Apache-2.0
#include "ops/batch_norm/kernel.h"

#include "simd/elements.h"
#include "simd/prefetch.h"

namespace anyacl::ANYACL_ISA {
namespace {

using batch_norm::ElementKernels;
using batch_norm::Factors;
using batch_norm::kBlock;
using batch_norm::KernelSet;
using batch_norm::Matrix;
using batch_norm::Sums;

constexpr auto kStep = static_cast<int64_t>(kLanes);

struct Two {
  VecF32 first, second;
};

// The sums of both numbers of term(at), of elements of format F; ahead(i) before each 32 elements.
template <class F, class Term, class Ahead>
[[gnu::always_inline]] inline Sums SumBoth(int64_t n, const Term& term, const Ahead& ahead) {
  const VecF32 zero = SetF32(0.0f);
  Sums total = {0, 0};
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    // Not arrays: an index would keep them in memory.
    VecF32 a = zero, b = zero, c = zero, d = zero;
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      ahead(i);
      const Two even = term(FirstHalf{i}), odd = term(SecondHalf{i});
      a = Add(a, even.first);
      b = Add(b, even.second);
      c = Add(c, odd.first);
      d = Add(d, odd.second);
    }
    InOrder(F(), a, c);
    InOrder(F(), b, d);
    const auto rest = [&](VecF32& first, VecF32& second) {
      const size_t left = end - i < kStep ? static_cast<size_t>(end - i) : kLanes;
      const Two two = term(Some{i, left});
      const Mask in = FirstN(left);
      first = Add(first, Select(in, two.first, zero));
      second = Add(second, Select(in, two.second, zero));
      i += kStep;
    };
    if (i < end) rest(a, b);
    if (i < end) rest(c, d);
    total.first += static_cast<double>(ReduceSum(Add(a, c)));
    total.second += static_cast<double>(ReduceSum(Add(b, d)));
  }
  return total;
}

// Columns i to i + 16 * kVectors of a matrix.
template <class F, int kVectors>
struct ColumnsOf {
  const typename F::Bits* x;
  int64_t pitch;
  [[gnu::always_inline]] ColumnsOf(Matrix m, int64_t i)
      : x(static_cast<const typename F::Bits*>(m.data) + i), pitch(m.pitch) {}
  // The v-th vector of row r.
  [[gnu::always_inline]] VecF32 operator()(int64_t r, int v, size_t k) const {
    return ANYACL_ISA::Read<F>(x + r * pitch + v * kStep, k);
  }
};

// body<vectors>(i, k) for all n columns: so many vectors at once, in which k lanes count.
template <int kVectors, class Body>
[[gnu::always_inline]] inline void ForColumns(int64_t n, const Body& body) {
  int64_t i = 0;
  for (; i + kVectors * kStep <= n; i += kVectors * kStep) {
    body.template operator()<kVectors>(i, kLanes);
  }
  for (; i + kStep <= n; i += kStep) body.template operator()<1>(i, kLanes);
  if (i < n) body.template operator()<1>(i, static_cast<size_t>(n - i));
}

// The kernels of elements of one format.
template <class F>
struct Of {
  using Bits = typename F::Bits;
  static void Nothing(int64_t) {}

  static double Sum(const void* data, int64_t n) {
    const Elements<F> x(data);
    // The second sum costs nothing beside memory and is dropped.
    return SumBoth<F>(
               n,
               [&](auto at) {
                 const VecF32 v = x(at);
                 return Two{v, v};
               },
               Nothing)
        .first;
  }

  static Sums Moments(const void* data, int64_t n, float c, const void* next) {
    const Elements<F> x(data), ahead(next);
    const VecF32 centre = SetF32(c);
    return SumBoth<F>(
        n,
        [&](auto at) {
          const VecF32 d = Sub(x(at), centre);
          return Two{d, Mul(d, d)};
        },
        // The first cache holds x: memory works meanwhile.
        [&](int64_t i) { PrefetchLines<sizeof(Bits) / 2, PrefetchL2>(ahead.x + i, 0); });
  }

  static Sums Products(const void* gradient, const void* data, int64_t n, float c) {
    const Elements<F> g(gradient), x(data);
    const VecF32 centre = SetF32(c);
    return SumBoth<F>(
        n,
        [&](auto at) {
          const VecF32 gi = g(at);
          return Two{gi, Mul(gi, Sub(x(at), centre))};
        },
        Nothing);
  }

  static void Affine(const void* data, int64_t n, const Factors<float>& f, void* to,
                     bool past_caches) {
    const Elements<F> x(data);
    const VecF32 centre = SetF32(f.centre), b = SetF32(f.b), c = SetF32(f.c);
    MapElements<F, false>(n, to, past_caches,
                          [&](auto at) { return Fma(Sub(x(at), centre), b, c); });
  }

  static void Combine(const void* gradient, const void* data, int64_t n, const Factors<float>& f,
                      void* to, bool past_caches) {
    const Elements<F> g(gradient), x(data);
    const VecF32 centre = SetF32(f.centre), a = SetF32(f.a), b = SetF32(f.b), c = SetF32(f.c);
    MapElements<F, false>(n, to, past_caches,
                          [&](auto at) { return Fma(g(at), a, Fma(Sub(x(at), centre), b, c)); });
  }

  // The last vector of a row overlaps the one before: rows are short, and what is done with a part
  // of a vector takes as long as several whole ones.
  template <class Body>
  [[gnu::always_inline]] static void ForRow(int64_t n, const Body& body) {
    if (n < kStep) return body(0, static_cast<size_t>(n));
    for (int64_t i = 0; i + kStep <= n; i += kStep) body(i, kLanes);
    if (n % kStep != 0) body(n - kStep, kLanes);
  }

  // The next channel's row lies behind this one.
  [[gnu::always_inline]] static void PrefetchBehind(const Bits* row, int64_t bytes) {
    for (int64_t ahead = bytes; ahead < 2 * bytes + 64; ahead += 64) {
      PrefetchLines<1, PrefetchL2>(row, ahead);
    }
  }

  static void Gather(Matrix x, int64_t rows, int64_t n, float* to) {
    const auto* row = static_cast<const Bits*>(x.data);
    const int64_t bytes = n * static_cast<int64_t>(sizeof(Bits));
    for (int64_t r = 0; r < rows; ++r, row += x.pitch, to += n) {
      PrefetchBehind(row, bytes);
      ForRow(n, [&](int64_t i, size_t k) { Write(to + i, Read<F>(row + i, k), k); });
    }
  }

  // value(r * n + i, k) of all elements i of all rows.
  template <class Value>
  [[gnu::always_inline]] static void ScatterRows(int64_t rows, int64_t n, Matrix to,
                                                 const Value& value) {
    auto* row = static_cast<Bits*>(to.data);
    const int64_t bytes = n * static_cast<int64_t>(sizeof(Bits));
    for (int64_t r = 0; r < rows; ++r, row += to.pitch) {
      PrefetchBehind(row, bytes);
      ForRow(n, [&](int64_t i, size_t k) { Write<F>(row + i, value(r * n + i, k), k); });
    }
  }

  static void ScatterAffine(const float* x, int64_t rows, int64_t n, const Factors<float>& f,
                            Matrix to) {
    const VecF32 centre = SetF32(f.centre), b = SetF32(f.b), c = SetF32(f.c);
    ScatterRows(rows, n, to,
                [&](int64_t i, size_t k) { return Fma(Sub(Read(x + i, k), centre), b, c); });
  }

  static void ScatterCombine(const float* g, const float* x, int64_t rows, int64_t n,
                             const Factors<float>& f, Matrix to) {
    const VecF32 centre = SetF32(f.centre), a = SetF32(f.a), b = SetF32(f.b), c = SetF32(f.c);
    ScatterRows(rows, n, to, [&](int64_t i, size_t k) {
      return Fma(Read(g + i, k), a, Fma(Sub(Read(x + i, k), centre), b, c));
    });
  }

  static void ColumnSums(Matrix m, int64_t rows, int64_t n, float* sums) {
    ForColumns<4>(n, [&]<int kVectors>(int64_t i, size_t k) {
      const ColumnsOf<F, kVectors> x(m, i);
      VecF32 sum[kVectors];
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) sum[v] = x(0, v, k);
      for (int64_t r = 1; r < rows; ++r) {
#pragma GCC unroll 4
        for (int v = 0; v < kVectors; ++v) sum[v] = Add(sum[v], x(r, v, k));
      }
#pragma GCC unroll 4
      for (int v = 0; v < kVectors; ++v) Write(sums + i + v * kStep, sum[v], k);
    });
  }

  static void ColumnMoments(Matrix m, int64_t rows, int64_t n, const float* centres, float* sums,
                            float* squares) {
    ForColumns<2>(n, [&]<int kVectors>(int64_t i, size_t k) {
      const ColumnsOf<F, kVectors> x(m, i);
      VecF32 centre[kVectors], sum[kVectors], square[kVectors];
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        centre[v] = Read(centres + i + v * kStep, k);
        sum[v] = square[v] = SetF32(0.0f);
      }
      for (int64_t r = 0; r < rows; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          const VecF32 d = Sub(x(r, v, k), centre[v]);
          sum[v] = Add(sum[v], d);
          square[v] = Fma(d, d, square[v]);
        }
      }
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        Write(sums + i + v * kStep, sum[v], k);
        Write(squares + i + v * kStep, square[v], k);
      }
    });
  }

  static void ColumnProducts(Matrix gradient, Matrix m, int64_t rows, int64_t n,
                             const float* centres, float* sums, float* products) {
    ForColumns<2>(n, [&]<int kVectors>(int64_t i, size_t k) {
      const ColumnsOf<F, kVectors> g(gradient, i), x(m, i);
      VecF32 centre[kVectors], sum[kVectors], product[kVectors];
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        centre[v] = Read(centres + i + v * kStep, k);
        sum[v] = product[v] = SetF32(0.0f);
      }
      for (int64_t r = 0; r < rows; ++r) {
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          const VecF32 gi = g(r, v, k);
          sum[v] = Add(sum[v], gi);
          product[v] = Fma(gi, Sub(x(r, v, k), centre[v]), product[v]);
        }
      }
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) {
        Write(sums + i + v * kStep, sum[v], k);
        Write(products + i + v * kStep, product[v], k);
      }
    });
  }

  // value(r, i, k) of all columns of all rows.
  template <class Value>
  [[gnu::always_inline]] static void MapRows(int64_t rows, int64_t n, Matrix to,
                                             const Value& value) {
    auto* out = static_cast<Bits*>(to.data);
    for (int64_t r = 0; r < rows; ++r, out += to.pitch) {
      int64_t i = 0;
      for (; i + 2 * kStep <= n; i += 2 * kStep) {
        StoreBoth(F(), out + i, value(r, i, kLanes), value(r, i + kStep, kLanes));
      }
      for (; i < n; i += kStep) {
        const size_t k = n - i < kStep ? static_cast<size_t>(n - i) : kLanes;
        Write<F>(out + i, value(r, i, k), k);
      }
    }
  }

  static void ColumnAffine(Matrix x, int64_t rows, int64_t n, const Factors<const float*>& f,
                           Matrix to) {
    const ColumnsOf<F, 1> at(x, 0);
    const float* const centre = f.centre;
    const float* const b = f.b;
    const float* const c = f.c;
    MapRows(rows, n, to, [&](int64_t r, int64_t i, size_t k) {
      const VecF32 d = Sub(Read<F>(at.x + r * at.pitch + i, k), Read(centre + i, k));
      return Fma(d, Read(b + i, k), Read(c + i, k));
    });
  }

  static void ColumnCombine(Matrix gradient, Matrix m, int64_t rows, int64_t n,
                            const Factors<const float*>& f, Matrix to) {
    const ColumnsOf<F, 1> g(gradient, 0), x(m, 0);
    const float* const centre = f.centre;
    const float* const a = f.a;
    const float* const b = f.b;
    const float* const c = f.c;
    MapRows(rows, n, to, [&](int64_t r, int64_t i, size_t k) {
      const VecF32 d = Sub(Read<F>(x.x + r * x.pitch + i, k), Read(centre + i, k));
      const VecF32 rest = Fma(d, Read(b + i, k), Read(c + i, k));
      return Fma(Read<F>(g.x + r * g.pitch + i, k), Read(a + i, k), rest);
    });
  }

  static constexpr ElementKernels kSet = {
      Sum,           Moments,        Products,   Affine,        Combine,        Gather,
      ScatterAffine, ScatterCombine, ColumnSums, ColumnMoments, ColumnProducts, ColumnAffine,
      ColumnCombine};
};

}  // namespace

extern constinit const KernelSet kBatchNormKernels;
constinit const KernelSet kBatchNormKernels = {Of<Fp32>::kSet, Of<Fp16>::kSet, Of<Bf16>::kSet};

}  // namespace anyacl::ANYACL_ISA
