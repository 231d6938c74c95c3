// SPDX-License-Identifier: Apache-2.0
// One product: its matrices in memory of exactly their size, and what the formula of gemm.h gives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gemm/gemm.h"
#include "support/guarded_bytes.h"
#include "support/random.h"

namespace anyacl::test {

// How a matrix lies in memory.
enum class Layout { kRows, kColumns, kGaps, kBackwards };

// A matrix of every batch, with elements in between that belong to nobody.
class TestMatrix {
 public:
  TestMatrix() = default;
  // `shared`: one matrix for all batches.
  TestMatrix(Element type, int64_t batches, int64_t rows, int64_t columns, Layout layout,
             bool shared);

  void Fill(Random& random);
  gemm::Matrix matrix() const { return matrix_; }
  // Null without elements.
  void* data() const { return bytes_.empty() ? nullptr : bytes_.data() + base_ * size_; }
  void Set(int64_t batch, int64_t row, int64_t column, double value);
  void SetBits(int64_t batch, int64_t row, int64_t column, uint64_t bits);
  double At(int64_t batch, int64_t row, int64_t column) const;
  // The element's bits, or what stands there before anything has been written.
  uint32_t BitsAt(int64_t batch, int64_t row, int64_t column) const;
  // Of a batch, row by row.
  std::vector<float> Numbers(int64_t batch) const;
  // Whether every byte that is no element is what it was at first.
  bool GapsAreUntouched() const;

 private:
  int64_t IndexOf(int64_t batch, int64_t row, int64_t column) const;

  gemm::Matrix matrix_;
  int64_t batches_ = 0, rows_ = 0, columns_ = 0;
  int64_t size_ = 1;
  int64_t base_ = 0;
  GuardedBytes bytes_;
};

struct Case {
  gemm::Problem problem;
  TestMatrix a, b, c, d;
  std::vector<float> row_scale, column_scale;

  // After the sizes and types of the problem, alpha, beta and whether there is a d are set.
  void Place(Random& random, const std::vector<Layout>& layouts, bool share_b);
  void Run();
  // Every element of C has the bits of the formula, or is within the bound where the machine may
  // sum up in an order of its own, and nothing else is written. Empty, or what is wrong.
  std::string Check() const;
  std::string Description() const;

 private:
  // Row m of batch i, from the numbers of A's row and B; empty, or what is wrong.
  std::string CheckBits(int64_t i, int64_t m, const float* row, const float* columns) const;
  std::string CheckNear(int64_t i, int64_t m, const float* row, const float* columns) const;
  std::string Place(int64_t i, int64_t m, int64_t n) const;
};

// Without types, layouts and memory.
Case SizedCase(int64_t rows, int64_t columns, int64_t depth);

// Whether products of these types may take an order and roundings that only this machine has.
bool MayTakeAnyOrder(const gemm::Problem& problem);

}  // namespace anyacl::test
