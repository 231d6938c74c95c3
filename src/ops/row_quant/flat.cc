// SPDX-License-Identifier: Apache-2.0
// FlatQuant: two products of the matrix engine, each rounded to x's type, then a scale for each
// token. Threads share tokens.
#include <algorithm>
#include <cmath>

#include "nnop/copy_runs.h"
#include "ops/blocks/blocks.h"
#include "ops/blocks/int4_rows.h"
#include "ops/blocks/rows.h"
#include "ops/row_quant/operators.h"
#include "ops/steps.h"
#include "runtime/parallel.h"

namespace anyacl::row_quant {
namespace {

using elementwise::Op;

constexpr int64_t kFlatTile = blocks::kMostIntegers;  // numbers of a token at a time
constexpr int64_t kFlatWorth = 1 << 14;               // numbers: some 5 us

// The matrices of M tokens, `length` numbers each, contiguous.
struct Tokens {
  InnerTensor from;
  TensorView y{}, scale{};
  int64_t count = 0, length = 0;
  float divisor = 7;

  void Load(const Bindings& bindings, int64_t at, int64_t count_of_tile, float* to) const {
    const aclDataType dtype = from.layout.dtype;
    blocks::LoadRow(dtype, from.Address(bindings) + at * blocks::BytesOf(dtype), 1, count_of_tile,
                    to);
  }

  // NaN if one is.
  float Largest(const Bindings& bindings, int64_t token) const {
    alignas(64) float v[kFlatTile];
    float largest = 0;
    for (int64_t i = 0; i < length; i += kFlatTile) {
      const int64_t n = std::min(kFlatTile, length - i);
      Load(bindings, token * length + i, n, v);
      blocks::Rows{n}(Op::kAbs, v, v);
      const float max = Kernels().rowwise.fp32.softmax.max(v, n);
      if (max > largest || std::isnan(max)) largest = max;
    }
    return largest;
  }

  // `run` numbers follow each other in y.
  void Quantise(const Bindings& bindings, int64_t token, float by) const {
    const int64_t run = y.sizes[y.rank - 1] * blocks::NumbersIn(y.dtype);
    alignas(64) float v[kFlatTile];
    for (int64_t begin = 0; begin < length; begin += run) {
      for (int64_t i = begin; i < begin + run; i += kFlatTile) {
        const int64_t n = std::min(kFlatTile, begin + run - i);
        const blocks::Rows rows(n);
        Load(bindings, token * length + i, n, v);
        rows(Op::kDivScalar, v, v, nullptr, nullptr, by);
        rows(Op::kRound, v, v);
        blocks::StoreIntegers(v, n, y, y.Address(bindings), token * length + i);
      }
    }
  }

  void Run(const Bindings& bindings) const {
    ParallelFor(count, std::max<int64_t>(1, kFlatWorth / length), [&](int64_t begin, int64_t end) {
      for (int64_t token = begin; token < end; ++token) {
        const float by = Largest(bindings, token) / divisor;
        StoreElement(scale.Address(bindings) + token * scale.strides[0] * 4, by);
        Quantise(bindings, token, by);
      }
    });
  }
};

Status CheckSizes(const Operands& operands) {
  const Dims& x = operands[kX].shape();
  constexpr int64_t kMost[] = {262144, 256, 256};
  for (size_t i = 0; i < 3; ++i) {
    if (x[i] >= 1 && x[i] <= kMost[i]) continue;
    return Fail(operands.spec().codes.shape, "x.shape[{}] = {}, expected 1 to {}", i, x[i],
                kMost[i]);
  }
  if (operands[kY].dtype() == ACL_INT4 && x[2] % 2 != 0) {
    return Fail(operands.spec().codes.shape,
                "x.shape[2] = {}, expected an even number for out.dtype = INT4", x[2]);
  }
  const double clip = operands.Real(kClipRatio);
  if (clip > 0 && clip <= 1) return {};
  return Fail(operands.spec().codes.shape, "clipRatio = {}, expected above 0 and at most 1", clip);
}

}  // namespace

Status PrepareFlatQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckSizes(operands); !s.ok()) return s;
  const Dims& shape = operands[kX].shape();
  const int64_t m = shape[0], n1 = shape[1], n2 = shape[2];
  constexpr int64_t kKeepTypes = 0;
  Steps steps(operands);
  InnerTensor x;
  if (Status s = steps.Contiguous(kX, {m * n1, n2}, &x); !s.ok()) return s;
  const aclDataType dtype = operands[kX].dtype();
  const InnerTensor right = steps.Piece("x @ kroneckerP2", dtype, {m * n1, n2});
  if (Status s = steps.Call("aclnnMm", {x, TensorOf(operands, kRight), right, kKeepTypes});
      !s.ok()) {
    return s;
  }
  Tokens tokens = {.from = steps.Piece("kroneckerP1 @ (x @ kroneckerP2)", dtype, shape),
                   .y = ViewOf(operands, kY),
                   .scale = ViewOf(operands, kScaleOut),
                   .count = m,
                   .length = n1 * n2};
  if (Status s = steps.Call("aclnnMatmul",
                            {TensorOf(operands, kLeft), right.As(shape), tokens.from, kKeepTypes});
      !s.ok()) {
    return s;
  }
  if (tokens.y.IsContiguous()) {
    tokens.y = Reshaped(tokens.y, {m, tokens.length / blocks::NumbersIn(tokens.y.dtype)});
  }
  tokens.divisor = 7 / static_cast<float>(operands.Real(kClipRatio));
  steps.Add([tokens](const Bindings& bindings, char*, const StopToken&) {
    tokens.Run(bindings);
    return Status();
  });
  return steps.Finish(call);
}

}  // namespace anyacl::row_quant
