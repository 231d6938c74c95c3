// SPDX-License-Identifier: Apache-2.0
#include "reference/gemm.h"

#include <algorithm>
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

namespace {

// What all processors of x86-64 have lacks fused multiplication: a call of libm's for each product
// took longer than the kernels that it checks.
#if defined(__x86_64__)
#define ANYACL_TEST_FUSED [[gnu::target("avx2,fma")]]
bool HasFused() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
#else
#define ANYACL_TEST_FUSED
bool HasFused() { return true; }
#endif

// A constant number of columns side by side, which compilers make vectors of.
template <int kColumns>
[[gnu::always_inline]] inline void ColumnsFp32(const float* a, const float* b, int64_t depth,
                                               int64_t pitch, float* c) {
  const int64_t part = depth > 16384 ? 2304 : depth;
  float total[kColumns] = {};
  for (int64_t begin = 0; begin < depth; begin += part) {
    float sum[kColumns] = {};
    for (int64_t k = begin; k < depth && k < begin + part; ++k) {
      for (int n = 0; n < kColumns; ++n) sum[n] = std::fma(a[k], b[k * pitch + n], sum[n]);
    }
    for (int n = 0; n < kColumns; ++n) total[n] = begin == 0 ? sum[n] : total[n] + sum[n];
  }
  for (int n = 0; n < kColumns; ++n) c[n] = total[n];
}

template <int kColumns>
[[gnu::always_inline]] inline void ColumnsFp64(const float* a, const float* b, int64_t depth,
                                               int64_t pitch, double* c, double* magnitudes) {
  double sum[kColumns] = {}, magnitude[kColumns] = {};
  for (int64_t k = 0; k < depth; ++k) {
    for (int n = 0; n < kColumns; ++n) {
      const double product = static_cast<double>(a[k]) * static_cast<double>(b[k * pitch + n]);
      sum[n] += product;
      magnitude[n] += std::abs(product);
    }
  }
  for (int n = 0; n < kColumns; ++n) c[n] = sum[n], magnitudes[n] = magnitude[n];
}

constexpr int kMany = 32;

[[gnu::always_inline]] inline void Fp32(const float* a, const float* b, int64_t depth,
                                        int64_t columns, float* c) {
  int64_t n = 0;
  for (; n + kMany <= columns; n += kMany) ColumnsFp32<kMany>(a, b + n, depth, columns, c + n);
  for (; n < columns; ++n) ColumnsFp32<1>(a, b + n, depth, columns, c + n);
}

[[gnu::always_inline]] inline void Fp64(const float* a, const float* b, int64_t depth,
                                        int64_t columns, double* c, double* magnitudes) {
  int64_t n = 0;
  for (; n + kMany <= columns; n += kMany) {
    ColumnsFp64<kMany>(a, b + n, depth, columns, c + n, magnitudes + n);
  }
  for (; n < columns; ++n) ColumnsFp64<1>(a, b + n, depth, columns, c + n, magnitudes + n);
}

ANYACL_TEST_FUSED void FusedFp32(const float* a, const float* b, int64_t depth, int64_t columns,
                                 float* c) {
  Fp32(a, b, depth, columns, c);
}
ANYACL_TEST_FUSED void FusedFp64(const float* a, const float* b, int64_t depth, int64_t columns,
                                 double* c, double* magnitudes) {
  Fp64(a, b, depth, columns, c, magnitudes);
}

}  // namespace

void RowFp32(const float* a, const float* b, int64_t depth, int64_t columns, float* c) {
  (HasFused() ? FusedFp32 : Fp32)(a, b, depth, columns, c);
}

void RowFp64(const float* a, const float* b, int64_t depth, int64_t columns, double* c,
             double* magnitudes) {
  (HasFused() ? FusedFp64 : Fp64)(a, b, depth, columns, c, magnitudes);
}

void RowInteger(const float* a, const float* b, int64_t depth, int64_t columns, int64_t* c) {
  std::fill_n(c, columns, 0);
  for (int64_t k = 0; k < depth; ++k) {
    const auto factor = static_cast<int32_t>(a[k]);
    for (int64_t n = 0; n < columns; ++n) {
      c[n] += factor * static_cast<int32_t>(b[k * columns + n]);
    }
  }
}

}  // namespace anyacl::test
