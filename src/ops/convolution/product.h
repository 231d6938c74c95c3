// SPDX-License-Identifier: Apache-2.0
// A Correlation as products on the matrix engine's kernels: packed weights times columns that are
// gathered from the image a block at a time. No matrix of all columns exists.
#pragma once

#include "gemm/kernel.h"
#include "nnop/executor.h"
#include "nnop/workspace.h"
#include "ops/convolution/op.h"

namespace anyacl::convolution {

class Product {
 public:
  // For correlations like this one, of at most so many taps.
  Product(const Correlation& correlation, int64_t taps, WorkspaceBook& book);

  void Run(const Correlation& correlation, const Bindings& bindings) const;

 private:
  struct Job;
  struct Scratch;
  struct Columns;

  bool HasWholeChannels(int64_t taps) const;
  int64_t BlockDepth(int64_t channels, int64_t taps) const;
  bool WeightsStay(const Job& job) const;
  void PackWeights(const Job& job) const;
  void PackBlock(const Job& job, int64_t group, int64_t row, int64_t rows, int64_t k, int64_t depth,
                 char* gathered, char* to) const;
  void Multiply(const Job& job, int64_t group, int64_t row, int64_t column, int64_t slot) const;
  // `leaves`: panels whose vectors each lie in one line of the strip may stay there. Whether they
  // have (Strip::IsWhole).
  bool PackColumns(const Job& job, const Columns& columns, const Scratch& scratch, int64_t k,
                   int64_t depth, bool leaves, char* to) const;
  void ShareColumns(const Job& job) const;
  void FillSums(const Job& job, int64_t group, int64_t row, int64_t rows, float* sums) const;
  void Store(const Job& job, int64_t group, int64_t row, int64_t rows, const Scratch& scratch,
             int64_t runs) const;
  Scratch ScratchOf(char* workspace, int64_t slot) const;

  const gemm::KernelSet& kernels_;
  const gemm::Arithmetic& arithmetic_;
  const StripRows strip_rows_;
  int64_t element_bytes_;  // of the image
  int64_t weight_bytes_;
  int64_t unit_rows_ = 0;
  int64_t row_blocks_ = 0;
  int64_t columns_ = 0;      // of a unit of work
  int64_t block_depth_ = 0;  // at the most
  int64_t rows_bytes_ = 0;   // of a packed block of weights
  int64_t panel_bytes_ = 0;
  int64_t gathered_bytes_ = 0;
  int64_t scratch_bytes_ = 0;
  int64_t panels_bytes_ = 0;
  bool shares_ = false;  // columns among blocks of rows
  int64_t blocks_ = 0;   // of k, at the most
  WorkspaceSlot<char> packed_;
  WorkspaceSlot<char> shared_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace anyacl::convolution
