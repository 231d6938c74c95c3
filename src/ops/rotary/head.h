// SPDX-License-Identifier: Apache-2.0
// Rows of numbers of a token: pairs turned and norms, in fp32.
#pragma once

#include <cmath>

#include "ops/blocks/blocks.h"
#include "ops/blocks/rows.h"

namespace anyacl::rotary {

// (a, b) -> (a cos - b sin, b cos + a sin) of `count` pairs each; `first` and `second` are not the
// inputs.
inline void Turn(const float* a, const float* b, const float* cos, const float* sin, int64_t count,
                 float* first, float* second) {
  using elementwise::Op;
  const blocks::Rows rows(count);
  rows(Op::kMul, first, a, cos);
  rows(Op::kAddcmul, first, first, b, sin, -1);
  rows(Op::kMul, second, b, cos);
  rows(Op::kAddcmul, second, second, a, sin, 1);
}

// The same, where each half of 2 * `pairs` angles turns its half of `out`.
inline void TurnToHalves(const float* a, const float* b, const float* cos, const float* sin,
                         int64_t pairs, float* out) {
  using elementwise::Op;
  const blocks::Rows rows(pairs);
  rows(Op::kMul, out, a, cos);
  rows(Op::kAddcmul, out, out, b, sin, -1);
  rows(Op::kMul, out + pairs, b, cos + pairs);
  rows(Op::kAddcmul, out + pairs, out + pairs, a, sin + pairs, 1);
}

// x / sqrt(mean x^2 + eps) * gamma * factor of `count` numbers, in place.
inline void RmsNorm(float* x, int64_t count, double eps, const float* gamma, float factor) {
  const auto& kernels = anyacl::Kernels().rowwise.fp32;
  const double squares = kernels.moments(x, count, 0).squares;
  const double rstd = 1 / std::sqrt(squares / static_cast<double>(count) + eps);
  const rowwise::Norm norm = {0, 0, static_cast<float>(rstd), gamma, nullptr, true};
  kernels.normalize(x, count, norm, {x, false});
  if (factor == 1) return;
  const blocks::Rows rows(count);
  rows(elementwise::Op::kMulScalar, x, x, nullptr, nullptr, factor);
}

// A view's elements in their order; nothing if it is not given.
template <class Number>
void LoadAll(const Bindings& bindings, const TensorView& view, Number* to) {
  if (!view.given()) return;
  const char* const data = view.Address(bindings);
  for (int64_t i = 0; i < view.elements(); ++i) {
    to[i] = blocks::LoadOne<Number>(view.dtype, data + view.OffsetOf(i) * BytesOf(view));
  }
}

// x / scale + offset, or with kMul x * scale + offset, as the operators' documents have it, to the
// nearest even; held within INT8 when it is stored. No offset: null.
inline void QuantiseRow(elementwise::Op apply, const float* x, int64_t count, const float* scale,
                        const float* offset, float* out) {
  using elementwise::Op;
  const blocks::Rows rows(count);
  rows(apply, out, x, scale);
  if (offset != nullptr) rows(Op::kAdd, out, out, offset);
  rows(Op::kRound, out, out);
}

// What integers of a product stand for: times a number for each row, then one for each column.
struct ProductFactors {
  TensorView rows, columns;  // contiguous, FLOAT; absent: numbers as they are
};

// Of row `row` the columns `first`, `first + step`, .., whose first element is at `from`.
inline void LoadScaled(const Bindings& bindings, const TensorView& x, const char* from, int64_t row,
                       int64_t first, int64_t step, int64_t count, const ProductFactors& factors,
                       float* to) {
  blocks::LoadRow(x.dtype, from, step * x.strides[x.rank - 1], count, to);
  if (!factors.rows.given()) return;
  const float of_row = reinterpret_cast<const float*>(factors.rows.Address(bindings))[row];
  const float* of_column =
      reinterpret_cast<const float*>(factors.columns.Address(bindings)) + first;
  for (int64_t i = 0; i < count; ++i) to[i] = to[i] * of_row * of_column[i * step];
}

}  // namespace anyacl::rotary
