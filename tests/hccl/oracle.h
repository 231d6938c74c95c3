// SPDX-License-Identifier: Apache-2.0
// What reductions give by the rule of hccl.h: in the order of ranks, 16-bit floating numbers in
// fp32 and rounded once, integers modulo their width. Floating numbers are computed in double and
// rounded after each step, which is what fp32 arithmetic gives: a product is exact, and 53 bits are
// enough for a sum (Figueroa 1995).
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "hccl/hccl_types.h"
#include "support/half.h"

namespace anyacl::test::hccl {

template <class T>
T Pick(HcclReduceOp op, T a, T b) {
  if (a != a) return a;
  if (b != b) return b;
  if (op == HCCL_REDUCE_MAX) return a > b ? a : b;
  return a < b ? a : b;
}

// Integers, as unsigned numbers of the same width where they wrap.
template <class T>
struct Integers {
  using Element = T;
  static T Fold(HcclReduceOp op, const std::vector<T>& values) {
    using Wide = uint64_t;
    T result = values[0];
    for (size_t i = 1; i < values.size(); ++i) {
      const Wide a = static_cast<Wide>(result), b = static_cast<Wide>(values[i]);
      if (op == HCCL_REDUCE_SUM) {
        result = static_cast<T>(a + b);
      } else if (op == HCCL_REDUCE_PROD) {
        result = static_cast<T>(a * b);
      } else {
        result = Pick(op, result, values[i]);
      }
    }
    return result;
  }
  static bool Same(T a, T b) { return a == b; }
};

inline double Step(HcclReduceOp op, double a, double b) {
  if (op == HCCL_REDUCE_SUM) return a + b;
  if (op == HCCL_REDUCE_PROD) return a * b;
  return Pick(op, a, b);
}

struct Doubles {
  using Element = double;
  static double Fold(HcclReduceOp op, const std::vector<double>& values) {
    double result = values[0];
    for (size_t i = 1; i < values.size(); ++i) result = Step(op, result, values[i]);
    return result;
  }
  static bool Same(double a, double b) { return a == b || (a != a && b != b); }
};

struct Floats {
  using Element = float;
  static float Fold(HcclReduceOp op, const std::vector<float>& values) {
    float result = values[0];
    for (size_t i = 1; i < values.size(); ++i) {
      result = static_cast<float>(Step(op, result, values[i]));
    }
    return result;
  }
  static bool Same(float a, float b) { return a == b || (a != a && b != b); }
};

template <float (*Decode)(uint16_t), uint16_t (*Encode)(float)>
struct Halves {
  using Element = uint16_t;
  static uint16_t Fold(HcclReduceOp op, const std::vector<uint16_t>& values) {
    if (values.size() == 1) return values[0];
    float result = Decode(values[0]);
    for (size_t i = 1; i < values.size(); ++i) {
      result = static_cast<float>(Step(op, result, Decode(values[i])));
    }
    return Encode(result);
  }
  static bool Same(uint16_t a, uint16_t b) { return Floats::Same(Decode(a), Decode(b)); }
};

using Fp16 = Halves<DecodeFp16, EncodeFp16>;
using Bf16 = Halves<DecodeBf16, EncodeBf16>;

// Calls fn with an object of the oracle of a type that is reduced.
template <class Fn>
void WithOracle(HcclDataType type, Fn fn) {
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
      return fn(Integers<int8_t>());
    case HCCL_DATA_TYPE_INT16:
      return fn(Integers<int16_t>());
    case HCCL_DATA_TYPE_INT32:
      return fn(Integers<int32_t>());
    case HCCL_DATA_TYPE_FP16:
      return fn(Fp16());
    case HCCL_DATA_TYPE_FP32:
      return fn(Floats());
    case HCCL_DATA_TYPE_INT64:
      return fn(Integers<int64_t>());
    case HCCL_DATA_TYPE_UINT64:
      return fn(Integers<uint64_t>());
    case HCCL_DATA_TYPE_UINT8:
      return fn(Integers<uint8_t>());
    case HCCL_DATA_TYPE_UINT16:
      return fn(Integers<uint16_t>());
    case HCCL_DATA_TYPE_UINT32:
      return fn(Integers<uint32_t>());
    case HCCL_DATA_TYPE_FP64:
      return fn(Doubles());
    case HCCL_DATA_TYPE_BFP16:
      return fn(Bf16());
    default:
      return;
  }
}

inline size_t SizeOf(HcclDataType type) {
  constexpr size_t kSizes[] = {1, 2, 4, 2, 4, 8, 8, 1, 2, 4, 8, 2, 16, 0, 1, 1, 1, 1};
  return kSizes[type];
}

// The reduction of `rows`, one for each rank, of `count` elements.
inline std::vector<char> Reduced(HcclDataType type, HcclReduceOp op,
                                 const std::vector<std::vector<char>>& rows, size_t count) {
  std::vector<char> result(count * SizeOf(type));
  WithOracle(type, [&](auto oracle) {
    using Element = typename decltype(oracle)::Element;
    std::vector<Element> values(rows.size());
    for (size_t i = 0; i < count; ++i) {
      for (size_t r = 0; r < rows.size(); ++r) {
        std::memcpy(&values[r], rows[r].data() + i * sizeof(Element), sizeof(Element));
      }
      const Element folded = oracle.Fold(op, values);
      std::memcpy(result.data() + i * sizeof(Element), &folded, sizeof(Element));
    }
  });
  return result;
}

// The first element in which two results differ, all NaNs being one; `count` if there is none.
inline size_t FirstDifference(HcclDataType type, const char* a, const char* b, size_t count) {
  size_t first = count;
  WithOracle(type, [&](auto oracle) {
    using Element = typename decltype(oracle)::Element;
    for (size_t i = 0; i < count && first == count; ++i) {
      Element x, y;
      std::memcpy(&x, a + i * sizeof(Element), sizeof(Element));
      std::memcpy(&y, b + i * sizeof(Element), sizeof(Element));
      if (!oracle.Same(x, y)) first = i;
    }
  });
  return first;
}

}  // namespace anyacl::test::hccl
