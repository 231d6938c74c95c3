// SPDX-License-Identifier: Apache-2.0
// The gradient of the weights as products on the matrix engine's kernels:
//
//   dw[g, m, c, t] = sum over n, p of y[n, g, m, p] * x[n, g, c, p * stride + shift of t]
//
// The sum over all positions is cut where the problem alone says, and its parts are added up in
// their order: its bits depend neither on threads nor on what else is computed.
#pragma once

#include "nnop/executor.h"
#include "nnop/workspace.h"
#include "ops/convolution/op.h"

namespace anyacl::convolution {

class WeightGradient {
 public:
  WeightGradient(const Relation& relation, const Image& gradient, WorkspaceBook& book);

  void Run(const Bindings& bindings) const;

 private:
  struct Job;
  struct Scratch;

  void ChooseBlocks();
  void Multiply(const Job& job, int64_t unit, int64_t slot) const;
  void PackRows(const Job& job, const Scratch& scratch, int64_t group, int64_t row, int64_t rows,
                int64_t position, int64_t count) const;
  void PackColumns(const Job& job, const Scratch& scratch, int64_t group, int64_t column,
                   int64_t columns, int64_t position, int64_t count) const;
  void AddParts(const Job& job, int64_t line) const;
  void StoreChannels(const Job& job, int64_t line, const float* sums) const;
  void StoreTaps(const Job& job, int64_t line, int64_t first, int64_t count,
                 const float* sums) const;
  Scratch ScratchOf(char* scratch, int64_t slot) const;

  const Correlation c_;  // from x to y: its taps
  const Image y_;        // joined for itself
  int64_t y_sizes_[kSpatial];
  const Image gradient_;
  const gemm::Arithmetic& arithmetic_;
  const StripRows strip_rows_;
  int64_t x_bytes_;
  int64_t y_bytes_;
  int64_t positions_;
  int64_t depth_;      // columns of the product: channels of x and taps
  int64_t line_step_;  // of the gradient; 0: taps are apart from each other
  int64_t unit_rows_ = 0;
  int64_t unit_columns_ = 0;
  int64_t row_blocks_ = 0;
  int64_t column_blocks_ = 0;
  int64_t block_ = 0;  // positions that are packed at a time
  int64_t parts_ = 1;
  int64_t part_ = 0;  // positions of a part
  int64_t rows_bytes_ = 0;
  int64_t panel_bytes_ = 0;
  int64_t panels_bytes_ = 0;
  int64_t gathered_bytes_ = 0;
  int64_t strip_bytes_ = 0;  // of columns gathered from strips; 0: there are none
  int64_t runs_bytes_ = 0;
  int64_t scratch_bytes_ = 0;
  WorkspaceSlot<char> scratch_;
  WorkspaceSlot<float> sums_;
};

}  // namespace anyacl::convolution
