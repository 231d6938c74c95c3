// SPDX-License-Identifier: Apache-2.0
// Blocks of all sources, one after another, are combined in L1. Loops over plain arrays are for the
// compiler to turn into vectors: it has all of the types on every tier.
#include "hccl/kernel.h"
#include "simd/simd.h"

namespace anyacl::ANYACL_ISA {
namespace {

// Of one source: a page, as far as a stream is fetched ahead.
constexpr size_t kBlockBytes = 4096;

// What type integers of T are computed in, so that they wrap around: at least unsigned, since
// narrower ones would be promoted to int.
template <class T>
struct Wrapping {
  using Type = unsigned;
};
template <>
struct Wrapping<int64_t> {
  using Type = uint64_t;
};
template <>
struct Wrapping<uint64_t> {
  using Type = uint64_t;
};
template <>
struct Wrapping<float> {
  using Type = float;
};
template <>
struct Wrapping<double> {
  using Type = double;
};

struct SumOf {
  template <class T>
  static T Of(T a, T b) {
    using W = typename Wrapping<T>::Type;
    return static_cast<T>(static_cast<W>(a) + static_cast<W>(b));
  }
};
struct ProductOf {
  template <class T>
  static T Of(T a, T b) {
    using W = typename Wrapping<T>::Type;
    return static_cast<T>(static_cast<W>(a) * static_cast<W>(b));
  }
};
// No comparison holds with a NaN in b, which is taken then. Without jumps, so | and not ||.
struct MaxOf {
  template <class T>
  static T Of(T a, T b) {
    return (a > b) | (a != a) ? a : b;
  }
};
struct MinOf {
  template <class T>
  static T Of(T a, T b) {
    return (a < b) | (a != a) ? a : b;
  }
};

// Elements that are numbers: the loops below know that what they write is apart from what they
// read, unless they say that it is the same.
template <class T>
struct Same {
  using Element = T;
  using Number = T;

  static void Widen(Number* __restrict to, const Element* __restrict from, size_t n) {
    __builtin_memcpy(to, from, n * sizeof(T));
  }
  template <class Op>
  static void Combine(Number* __restrict to, const Element* __restrict from, size_t n) {
    for (size_t i = 0; i < n; ++i) to[i] = Op::Of(to[i], from[i]);
  }
  template <class Op>
  static void Finish(Element* to, const Number* first, const Element* last, size_t n) {
    if (to == last) {
      FinishInPlace<Op>(to, first, n);
    } else {
      FinishApart<Op>(to, first, last, n);
    }
  }

 private:
  template <class Op>
  static void FinishInPlace(Element* __restrict to, const Number* __restrict first, size_t n) {
    for (size_t i = 0; i < n; ++i) to[i] = Op::Of(first[i], to[i]);
  }
  template <class Op>
  static void FinishApart(Element* __restrict to, const Number* __restrict first,
                          const Element* __restrict last, size_t n) {
    for (size_t i = 0; i < n; ++i) to[i] = Op::Of(first[i], last[i]);
  }
};

// 16-bit floating numbers, a vector at a time.
struct Fp16Format {
  static VecF32 Load(const uint16_t* p) { return LoadFp16(p); }
  static VecF32 Load(const uint16_t* p, size_t n) { return LoadFp16(p, n); }
  static void Store(uint16_t* p, VecF32 v) { StoreFp16(p, v); }
  static void Store(uint16_t* p, VecF32 v, size_t n) { StoreFp16(p, v, n); }
};
struct Bf16Format {
  static VecF32 Load(const uint16_t* p) { return LoadBf16(p); }
  static VecF32 Load(const uint16_t* p, size_t n) { return LoadBf16(p, n); }
  static void Store(uint16_t* p, VecF32 v) { StoreBf16(p, v); }
  static void Store(uint16_t* p, VecF32 v, size_t n) { StoreBf16(p, v, n); }
};

inline VecF32 OfLanes(SumOf, VecF32 a, VecF32 b) { return Add(a, b); }
inline VecF32 OfLanes(ProductOf, VecF32 a, VecF32 b) { return Mul(a, b); }
inline VecF32 OfLanes(MaxOf, VecF32 a, VecF32 b) { return Select(Equal(a, a), Max(a, b), a); }
inline VecF32 OfLanes(MinOf, VecF32 a, VecF32 b) { return Select(Equal(a, a), Min(a, b), a); }

template <class Format>
struct Narrow {
  using Element = uint16_t;
  using Number = float;

  static void Widen(float* to, const uint16_t* from, size_t n) {
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) Store(to + i, Format::Load(from + i));
    if (i < n) Store(to + i, Format::Load(from + i, n - i), n - i);
  }
  template <class Op>
  static void Combine(float* to, const uint16_t* from, size_t n) {
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      Store(to + i, OfLanes(Op(), Load(to + i), Format::Load(from + i)));
    }
    if (i < n) {
      const size_t rest = n - i;
      Store(to + i, OfLanes(Op(), Load(to + i, rest), Format::Load(from + i, rest)), rest);
    }
  }
  template <class Op>
  static void Finish(uint16_t* to, const float* first, const uint16_t* last, size_t n) {
    size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
      Format::Store(to + i, OfLanes(Op(), Load(first + i), Format::Load(last + i)));
    }
    if (i < n) {
      const size_t rest = n - i;
      Format::Store(to + i, OfLanes(Op(), Load(first + i, rest), Format::Load(last + i, rest)),
                    rest);
    }
  }
};

template <class Op, class Type>
void Reduce(void* to, const void* const* from, int sources, size_t elements) {
  using Element = typename Type::Element;
  auto* result = static_cast<Element*>(to);
  if (sources == 1) {
    if (to != from[0]) __builtin_memcpy(to, from[0], elements * sizeof(Element));
    return;
  }
  constexpr size_t kBlock = kBlockBytes / sizeof(Element);
  alignas(kVectorBytes) typename Type::Number numbers[kBlock];
  for (size_t begin = 0; begin < elements; begin += kBlock) {
    const size_t n = elements - begin < kBlock ? elements - begin : kBlock;
    const auto block = [&](int source) {
      return static_cast<const Element*>(from[source]) + begin;
    };
    Type::Widen(numbers, block(0), n);
    for (int i = 1; i < sources - 1; ++i) Type::template Combine<Op>(numbers, block(i), n);
    Type::template Finish<Op>(result + begin, numbers, block(sources - 1), n);
  }
}

// In the order of HcclDataType and of HcclReduceOp.
template <class Op>
constexpr hccl::TypedReductions kReductionsOf = {
    Reduce<Op, Same<int8_t>>,       Reduce<Op, Same<int16_t>>, Reduce<Op, Same<int32_t>>,
    Reduce<Op, Narrow<Fp16Format>>, Reduce<Op, Same<float>>,   Reduce<Op, Same<int64_t>>,
    Reduce<Op, Same<uint64_t>>,     Reduce<Op, Same<uint8_t>>, Reduce<Op, Same<uint16_t>>,
    Reduce<Op, Same<uint32_t>>,     Reduce<Op, Same<double>>,  Reduce<Op, Narrow<Bf16Format>>,
};

}  // namespace

constinit const hccl::KernelSet kHcclKernels = {
    {kReductionsOf<SumOf>, kReductionsOf<ProductOf>, kReductionsOf<MaxOf>, kReductionsOf<MinOf>}};

}  // namespace anyacl::ANYACL_ISA
