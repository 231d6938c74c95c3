// SPDX-License-Identifier: Apache-2.0
// Plain loops, which compilers turn into vector instructions of the base tier: a reduction of two
// buffers waits for memory, whose rate these instructions reach.
#include "runtime/reduce.h"

#include <cstdint>
#include <type_traits>

#include "base/half_types.h"

namespace anyacl {
namespace {

// The sum of two 16-bit numbers in float is rounded, if at all, where a second rounding to 16 bits
// cannot see it: 24 bits are twice 11 and two more (Figueroa 1995).
template <class T>
T Sum(T a, T b) {
  if constexpr (kIsHalf<T>) {
    return T::From(a.ToFloat() + b.ToFloat());
  } else if constexpr (std::is_integral_v<T>) {
    using Unsigned = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<Unsigned>(static_cast<Unsigned>(a) +  //
                                                static_cast<Unsigned>(b)));
  } else {
    return a + b;
  }
}

// Whether `a` is taken before `b`; a NaN in `b` is taken because no comparison with it holds.
template <class T, bool kMax>
bool IsFirst(T a, T b) {
  if constexpr (kIsHalf<T>) {
    return IsFirst<float, kMax>(a.ToFloat(), b.ToFloat());
  } else {
    return (kMax ? a > b : a < b) || a != a;
  }
}

template <class T>
struct SumOf {
  static T Apply(T a, T b) { return Sum(a, b); }
};
template <class T>
struct MaxOf {
  static T Apply(T a, T b) { return IsFirst<T, true>(a, b) ? a : b; }
};
template <class T>
struct MinOf {
  static T Apply(T a, T b) { return IsFirst<T, false>(a, b) ? a : b; }
};

template <class T, template <class> class Operation>
void Run(void* dst, const void* src, size_t count) {
  auto* to = static_cast<T*>(dst);
  const auto* from = static_cast<const T*>(src);
  for (size_t i = 0; i < count; ++i) to[i] = Operation<T>::Apply(to[i], from[i]);
}

template <class T>
Reduction OfType(aclrtReduceKind kind) {
  switch (kind) {
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM:
      return &Run<T, SumOf>;
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX:
      return &Run<T, MaxOf>;
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN:
      return &Run<T, MinOf>;
    default:
      return nullptr;
  }
}

}  // namespace

Reduction FindReduction(aclrtReduceKind kind, aclDataType type) {
  switch (type) {
    case ACL_INT8:
      return OfType<int8_t>(kind);
    case ACL_INT16:
      return OfType<int16_t>(kind);
    case ACL_INT32:
      return OfType<int32_t>(kind);
    case ACL_UINT32:
      return OfType<uint32_t>(kind);
    case ACL_FLOAT16:
      return OfType<Fp16>(kind);
    case ACL_BF16:
      return OfType<Bf16>(kind);
    case ACL_FLOAT:
      return OfType<float>(kind);
    default:
      return nullptr;
  }
}

}  // namespace anyacl
