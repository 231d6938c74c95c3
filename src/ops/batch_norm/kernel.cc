// SPDX-License-Identifier: Apache-2.0
#include "ops/batch_norm/kernel.h"

#include "simd/alignment.h"
#include "simd/ordered.h"

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

// The sums of both numbers of term(i, k), which are 0 beyond the k-th.
template <class Term>
inline Sums SumBoth(int64_t n, const Term& term) {
  const VecF32 zero = SetF32(0.0f);
  Sums total = {0, 0};
  for (int64_t j = 0; j < n; j += kBlock) {
    const int64_t end = n - j < kBlock ? n : j + kBlock;
    VecF32 a = zero, b = zero, c = zero, d = zero;
    const auto step = [&](int64_t i, VecF32& first, VecF32& second) {
      const size_t left = end - i < kStep ? static_cast<size_t>(end - i) : kLanes;
      const Two two = term(i, left);
      const Mask in = FirstN(left);
      first = Add(first, Select(in, two.first, zero));
      second = Add(second, Select(in, two.second, zero));
    };
    int64_t i = j;
    for (; i + 2 * kStep <= end; i += 2 * kStep) {
      const Two even = term(i, kLanes), odd = term(i + kStep, kLanes);
      a = Add(a, even.first);
      b = Add(b, even.second);
      c = Add(c, odd.first);
      d = Add(d, odd.second);
    }
    if (i < end) step(i, a, b);
    if (i + kStep < end) step(i + kStep, c, d);
    total.first += static_cast<double>(ReduceSum(Add(a, c)));
    total.second += static_cast<double>(ReduceSum(Add(b, d)));
  }
  return total;
}

// The kernels of elements of one format.
template <class F>
struct Of {
  using Bits = typename F::Bits;

  [[gnu::always_inline]] static VecF32 ReadAt(const void* p, int64_t i, size_t k) {
    return Read<F>(static_cast<const Bits*>(p) + i, k);
  }
  [[gnu::always_inline]] static void WriteAt(void* p, int64_t i, VecF32 v, size_t k) {
    Write<F>(static_cast<Bits*>(p) + i, v, k);
  }

  static double Sum(const void* x, int64_t n) {
    // The second sum costs nothing beside memory and is dropped.
    return SumBoth(n,
                   [&](int64_t i, size_t k) {
                     const VecF32 v = ReadAt(x, i, k);
                     return Two{v, v};
                   })
        .first;
  }

  static Sums Moments(const void* x, int64_t n, float c) {
    const VecF32 centre = SetF32(c);
    return SumBoth(n, [&](int64_t i, size_t k) {
      const VecF32 d = Sub(ReadAt(x, i, k), centre);
      return Two{d, Mul(d, d)};
    });
  }

  static Sums Products(const void* g, const void* x, int64_t n, float c) {
    const VecF32 centre = SetF32(c);
    return SumBoth(n, [&](int64_t i, size_t k) {
      const VecF32 gi = ReadAt(g, i, k);
      return Two{gi, Mul(gi, Sub(ReadAt(x, i, k), centre))};
    });
  }

  // to = value(i, k).
  template <class Value>
  [[gnu::always_inline]] static void Map(int64_t n, void* to, bool stream, const Value& value) {
    auto* const at = static_cast<Bits*>(to);
    if (!stream || reinterpret_cast<uintptr_t>(to) % sizeof(Bits) != 0) {
      return ForVectors(n, [&](int64_t i, size_t k) { WriteAt(to, i, value(i, k), k); });
    }
    const int64_t head = ToAlignment(at, n);
    int64_t i = 0;
    for (; i < head; i += kStep) {
      const size_t k = head - i < kStep ? static_cast<size_t>(head - i) : kLanes;
      WriteAt(to, i, value(i, k), k);
    }
    for (i = head; i + 2 * kStep <= n; i += 2 * kStep) {
      StreamBoth(F(), at + i, value(i, kLanes), value(i + kStep, kLanes));
    }
    for (; i < n; i += kStep) {
      const size_t k = n - i < kStep ? static_cast<size_t>(n - i) : kLanes;
      WriteAt(to, i, value(i, k), k);
    }
  }

  static void Affine(const void* x, int64_t n, const Factors<float>& f, void* to, bool stream) {
    const VecF32 centre = SetF32(f.centre), b = SetF32(f.b), c = SetF32(f.c);
    Map(n, to, stream,
        [&](int64_t i, size_t k) { return Fma(Sub(ReadAt(x, i, k), centre), b, c); });
  }

  static void Combine(const void* g, const void* x, int64_t n, const Factors<float>& f, void* to,
                      bool stream) {
    const VecF32 centre = SetF32(f.centre), a = SetF32(f.a), b = SetF32(f.b), c = SetF32(f.c);
    Map(n, to, stream, [&](int64_t i, size_t k) {
      return Fma(ReadAt(g, i, k), a, Fma(Sub(ReadAt(x, i, k), centre), b, c));
    });
  }

  static constexpr ElementKernels kSet = {Sum, Moments, Products, Affine, Combine};
};

void ColumnSums(Matrix x, int64_t rows, int64_t n, float* sums) {
  ForVectors(n, [&](int64_t i, size_t k) {
    VecF32 sum = Read(x.data + i, k);
    for (int64_t r = 1; r < rows; ++r) sum = Add(sum, Read(x.data + r * x.pitch + i, k));
    Write(sums + i, sum, k);
  });
}

void ColumnMoments(Matrix x, int64_t rows, int64_t n, const float* centres, float* sums,
                   float* squares) {
  ForVectors(n, [&](int64_t i, size_t k) {
    const VecF32 centre = Read(centres + i, k);
    VecF32 sum = SetF32(0.0f), square = sum;
    for (int64_t r = 0; r < rows; ++r) {
      const VecF32 d = Sub(Read(x.data + r * x.pitch + i, k), centre);
      sum = Add(sum, d);
      square = Fma(d, d, square);
    }
    Write(sums + i, sum, k);
    Write(squares + i, square, k);
  });
}

void ColumnProducts(Matrix g, Matrix x, int64_t rows, int64_t n, const float* centres, float* sums,
                    float* products) {
  ForVectors(n, [&](int64_t i, size_t k) {
    const VecF32 centre = Read(centres + i, k);
    VecF32 sum = SetF32(0.0f), product = sum;
    for (int64_t r = 0; r < rows; ++r) {
      const VecF32 gi = Read(g.data + r * g.pitch + i, k);
      sum = Add(sum, gi);
      product = Fma(gi, Sub(Read(x.data + r * x.pitch + i, k), centre), product);
    }
    Write(sums + i, sum, k);
    Write(products + i, product, k);
  });
}

void ColumnAffine(Matrix x, int64_t rows, int64_t n, const Factors<const float*>& f, Matrix to) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* row = x.data + r * x.pitch;
    float* out = to.data + r * to.pitch;
    ForVectors(n, [&](int64_t i, size_t k) {
      const VecF32 d = Sub(Read(row + i, k), Read(f.centre + i, k));
      Write(out + i, Fma(d, Read(f.b + i, k), Read(f.c + i, k)), k);
    });
  }
}

void ColumnCombine(Matrix g, Matrix x, int64_t rows, int64_t n, const Factors<const float*>& f,
                   Matrix to) {
  for (int64_t r = 0; r < rows; ++r) {
    const float* gradient = g.data + r * g.pitch;
    const float* row = x.data + r * x.pitch;
    float* out = to.data + r * to.pitch;
    ForVectors(n, [&](int64_t i, size_t k) {
      const VecF32 d = Sub(Read(row + i, k), Read(f.centre + i, k));
      const VecF32 rest = Fma(d, Read(f.b + i, k), Read(f.c + i, k));
      Write(out + i, Fma(Read(gradient + i, k), Read(f.a + i, k), rest), k);
    });
  }
}

}  // namespace

extern constinit const KernelSet kBatchNormKernels;
constinit const KernelSet kBatchNormKernels = {{Of<Fp32>::kSet, Of<Fp16>::kSet, Of<Bf16>::kSet},
                                               ColumnSums,
                                               ColumnMoments,
                                               ColumnProducts,
                                               ColumnAffine,
                                               ColumnCombine};

}  // namespace anyacl::ANYACL_ISA
