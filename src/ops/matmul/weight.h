// SPDX-License-Identifier: Apache-2.0
// Weights that clients have prepared. aclnnTransMatmulWeight leaves their elements where they are,
// since products read them in any order at the same speed, and clients then call them FRACTAL_NZ.
// What aclnnNpuFormatCast makes lies in panels, which the matrix engine reads.
#pragma once

#include "gemm/gemm.h"
#include "nnop/operands.h"
#include "nnop/view.h"

namespace anyacl::matmul {

// Matrices [.., K, N] in panels of some columns, or of some rows where the tensor is the transposed
// view of one that was put into panels.
struct Panels {
  int64_t width = 0;  // 0: none
  int64_t step = 0;   // from panel to panel, in elements
  TensorView view;    // [.., K, N] with strides within a panel
  TensorLayout storage;

  bool given() const { return width > 0; }
  void Put(gemm::Matrix& matrix) const {
    matrix.panel = width;
    matrix.panel_step = step;
  }
};

// A tensor called FRACTAL_NZ whose storage has two dimensions more than its shape is in panels.
Status ReadPanels(const Operands& operands, int id, Panels* panels, size_t list_index = 0);

// What the launch checks of a tensor in panels is its storage. After the last look at its shape.
void SeeStorage(Operands& operands, int id, const Panels& panels, size_t list_index = 0);

}  // namespace anyacl::matmul
