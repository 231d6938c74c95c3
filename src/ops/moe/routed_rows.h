// SPDX-License-Identifier: Apache-2.0
// Rows of a result, each one of x's: as it is, or quantised on the way, in fp32:
//   static    y = rint(x * scale + offset)
//   dynamic   y = rint(v / s) with s = max|v| / 127, of INT4 / 7, v = x or x times scale's row
#pragma once

#include "kernels.h"
#include "nnop/view.h"
#include "nnop/workspace.h"

namespace anyacl::moe {

enum class Quant : uint8_t { kNone, kStatic, kDynamic };

struct RoutedRows {
  TensorView x, expanded;
  Quant quant = Quant::kNone;
  // Static: of one number each, or absent: `factor` and `summand`. Dynamic: [1, H], or a row for
  // each expert. As it is: a number for each token, which goes where its row goes.
  TensorView scale, offset;
  float factor = 1, summand = 0;
  TensorView row_scale;  // what rows were divided by; or absent

  // `rows` is how many are written.
  void Book(WorkspaceBook& book, int64_t rows);
  // Zeros for a token of -1. `slot` is the thread's.
  void Write(const Bindings& bindings, int64_t row, int64_t token, int64_t expert,
             int64_t slot) const;

  int64_t length() const { return x.sizes[1]; }

 private:
  char* To(const Bindings& bindings, int64_t row) const;
  void Copy(const Bindings& bindings, int64_t row, int64_t token) const;
  void Clear(const Bindings& bindings, int64_t row) const;
  float Quantise(const Bindings& bindings, int64_t token, int64_t expert, float* v,
                 float* factors) const;
  void Store(const Bindings& bindings, int64_t row, const float* v) const;

  WorkspaceSlot<float> numbers_, factors_;
  dynamic_quant::RowKernel quantise_ = nullptr;  // of rows that have one: 16 bits without factors
};

}  // namespace anyacl::moe
