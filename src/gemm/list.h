// SPDX-License-Identifier: Apache-2.0
// Lists of products: some rows of A each times a matrix of its own, as those of experts, which are
// known only when the list runs. Rows m of a product, columns n, depth k in groups g of equal size:
//
//   INT8   C[m, n] = (float(sum_k A[m, k] B[k, n]) * row_scale[m]) * scale[n]
//   INT4   v_g     = float(sum_{k in g} (A[m, k] - 8) B[k, n])
//          C[m, n] = (v_0 scale[0, n] + v_1 scale[1, n] + ... + bias[n]) * row_scale[m]
//
// A is int8. The sums are exact integers, all else is fp32: terms are added in order of g, each
// fused with its product. C is nobody's matrix: its rows wait in the workspace, some MiB of them,
// until the client's epilogue has seen each of them whole.
#pragma once

#include <cstdint>
#include <functional>

#include "gemm/kernel.h"

namespace anyacl::gemm {

// Matrices B in memory, in bytes: row k of panel p of matrix e begins at
//   e * matrix_step + p * panel_step + k / 16 * block_step + k % 16 * row_step
// and is made of units, which are bytes or the words that hold eight INT4.
struct PanelView {
  int64_t matrix_step = 0;
  int64_t panel_step = 0;
  int64_t block_step = 0;
  int64_t row_step = 0;
  int64_t unit_step = 1;
  int64_t unit_bytes = 1;
};

// Values of the matrices' columns, in elements. Without groups group_step does not count.
struct ColumnView {
  int64_t matrix_step = 0;
  int64_t group_step = 0;
  int64_t column_step = 1;
};

// A validated problem.
struct ListProblem {
  int64_t rows = 0;     // of A: products have so many at the most
  int64_t columns = 0;  // of each B
  Depth depth;
  int64_t products = 0;  // at the most
  int64_t a_row_step = 0;
  int64_t a_column_step = 1;
  Element b_type = Element::kInt8;  // or int4
  PanelView b;
  Element scale_type = Element::kFp32;  // of 64 bits: those of fp32 in the lower half
  ColumnView scale;
  ColumnView bias;  // INT4
  int64_t row_scale_step = 1;
};

struct ListAddresses {
  const int8_t* a = nullptr;
  const char* b = nullptr;
  const char* scale = nullptr;
  const float* bias = nullptr;  // null: zeros
  const float* row_scale = nullptr;
};

struct Product {
  int64_t matrix;
  int64_t row;  // the first of A
  int64_t rows;
};

class ListPlan {
 public:
  explicit ListPlan(const ListProblem& problem);

  uint64_t workspace_bytes() const { return bytes_; }
  static constexpr uint64_t kWorkspaceAlignment = 128;

  // c: the row's columns, which may be overwritten; next: those that are likely to follow.
  using Epilogue = std::function<void(int64_t row, float* c, const float* next)>;
  // Rows of products follow one another without a gap. The epilogue is called from several threads,
  // once for each row.
  void Run(const ListAddresses& addresses, const Product* products, int64_t count, char* workspace,
           const Epilogue& epilogue) const;

 private:
  struct Segment;
  struct Block;
  struct Scratch;

  int64_t Book(int64_t bytes);
  void AddRows(Block& block, const Product& product) const;
  void RunBlock(Block& block) const;
  void Pack(const Block& block) const;
  void PackTile(const Block& block, const Segment& segment, int64_t tile) const;
  void PackDepth(const Block& block, const Segment& segment, int64_t index) const;
  void Multiply(const Block& block) const;
  void MultiplyInPlace(const Block& block, const Segment& segment, int64_t panel,
                       const Scratch& scratch) const;
  void MultiplyPacked(const Block& block, const Segment& segment, int64_t first,
                      const Scratch& scratch) const;
  void Finish(const Block& block) const;
  void LoadColumns(const Block& block, const Segment& segment, int64_t panel, float* scales,
                   float* bias) const;
  const int8_t* PanelOf(const Block& block, const Segment& segment, int64_t panel,
                        int8_t* scratch) const;
  Scratch ScratchOf(char* workspace, int64_t slot) const;
  char* PackedOf(const Block& block, const Segment& segment) const;
  int32_t* SumsOf(const Block& block, const Segment& segment) const;
  float* ResultsOf(const Block& block, const Segment& segment) const;

  const ListProblem p_;
  const ListKernels& kernels_;
  const Arithmetic& arithmetic_;
  const bool ready_;
  const int64_t most_in_place_;  // rows
  const int64_t width_;          // columns of a panel
  const int64_t panels_;         // of a matrix
  int64_t unit_panels_ = 1;
  int64_t block_depth_ = 0;   // k that are packed at a time
  int64_t depth_blocks_ = 0;  // of a group
  int64_t row_bytes_ = 0;     // of a packed row
  int64_t block_rows_ = 0;
  int64_t packed_rows_ = 0;  // of a segment
  int64_t c_step_ = 0;
  int64_t panels_bytes_ = 0;  // of the arithmetic's packed panels
  int64_t scratch_bytes_ = 0;
  int64_t bytes_ = 0;
  // Where in the workspace.
  int64_t packed_ = 0;
  int64_t sums_ = 0;
  int64_t c_ = 0;
  int64_t segments_ = 0;
  int64_t scratch_ = 0;
};

}  // namespace anyacl::gemm
