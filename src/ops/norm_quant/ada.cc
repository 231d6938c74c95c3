// SPDX-License-Identifier: Apache-2.0
// Layer norms whose rows are scaled and shifted, those of a batch alike: the norms of add_norm.h,
// and their gradient in steps of FLOAT.
#include "ops/norm_quant/add_norm.h"
#include "ops/norm_quant/rows_ada.h"
#include "ops/steps.h"

namespace anyacl::norm_quant::ada {
namespace {

// [B.., H] or [B.., 1, H] of x's batches.
Status CheckOfBatch(const Operands& operands, int id) {
  const Dims &x = operands[kX].shape(), &shape = operands[id].shape();
  Dims with = x, without(x.begin(), x.rank() - 1);
  with[x.rank() - 2] = 1;
  without[x.rank() - 2] = x.back();
  if (shape == with || shape == without) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected {} or {}", operands.NameOf(id),
              shape.ToString(), without.ToString(), with.ToString());
}

// Of x's type or FLOAT.
Status CheckTypeOf(const Operands& operands, int id) {
  const aclDataType x = operands[kX].dtype();
  if (!operands.Given(id) || operands[id].dtype() == x || operands[id].dtype() == ACL_FLOAT) {
    return {};
  }
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} or FLOAT",
              operands.NameOf(id), NameOf(operands[id].dtype()), NameOf(x));
}

Status Check(Operands& operands) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckNotEmpty(); !s.ok()) return s;
  for (int id : {kScale, kShift}) {
    if (Status s = CheckOfBatch(operands, id); !s.ok()) return s;
  }
  for (int id : {kWeight, kBias}) {
    if (Status s = CheckTypeOf(operands, id); !s.ok()) return s;
  }
  return {};
}

// The same for all rows of a batch of x.
TensorView OfEachRow(const Operands& operands, int id) {
  const TensorView x = ViewOf(operands, kX), factors = ViewOf(operands, id);
  const int size = x.rank;
  return *Broadcast(factors.rank == size ? factors : WithDim(factors, size - 2),
                    {x.sizes, static_cast<size_t>(size)});
}

}  // namespace

Status PrepareNorm(Operands& operands, PreparedCall* call) {
  if (Status s = Check(operands); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims& x = operands[kX].shape();
  Params params;
  params.eps = operands.Real(kEps);
  if (!(params.eps >= 0)) return Fail(code, "epsilon = {}, expected 0 or more", params.eps);
  params.x1 = ViewOf(operands, kX);
  params.length = x.back();
  params.rows = params.x1.elements() / params.length;
  params.row_scale = OfEachRow(operands, kScale);
  params.row_shift = OfEachRow(operands, kShift);
  params.gamma = ViewOf(operands, kWeight);
  params.beta = ViewOf(operands, kBias);
  params.centres = true;
  if (operands.HasRow(kMode)) {
    if (Status s = operands.CheckText(kMode, {"dynamic"}); !s.ok()) return s;
    if (operands.Given(kOffsets)) {
      return Fail(code, "{} is given, expected null", operands.NameOf(kOffsets));
    }
    params.first = {
        ViewOf(operands, kSmooth), {}, ViewOf(operands, kOut), ViewOf(operands, kSteps)};
    params.divides = false;
  } else {
    params.cast = ViewOf(operands, kOut);
    params.mean = ViewOf(operands, kMean);
    params.rstd = ViewOf(operands, kRstd);
  }
  call->plan = MakePlan(params);
  return {};
}

namespace {

// The gradients of weights have their type, or that of input or FLOAT if there are none.
Status CheckWeightGradient(const Operands& operands, int id) {
  if (!operands.Given(id)) return {};
  for (int weight : {kWeight, kBias}) {
    if (!operands.Given(weight)) continue;
    if (operands[id].dtype() == operands[weight].dtype()) return {};
    return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} as {}.dtype",
                operands.NameOf(id), NameOf(operands[id].dtype()), NameOf(operands[weight].dtype()),
                operands.NameOf(weight));
  }
  return CheckTypeOf(operands, id);
}

Status CheckGradient(Operands& operands) {
  if (Status s = Check(operands); !s.ok()) return s;
  const std::span<const int64_t> row = operands.Ints(kNormalizedShape);
  const int64_t length = operands[kX].shape().back();
  if (row.size() != 1 || row[0] != length) {
    return Fail(operands.spec().codes.shape, "normalizedShape = {}, expected [{}]",
                Dims(row.data(), std::min(row.size(), Dims::kMaxRank)).ToString(), length);
  }
  for (int id : {kMean, kRstd}) {
    if (Status s = CheckTypeOf(operands, id); !s.ok()) return s;
  }
  for (int id : {kDweight, kDbias}) {
    if (Status s = CheckWeightGradient(operands, id); !s.ok()) return s;
  }
  return {};
}

// [batches, rows of each, H], of FLOAT.
class GradientSteps {
 public:
  explicit GradientSteps(Operands& operands) : operands_(operands), steps_(operands) {
    const Dims& x = operands[kX].shape();
    shape_ = {1, x[x.rank() - 2], x.back()};
    for (size_t i = 0; i + 2 < x.rank(); ++i) shape_[0] *= x[i];
  }

  Status Make(PreparedCall* call) {
    for (auto [id, to, last] : {std::tuple{kDy, &dy_, shape_[2]},
                                {kX, &x_, shape_[2]},
                                {kMean, &mean_, int64_t{1}},
                                {kRstd, &rstd_, int64_t{1}}}) {
      if (Status s = steps_.ContiguousAs(id, ACL_FLOAT, to); !s.ok()) return s;
      *to = to->As({shape_[0], shape_[1], last});
    }
    if (Status s = AddNorm(); !s.ok()) return s;
    if (Status s = AddScale(); !s.ok()) return s;
    if (operands_.Given(kDshift)) {
      if (Status s = AddSum(dy_, kDshift); !s.ok()) return s;
    }
    return steps_.Finish(call);
  }

 private:
  // The gradients of the layer norm, whose own gradient is gradOut * (1 + scale).
  Status AddNorm() {
    const bool wanted[] = {operands_.Given(kDx), operands_.Given(kDweight),
                           operands_.Given(kDbias)};
    if (!wanted[0] && !wanted[1] && !wanted[2]) return {};
    InnerTensor scale, dx;
    if (Status s = steps_.ContiguousAs(kScale, ACL_FLOAT, &scale); !s.ok()) return s;
    const InnerTensor dy = steps_.Piece("gradOut * (1 + scale)", ACL_FLOAT, shape_);
    if (Status s = steps_.Call("aclnnModulate",
                               {dy_, scale.As({shape_[0], 1, shape_[2]}), InnerTensor(), dy});
        !s.ok()) {
      return s;
    }
    if (wanted[0]) dx = steps_.ContiguousResultAs(kDx, ACL_FLOAT).As(shape_);
    return steps_.Call("aclnnLayerNormBackward",
                       {dy, x_, IntArray{shape_[2]}, mean_, rstd_, TensorOf(operands_, kWeight),
                        TensorOf(operands_, kBias), BoolArray{wanted[0], wanted[1], wanted[2]}, dx,
                        TensorOf(operands_, kDweight), TensorOf(operands_, kDbias)});
  }

  // What scale multiplies: the norm, made again.
  Status AddScale() {
    if (!operands_.Given(kDscale)) return {};
    const InnerTensor norm = steps_.Piece("the norm", ACL_FLOAT, shape_);
    if (Status s = steps_.Call("aclnnSub", {x_, mean_, 1.0f, norm}); !s.ok()) return s;
    if (Status s = steps_.Call("aclnnInplaceMul", {norm, rstd_}); !s.ok()) return s;
    if (operands_.Given(kWeight)) {
      if (Status s = steps_.Call("aclnnInplaceMul", {norm, TensorOf(operands_, kWeight)});
          !s.ok()) {
        return s;
      }
    }
    if (operands_.Given(kBias)) {
      if (Status s = steps_.Call("aclnnInplaceAdd", {norm, TensorOf(operands_, kBias), 1.0f});
          !s.ok()) {
        return s;
      }
    }
    if (Status s = steps_.Call("aclnnInplaceMul", {norm, dy_}); !s.ok()) return s;
    return AddSum(norm, kDscale);
  }

  // Over the rows of a batch.
  Status AddSum(const InnerTensor& of, int to) {
    const InnerTensor sums = steps_.ContiguousResultAs(to, ACL_FLOAT).As({shape_[0], shape_[2]});
    return steps_.Call("aclnnReduceSum", {of, IntArray{1}, false, int64_t{ACL_FLOAT}, sums});
  }

  Operands& operands_;
  Steps steps_;
  Dims shape_;
  InnerTensor dy_, x_, mean_, rstd_;
};

}  // namespace

Status PrepareGradient(Operands& operands, PreparedCall* call) {
  if (Status s = CheckGradient(operands); !s.ok()) return s;
  return GradientSteps(operands).Make(call);
}

}  // namespace anyacl::norm_quant::ada
