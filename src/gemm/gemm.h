// SPDX-License-Identifier: Apache-2.0
// The matrix engine. For every index i of the batch (up to kMaxBatchRank sizes):
//
//   S[i, m, n] = sum over k of A[i, m, k] * B[i, k, n]
//   C[i, m, n] = fma(beta, D[i, m, n], ((S * row_scale[m]) * column_scale[n]) * alpha)
//
// clang-format off
//   A, B     fp32, fp16, bf16 and int8 in any mixture, B int4 too. C: fp32, fp16, bf16, rounded to
//            nearest even
//   groups   of k, each of which has a factor for each column of B, and a number that is added
//            before: with a b_group, B[i, k, n] stands for
//              (B[i, k, n] + b_offset[k / b_group, n]) * b_scale[k / b_group, n],
//            each rounded to fp32; A is no integer then, and all batches share B
//   D        fp32, fp16, bf16, int32 or int8; left out where has_d is false
//   int8     A, and B, int8 or int4: S is int32, modulo 2^32. D of int32 is added to S instead, before
//            the factors; C may be int32 too, which is S (+ D), without factors
//   int4     two in a byte, the first in the lower half; a step of B is 1, the others are even
//   panels   B in FRACTAL_NZ: the dimension whose step is 1 is cut into panels, panel_step apart
//   steps    from row to row, column to column and batch to batch, in elements: any, also negative
//            ones and 0 (a bias is a D with row_step 0; what all batches share has batch_step 0).
//            C's elements are different ones, and no operand's, but D may be C itself
// clang-format on
//
// Numerics: in fp32, except that S is what it was before for int8. The products of an element are
// added in the order of k, each with one rounding, from +0 on, where there are more than 16,384 in
// parts of 2,304, whose sums are added in their order: its bits depend on its row of A and its
// column of B alone, neither on the shape nor on strides, threads or tiers. Only bf16 times
// bf16 goes two k at a time through the machine's dot product where it has one, and matrix
// registers multiply fp16 and fp32 in an order of their own, but few rows or columns
// (docs/numerics.md); with same_bits neither does.
// S is 0 where there are no k, and D is not read where beta is 0.
//
// A plan is immutable and may run in several threads at once, each with a workspace of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "gemm/kernel.h"

namespace anyacl::gemm {

inline constexpr int kMaxBatchRank = 6;
// Where there are more k, sums in fp32 go in parts, and a plan may need less workspace.
inline constexpr int64_t kMostInOneSum = 16384;

struct Matrix {
  Element type = Element::kFp32;
  int64_t row_step = 0;
  int64_t column_step = 1;
  int64_t batch_step[kMaxBatchRank] = {};
  int64_t panel = 0;  // of so many; 0: none
  int64_t panel_step = 0;
};

// A validated problem: all sizes are 0 or more, and whatever the steps lead to is there.
struct Problem {
  int64_t rows = 0;     // of A and C
  int64_t columns = 0;  // of B and C
  int64_t depth = 0;    // columns of A, rows of B
  // Of how many rows and how much depth these are some, if of more. How they are multiplied depends
  // on all of them, so that their bits are those of the whole.
  int64_t all_rows = 0;
  int64_t all_depth = 0;
  int batch_rank = 0;
  int64_t batch[kMaxBatchRank] = {};  // the last one changes fastest
  Matrix a, b, c;
  bool has_d = false;
  Matrix d;
  float alpha = 1;
  float beta = 1;
  bool allows_16_bits = false;  // fp32 of A and B may be rounded to so many
  bool same_bits = false;       // on every tier: multiplied in vectors of fp32
  // Factors of all batches, in fp32.
  bool has_row_scale = false;
  int64_t row_scale_step = 1;
  bool has_column_scale = false;
  int64_t column_scale_step = 1;
  // Groups of k; 0: none. Their matrices have a row for each.
  int64_t b_group = 0;
  Matrix b_scale;
  bool has_b_offset = false;
  Matrix b_offset;
};

// Where the elements (0, ..., 0) are. What the problem does not have is not looked at.
struct Addresses {
  const void* a = nullptr;
  const void* b = nullptr;
  const void* d = nullptr;
  const float* row_scale = nullptr;
  const float* column_scale = nullptr;
  void* c = nullptr;
  const void* b_scale = nullptr;
  const void* b_offset = nullptr;
};

class Plan {
 public:
  explicit Plan(const Problem& problem);

  // Some 25 MiB per thread at the most, whatever the matrices' sizes; kWorkspaceAlignment is 64.
  uint64_t workspace_bytes() const;
  static constexpr uint64_t kWorkspaceAlignment = 64;

  void Run(const Addresses& addresses, char* workspace) const;

 private:
  struct Scratch;
  struct Unit;

  // Where rows are multiplied: copied into the order of tiles, where they lie, or there and by few
  // columns, whose panels stay in the cache while rows stream by.
  enum class Rows : uint8_t { kPacked, kInPlace, kStreamed };
  // Lines of k, which are so many elements apart, as the numbers of each are.
  struct Lines {
    const Matrix& matrix;
    int64_t count;
    int64_t step;
    int64_t depth_step;
  };
  bool MayStayInPlace(const Lines& lines) const;
  bool MayStream(const Lines& lines, int64_t others) const;
  Rows RowsToMultiply() const;
  bool IsShallow() const;
  void ChooseUnits();
  int64_t MostColumnBlocks() const;
  void ChooseBlocks();
  void ChooseShares();
  int64_t depth_blocks() const;
  int64_t LineBytes(int64_t depth) const;
  int64_t scratch_bytes() const;
  Unit UnitOf(int64_t index, const Addresses& addresses) const;
  Scratch ScratchOf(char* workspace, int64_t slot) const;
  void MultiplyFew(const Unit& unit, const Scratch& scratch) const;
  void MultiplyPanels(Unit unit, const Scratch& scratch) const;
  void TakeShare(Unit& unit, char* share) const;
  void MultiplyGroup(const Unit& unit, BlockArgs block, int64_t group, int64_t columns,
                     int64_t end) const;
  void PackRows(const Unit& unit, const Scratch& scratch, int64_t k, int64_t depth, char* to) const;
  void PackShares(const Addresses& addresses, int64_t first, int64_t count, char* workspace) const;
  PackArgs BlockOf(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns,
                   int64_t k, int64_t depth) const;
  void PackColumns(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns,
                   int64_t k, int64_t depth, char* to) const;
  void Widen(PackArgs& args, int8_t* to) const;
  Groups GroupsOf(const Unit& unit, int64_t column) const;
  Ahead RowsAfterFirst(const Unit& unit, int64_t k, int64_t depth) const;
  Ahead Results(const Unit& unit, int64_t column, int64_t columns, int64_t end) const;
  void Doubt(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns) const;
  void Replace(Unit unit, const Scratch& scratch, int64_t column, int64_t columns) const;
  float* SumsOf(const Scratch& scratch, int64_t column) const;
  void AddPart(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns,
               bool first) const;
  void Finish(const Unit& unit, const Scratch& scratch, int64_t column, int64_t columns) const;

  Problem p_;
  bool swapped_ = false;  // C's columns are computed as rows
  bool integers_ = false;
  bool few_ = false;
  Rows rows_ = Rows::kPacked;
  bool shallow_ = false;   // a tile of rows meets all panels of the unit before the next one does
  bool in_parts_ = false;  // sums of many k
  const KernelSet& kernels_;
  const Arithmetic* arithmetic_ = nullptr;
  // Where arithmetic_ has numbers in parts: sums in fp32, for those that come out infinite or NaNs.
  std::shared_ptr<const Plan> in_fp32_;
  int64_t threads_;
  int64_t batches_ = 1;
  // What a unit of work is. Rows and panels are packed in blocks of k, and group_columns_ of the
  // unit's columns, some panels or, of few k, all, at a time.
  int64_t unit_rows_ = 0;
  int64_t unit_columns_ = 0;
  int64_t group_columns_ = 0;
  int64_t block_depth_ = 0;
  int64_t few_columns_ = 0;  // of few rows: multiplied at a time
  int64_t row_depth_ = 0;    // of the rows that are packed before the first panel
  int64_t row_blocks_ = 0;
  int64_t column_blocks_ = 0;
  int64_t grain_ = 1;
  bool sums_wait_ = false;  // of a unit's columns, for the next k
  int64_t sums_step_ = 0;
  bool sums_are_c_ = false;  // C is the sums: those of whole panels end where it lies
  // Blocks of columns that are packed for all their units before these begin; 0: by each unit.
  int64_t shares_ = 0;
  int64_t share_bytes_ = 0;
  // Of one thread's scratch, in bytes.
  int64_t rows_bytes_ = 0;
  int64_t panel_bytes_ = 0;
  int64_t panels_bytes_ = 0;
  int64_t unfolded_bytes_ = 0;
  int64_t widened_bytes_ = 0;
  int64_t sums_bytes_ = 0;
  int64_t totals_bytes_ = 0;
  int64_t corrections_bytes_ = 0;
  int64_t row_ranges_bytes_ = 0;
  int64_t column_ranges_bytes_ = 0;
  int64_t replaced_bytes_ = 0;
};

}  // namespace anyacl::gemm
