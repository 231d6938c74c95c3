// SPDX-License-Identifier: Apache-2.0
#include "reference/gemm.h"

#include <cmath>

namespace anyacl::test {

float DotFp32(const float* a, const float* b, int64_t depth) {
  float sum = 0;
  for (int64_t k = 0; k < depth; ++k) sum = std::fma(a[k], b[k], sum);
  return sum;
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
