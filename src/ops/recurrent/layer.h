// SPDX-License-Identifier: Apache-2.0
// What LSTM and GRU share: sizes and rules, rows of fp32 numbers, products, who comes after whom.
#pragma once

#include <algorithm>
#include <initializer_list>

#include "gemm/gemm.h"
#include "kernels.h"
#include "nnop/view.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"
#include "ops/recurrent/operators.h"
#include "runtime/parallel.h"

namespace anyacl::recurrent {

struct Sizes {
  int64_t steps, batch, inputs, hidden;
  int64_t gates;  // columns of the weights: 4 or 3 times hidden

  int64_t rows() const { return steps * batch; }
};

// In which order the steps are taken.
struct Order {
  bool backwards = false;  // the last step first
  int64_t steps = 0;

  int64_t At(int64_t n) const { return backwards ? steps - 1 - n : n; }
};

// Which steps of each sequence count, as factors of 0 and 1 for each element.
class Valid {
 public:
  Valid() = default;
  explicit Valid(const TensorView& lengths) : view_(lengths) {}
  bool given() const { return view_.given(); }
  // Of an element of the batch at a step.
  void Read(const Bindings& bindings, const Sizes& sizes, int64_t step, int64_t index,
            float* to) const;

 private:
  TensorView view_;  // [batch], or [steps, batch, hidden]
};

// What every layer has.
struct Layer {
  Sizes sizes;
  Order order;
  TensorView x, weight, hidden_weight, bias, init_h;
  bool joined = false;  // the state's weight stands below the input's
  Valid valid;
  TensorView y, h;
};

// The rules of all: attributes that have one value here, absent peepholes, tensors without
// dimensions that stand for absent ones, the direction, and the weights' sizes; then the views.
Status BuildLayer(Operands& operands, int64_t gates, Layer* layer);

using blocks::Rows;
using elementwise::Op;

// Null for an absent tensor.
inline const char* AddressOf(const Bindings& bindings, const TensorView& view) {
  return view.given() ? view.Address(bindings) : nullptr;
}

// A row of a tensor as fp32 numbers, whatever its type; nothing happens for an absent tensor.
void ReadRow(const Bindings& bindings, const TensorView& view, int64_t row, int64_t count,
             float* to);
void WriteRow(const Bindings& bindings, const TensorView& view, int64_t row, int64_t count,
              const float* from);

// The same for row `row` of several tensors.
template <class Number>
struct RowOf {
  const TensorView& view;
  Number* numbers;
};
void ReadRows(const Bindings& bindings, int64_t row, int64_t count,
              std::initializer_list<RowOf<float>> rows);
void WriteRows(const Bindings& bindings, int64_t row, int64_t count,
               std::initializer_list<RowOf<const float>> rows);

// An operand of a product: a tensor of the call, or fp32 numbers of the workspace.
struct Side {
  Element type = Element::kFp32;
  int64_t row_step, column_step = 1;
};
Side SideOf(const TensorView& view, int64_t columns);
Side Transposed(const Side& side);

// c = a b, + d where there is one.
gemm::Problem ProductOf(int64_t rows, int64_t columns, int64_t depth, const Side& a, const Side& b,
                        const Side& c);
gemm::Problem ProductOf(int64_t rows, int64_t columns, int64_t depth, const Side& a, const Side& b,
                        const Side& c, const Side& d);
// The gates' shares, of numbers of the workspace: a row of `bias`, if it is given, is added.
gemm::Problem GatesOf(int64_t rows, int64_t columns, int64_t depth, const Side& a, const Side& b,
                      const TensorView& bias);
gemm::Problem InputGates(const Layer& layer);

// The state's weight.
const TensorView& HiddenWeight(const Layer& layer);
const char* HiddenWeight(const Bindings& bindings, const Layer& layer);

// body(b) for each sequence of the batch, from several threads. A row costs five functions of some
// 2 ns per element.
template <class Body>
void ForSequences(const Sizes& sizes, const Body& body) {
  const int64_t grain = std::max<int64_t>(1, 2048 / std::max<int64_t>(sizes.hidden, 1));
  ParallelFor(sizes.batch, grain, [&](int64_t begin, int64_t end) {
    for (int64_t b = begin; b < end; ++b) body(b);
  });
}

}  // namespace anyacl::recurrent
