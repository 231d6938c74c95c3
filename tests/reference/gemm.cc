// SPDX-License-Identifier: Apache-2.0
#include "reference/gemm.h"

#include <cmath>

namespace anyacl::test {

aclDataType DataTypeOf(Element type) {
  switch (type) {
    case Element::kFp32:
      return ACL_FLOAT;
    case Element::kFp16:
      return ACL_FLOAT16;
    case Element::kBf16:
      return ACL_BF16;
    case Element::kInt8:
      return ACL_INT8;
    case Element::kInt32:
      return ACL_INT32;
    case Element::kInt4:
      return ACL_INT4;
    default:
      return ACL_DT_UNDEFINED;
  }
}

float DotFp32(const float* a, const float* b, int64_t depth) {
  const int64_t part = depth > 16384 ? 2304 : depth;
  float total = 0;
  for (int64_t begin = 0; begin < depth; begin += part) {
    float sum = 0;
    for (int64_t k = begin; k < depth && k < begin + part; ++k) sum = std::fma(a[k], b[k], sum);
    total = begin == 0 ? sum : total + sum;
  }
  return total;
}

int64_t DotInteger(const float* a, const float* b, int64_t depth) {
  int64_t sum = 0;
  for (int64_t k = 0; k < depth; ++k) {
    sum += static_cast<int64_t>(a[k]) * static_cast<int64_t>(b[k]);
  }
  return sum;
}

PreciseDot DotFp64(const float* a, const float* b, int64_t depth) {
  PreciseDot dot;
  for (int64_t k = 0; k < depth; ++k) {
    const double product = static_cast<double>(a[k]) * static_cast<double>(b[k]);
    dot.sum += product;
    dot.magnitude += std::abs(product);
  }
  return dot;
}

}  // namespace anyacl::test
