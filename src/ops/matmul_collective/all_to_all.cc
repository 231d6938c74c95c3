// SPDX-License-Identifier: Apache-2.0
// Products with an all-to-all before them, which puts the ranks' columns side by side, or behind
// them, which cuts the columns apart.
#include "ops/matmul_collective/operators.h"
#include "ops/matmul_collective/plans.h"

namespace anyacl::matmul_collective {
namespace {

// The product's right, [K, N] however it was given.
Status ReadRight(const Operands& operands, int64_t k, InnerTensor* right) {
  if (operands.Flag(kTurnX1)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "transposeX1 is true, expected false");
  }
  *right = TensorOf(operands, kX2);
  if (operands.Flag(kTurnX2)) *right = right->Turned();
  if (right->layout.shape[0] == k) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "x2.shape = {}, expected {} rows as K is{}",
              operands[kX2].shape().ToString(), k,
              operands.Flag(kTurnX2) ? ", with transposeX2" : "");
}

Status CheckAxes(const Operands& operands, int64_t first, int64_t second) {
  const std::span<const int64_t> axes = operands.Ints(kAxes);
  if (axes.empty() || (axes.size() == 2 && axes[0] == first && axes[1] == second)) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "alltoAllAxesOptional is {}, expected [{}, {}] or none",
              Dims(axes.data(), std::min(axes.size(), Dims::kMaxRank)).ToString(), first, second);
}

// FLOAT goes with both types.
Status CheckBias(const Operands& operands) {
  if (!operands.Given(kBias)) return {};
  const aclDataType bias = operands[kBias].dtype(), out = operands[kOutput].dtype();
  if (bias == ACL_FLOAT || bias == out) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{}.dtype = {}, expected {} or FLOAT",
              operands.NameOf(kBias), NameOf(bias), NameOf(out));
}

Status CheckColumns(const Operands& operands, int64_t n) {
  for (int id : {kBias, kX2Scale}) {
    if (!operands.Given(id) || operands[id].shape()[0] == n) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected [{}], one for each column",
                operands.NameOf(id), operands[id].shape().ToString(), n);
  }
  return {};
}

}  // namespace

Status PrepareAllToAll(Operands& operands, PreparedCall* call) {
  std::shared_ptr<RankGroup> group;
  if (Status s = CheckCall(operands, &group); !s.ok()) return s;
  if (Status s = CheckAxes(operands, -2, -1); !s.ok()) return s;
  if (Status s = CheckBias(operands); !s.ok()) return s;
  const int64_t m = operands.Size("M"), h = operands.Size("H"), rows = operands.Size("P");
  const int64_t ranks = group->size(), n = operands[kOutput].shape()[1];
  InnerTensor right;
  int64_t k = 0;
  if (__builtin_mul_overflow(h, ranks, &k)) k = -1;
  if (Status s = ReadRight(operands, k, &right); !s.ok()) return s;
  if (right.layout.shape[1] != n) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "output.shape = {}, expected the {} columns of x2",
                operands[kOutput].shape().ToString(), right.layout.shape[1]);
  }
  if (Status s = CheckColumns(operands, n); !s.ok()) return s;
  if (m % ranks != 0 || rows != m / ranks) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "x1 has {} rows and output {}, expected a multiple of the {} ranks and its share",
                m, rows, ranks);
  }
  if (operands.Given(kAllToAllOut) && operands[kAllToAllOut].shape()[1] != k) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "alltoAllOutOptional.shape = {}, expected [{}, {}]",
                operands[kAllToAllOut].shape().ToString(), rows, k);
  }
  // x2 is each rank's own: without columns there is an exchange all the same.
  if (rows == 0) return {};
  Steps steps(operands, group->size());
  InnerTensor x1;
  if (Status s = steps.Contiguous(kX1, {ranks, rows, h}, &x1); !s.ok()) return s;
  const InnerTensor received = steps.Piece("x1 of all ranks", x1.layout.dtype, {ranks, rows, h});
  steps.AllToAll(x1, received);
  const InnerTensor left = operands.Given(kAllToAllOut)
                               ? steps.Result(kAllToAllOut, {rows, k})
                               : steps.Piece("alltoAllOut", x1.layout.dtype, {rows, k});
  if (Status s = steps.Copy(left.As({ranks, rows, h}, {h, k, 1}), received); !s.ok()) return s;
  if (Status s =
          AddProduct(operands, steps, left, right, InnerTensor(), steps.Result(kOutput, {rows, n}));
      !s.ok()) {
    return s;
  }
  return steps.Finish(group, Alike(operands, kX1), call);
}

Status PrepareToAllToAll(Operands& operands, PreparedCall* call) {
  std::shared_ptr<RankGroup> group;
  if (Status s = CheckCall(operands, &group); !s.ok()) return s;
  if (Status s = CheckAxes(operands, -1, -2); !s.ok()) return s;
  if (Status s = CheckBias(operands); !s.ok()) return s;
  const int64_t m = operands.Size("M"), k = operands.Size("K"), columns = operands.Size("C");
  const int64_t ranks = group->size(), rows = operands.Size("G");
  InnerTensor right;
  if (Status s = ReadRight(operands, k, &right); !s.ok()) return s;
  const int64_t n = right.layout.shape[1];
  if (Status s = CheckColumns(operands, n); !s.ok()) return s;
  if (n % ranks != 0 || columns != n / ranks || rows % ranks != 0 || rows / ranks != m) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "output.shape = {}, expected {} rows of each of {} ranks and a share of {} columns",
                operands[kOutput].shape().ToString(), m, ranks, n);
  }
  if (operands[kOutput].IsEmpty()) return {};
  Steps steps(operands, group->size());
  InnerTensor x1;
  if (Status s = steps.Contiguous(kX1, {m, k}, &x1); !s.ok()) return s;
  const aclDataType type = operands[kOutput].dtype();
  const InnerTensor product = steps.Piece("x1 @ x2", type, {m, n});
  if (Status s = AddProduct(operands, steps, x1, right, TensorOf(operands, kX1Scale), product);
      !s.ok()) {
    return s;
  }
  const Dims parts = {ranks, m, columns};
  const InnerTensor sent = steps.Piece("x1 @ x2 by rank", type, parts);
  if (Status s = steps.Copy(sent, product.As(parts, {columns, n, 1})); !s.ok()) return s;
  steps.AllToAll(sent, steps.Result(kOutput, {rows, columns}));
  return steps.Finish(group, Alike(operands, kOutput), call);
}

}  // namespace anyacl::matmul_collective
