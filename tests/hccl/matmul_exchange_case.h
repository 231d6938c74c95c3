// SPDX-License-Identifier: Apache-2.0
// What tests of products with exchanges share: numbers, products in double, calls.
#pragma once

#include <cmath>
#include <functional>
#include <thread>

#include "aclnnop/aclnn_allto_all_matmul.h"
#include "aclnnop/aclnn_allto_all_matmul_v2.h"
#include "aclnnop/aclnn_allto_allv_grouped_mat_mul.h"
#include "aclnnop/aclnn_allto_allv_grouped_mat_mul_v2.h"
#include "aclnnop/aclnn_distribute_barrier.h"
#include "aclnnop/aclnn_grouped_mat_mul_allto_allv.h"
#include "aclnnop/aclnn_grouped_mat_mul_allto_allv_v2.h"
#include "aclnnop/aclnn_inplace_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_inplace_quant_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_inplace_weight_quant_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_matmul_allto_all.h"
#include "aclnnop/aclnn_matmul_allto_all_v2.h"
#include "aclnnop/aclnn_quant_matmul_all_reduce_add_rms_norm.h"
#include "aclnnop/aclnn_quant_matmul_allto_all.h"
#include "aclnnop/aclnn_quant_matmul_allto_all_v2.h"
#include "aclnnop/aclnn_weight_quant_matmul_all_reduce_add_rms_norm.h"
#include "hccl/hccl_comm.h"
#include "matrix.h"
#include "ranks.h"
#include "support/expect.h"
#include "support/fixed.h"

namespace anyacl::test::hccl {

using Dims = std::vector<int64_t>;

// -2 to 2, the same for whoever asks.
inline Numbers NumbersOf(uint64_t tensor, uint64_t rank, int64_t count) {
  Numbers numbers;
  FixedSequence sequence(tensor * 7919 + rank * 104729 + 1);
  for (int64_t i = 0; i < count; ++i) {
    numbers.push_back(static_cast<double>(sequence.Bits(24) % 1024) - 512);
    numbers.back() = std::fmod(numbers.back(), 3);
  }
  return numbers;
}

inline Numbers Product(const Numbers& a, const Numbers& b, int64_t m, int64_t k, int64_t n) {
  Numbers c(static_cast<size_t>(m * n));
  for (int64_t i = 0; i < m; ++i) {
    for (int64_t l = 0; l < k; ++l) {
      for (int64_t j = 0; j < n; ++j) {
        c[static_cast<size_t>(i * n + j)] +=
            a[static_cast<size_t>(i * k + l)] * b[static_cast<size_t>(l * n + j)];
      }
    }
  }
  return c;
}

inline Numbers Transposed(const Numbers& a, int64_t rows, int64_t columns) {
  Numbers turned;
  for (int64_t j = 0; j < columns; ++j) {
    for (int64_t i = 0; i < rows; ++i) turned.push_back(a[static_cast<size_t>(i * columns + j)]);
  }
  return turned;
}

// Both phases and the end of the stream.
inline void Call(Rank& rank, const std::function<int(uint64_t*, aclOpExecutor**)>& one,
                 aclnnStatus (*two)(void*, uint64_t, aclOpExecutor*, aclrtStream)) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(one(&size, &executor), 0) << Rank::Message();
  const DeviceBuffer workspace(std::max<uint64_t>(size, 1));
  ASSERT_EQ(two(workspace.data(), size, executor, rank.stream), 0) << Rank::Message();
  ASSERT_EQ(aclrtSynchronizeStream(rank.stream), 0) << Rank::Message();
}

// Rows from a rank to another one's expert; none to some.
inline int64_t RowsBetween(int64_t from, int64_t to, int64_t expert) {
  return (from * 3 + to * 5 + expert * 2) % 4;
}

class ArrayOf {
 public:
  explicit ArrayOf(const std::vector<int64_t>& values)
      : array(aclCreateIntArray(values.data(), values.size())) {}
  ~ArrayOf() { aclDestroyIntArray(array); }
  ArrayOf(const ArrayOf&) = delete;
  ArrayOf& operator=(const ArrayOf&) = delete;
  aclIntArray* const array;
};

// A row tells where it comes from: the rank, the one it goes to, expert and place.
inline Numbers ExpertRow(int64_t from, int64_t to, int64_t expert, int64_t i, int64_t width) {
  return NumbersOf(static_cast<uint64_t>(11 + 100 * to + 10 * expert + i),
                   static_cast<uint64_t>(from), width);
}
inline void Append(Numbers& all, const Numbers& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace anyacl::test::hccl
