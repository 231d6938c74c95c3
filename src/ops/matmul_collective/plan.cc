// SPDX-License-Identifier: Apache-2.0
// The fused operators as steps: product and all-reduce, all-gather and product, product and
// reduce-scatter.
#include "ops/matmul_collective/operators.h"
#include "ops/matmul_collective/plans.h"
#include "ops/ranks/windows.h"

namespace anyacl::matmul_collective {
namespace {

// A vector of a tensor [C], [1, C] or [R, 1].
InnerTensor AsVector(const InnerTensor& tensor, size_t dim) {
  if (!tensor.given() || tensor.layout.shape.rank() == 1) return tensor;
  return tensor.As({tensor.layout.shape[dim]}, {tensor.layout.strides[dim]});
}

// Scales of 64 bits as fp32, which is their lower half.
InnerTensor LowerHalves(InnerTensor scale) {
  scale.layout.dtype = ACL_FLOAT;
  scale.layout.offset *= 2;
  return scale.As(scale.layout.shape, {scale.layout.strides[0] * 2});
}

Dims OutRows(const Operands& operands) {
  const Dims& shape = operands[kOutput].shape();
  return {shape.rank() == 2 ? shape[0] : shape[0] * shape[1], shape.back()};
}

// The product and what each rank adds to it, rows of the output's type.
Status AddSummed(const Operands& operands, Steps& steps, const InnerTensor& x1,
                 const InnerTensor& out) {
  const InnerTensor row_scale = AsVector(TensorOf(operands, kX1Scale), 0);
  if (Status s = AddProduct(operands, steps, x1, steps.Weight(kX2), row_scale, out); !s.ok())
    return s;
  if (!operands.Given(kX3)) return {};
  InnerTensor x3;
  if (Status s = steps.Contiguous(kX3, out.layout.shape, &x3); !s.ok()) return s;
  return steps.Call("aclnnInplaceAdd", {out, x3, 1.0f});
}

Status AddAllReduced(Operands& operands, const std::shared_ptr<RankGroup>& group,
                     PreparedCall* call) {
  if (operands[kOutput].IsEmpty() && !IsQuantised(operands)) return {};
  Steps steps(operands, group->size());
  const Dims rows = OutRows(operands);
  InnerTensor x1;
  if (Status s = steps.Contiguous(kX1, {rows[0], operands.Size("K")}, &x1); !s.ok()) return s;
  const InnerTensor out = steps.Result(kOutput, rows);
  if (Status s = AddSummed(operands, steps, x1, out); !s.ok()) return s;
  steps.AllReduce(out);
  return steps.Finish(group, Alike(operands, kOutput), call);
}

}  // namespace

Status AddProduct(const Operands& operands, Steps& steps, const InnerTensor& x1,
                  const InnerTensor& x2, const InnerTensor& row_scale, const InnerTensor& out) {
  const InnerTensor bias = TensorOf(operands, kBias);
  if (operands[kX2].dtype() != operands[kX1].dtype()) {
    return steps.Call("aclnnWeightQuantBatchMatmulV2",
                      {x1, x2, TensorOf(operands, kX2Scale), TensorOf(operands, kOffset),
                       InnerTensor(), InnerTensor(), bias, operands.Int(kGroupSize), out});
  }
  if (IsQuantised(operands)) {
    InnerTensor scale = TensorOf(operands, kX2Scale);
    scale = AsVector(scale, scale.layout.shape.rank() - 1);
    if (row_scale.given() && BitsOf(scale.layout.dtype) == 64) scale = LowerHalves(scale);
    return steps.Call("aclnnQuantMatmulV4",
                      {x1, x2, scale, InnerTensor(), row_scale, bias, int64_t{0}, int64_t{0}, out});
  }
  if (!bias.given()) return steps.Call("aclnnMm", {x1, x2, out, int64_t{0}});
  return steps.Call("aclnnAddmm", {bias, x1, x2, 1.0f, 1.0f, out, int64_t{0}});
}

Status PrepareAllReduce(Operands& operands, PreparedCall* call) {
  std::shared_ptr<RankGroup> group;
  if (Status s = CheckCall(operands, &group); !s.ok()) return s;
  return AddAllReduced(operands, group, call);
}

// y is the output, or takes the residual's place.
Status PrepareAddRmsNorm(Operands& operands, PreparedCall* call) {
  std::shared_ptr<RankGroup> group;
  if (Status s = CheckCall(operands, &group); !s.ok()) return s;
  const double epsilon = operands.Real(kEpsilon);
  if (!(epsilon > 0 && epsilon < 1)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "epsilon is {}, expected a number between 0 and 1",
                epsilon);
  }
  const Dims& shape = operands[kNormOut].shape();
  const int64_t k = operands.Size("K"), m = operands[kX1].IsEmpty() || k == 0
                                                ? operands[kX1].shape()[0]
                                                : *ElementCount(operands[kX1].shape()) / k;
  if (k == 0) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "x1.shape = {}, expected K of 1 and more",
                operands[kX1].shape().ToString());
  }
  if (operands[kX1].shape().rank() == 2 && !operands[kNormOut].IsEmpty() &&
      m != shape[0] * shape[1]) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "x1.shape = {}, expected the {} rows of residual",
                operands[kX1].shape().ToString(), shape[0] * shape[1]);
  }
  if (operands[kNormOut].IsEmpty()) return {};
  Steps steps(operands, group->size());
  const Dims rows = {m, shape[2]};
  InnerTensor x1;
  if (Status s = steps.Contiguous(kX1, {m, k}, &x1); !s.ok()) return s;
  const InnerTensor sum = steps.Piece("x1 @ x2", operands[kNormOut].dtype(), rows);
  if (Status s = AddSummed(operands, steps, x1, sum); !s.ok()) return s;
  steps.AllReduce(sum);
  const InnerTensor residual = TensorOf(operands, kResidual);
  const InnerTensor y = operands.Given(kOutput) ? TensorOf(operands, kOutput) : residual;
  if (Status s =
          steps.Call("aclnnAddRmsNorm", {sum.As(shape), residual, TensorOf(operands, kGamma),
                                         epsilon, TensorOf(operands, kNormOut), InnerTensor(), y});
      !s.ok()) {
    return s;
  }
  return steps.Finish(group, Alike(operands, kNormOut), call);
}

Status PrepareBarrier(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  std::shared_ptr<RankGroup> group;
  if (Status s = ranks::FindGroup(operands, kGroup, kWorldSize, &group); !s.ok()) return s;
  Steps steps(operands, group->size());
  steps.Add(
      [](const Bindings& bindings, char*, const StopToken&) { return bindings.ranks->Barrier(); });
  return steps.Finish(group, "", call);
}

Status PrepareAllGather(Operands& operands, PreparedCall* call) {
  std::shared_ptr<RankGroup> group;
  if (Status s = CheckCall(operands, &group); !s.ok()) return s;
  const int64_t m = operands.Size("M"), k = operands.Size("K"), n = operands.Size("N");
  const int64_t ranks = group->size(), rows = operands.Size("G");
  if (rows % ranks != 0 || rows / ranks != m) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "output has {} rows, expected {} of each of {} ranks",
                rows, m, ranks);
  }
  Steps steps(operands, group->size());
  InnerTensor x1;
  if (Status s = steps.Contiguous(kX1, {m, k}, &x1); !s.ok()) return s;
  const InnerTensor gathered = operands.Given(kGatherOut)
                                   ? steps.Result(kGatherOut, {rows, k})
                                   : steps.Piece("gatherOut", x1.layout.dtype, {rows, k});
  steps.AllGather(x1, gathered);
  InnerTensor row_scale;
  if (operands.Given(kX1Scale)) {
    if (operands.Size("R") != m) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "x1Scale.shape = {}, expected one for each of {} rows",
                  operands[kX1Scale].shape().ToString(), m);
    }
    InnerTensor own;
    if (Status s = steps.Contiguous(kX1Scale, {operands.Size("R")}, &own); !s.ok()) return s;
    row_scale = steps.Piece("x1Scale", ACL_FLOAT, {operands.Size("R") * ranks});
    steps.AllGather(own, row_scale);
  }
  const InnerTensor out = steps.Result(kOutput, {rows, n});
  if (Status s = AddProduct(operands, steps, gathered, steps.Weight(kX2), row_scale, out); !s.ok())
    return s;
  return steps.Finish(group, Alike(operands, kX1), call);
}

Status PrepareReduceScatter(Operands& operands, PreparedCall* call) {
  std::shared_ptr<RankGroup> group;
  if (Status s = CheckCall(operands, &group); !s.ok()) return s;
  const int64_t m = operands.Size("M"), k = operands.Size("K"), n = operands.Size("N");
  const int64_t ranks = group->size(), rows = operands.Size("P");
  if (m % ranks != 0 || rows != m / ranks) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "x1 has {} rows and output {}, expected a multiple of the {} ranks and its share",
                m, rows, ranks);
  }
  if (operands[kOutput].IsEmpty() && !IsQuantised(operands)) return {};
  Steps steps(operands, group->size());
  InnerTensor x1;
  if (Status s = steps.Contiguous(kX1, {m, k}, &x1); !s.ok()) return s;
  const InnerTensor out = steps.Result(kOutput, {rows, n});
  const InnerTensor product = steps.Piece("x1 @ x2", out.layout.dtype, {m, n});
  if (Status s = AddSummed(operands, steps, x1, product); !s.ok()) return s;
  steps.ReduceScatter(product, out);
  return steps.Finish(group, Alike(operands, kOutput), call);
}

}  // namespace anyacl::matmul_collective
