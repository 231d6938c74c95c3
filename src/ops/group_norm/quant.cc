// SPDX-License-Identifier: Apache-2.0
// GroupNormSiluQuant: GroupNormSiluV2 in FLOAT, whose results are divided by a scale for all or for
// each channel, rounded and held within INT8.
#include "ops/group_norm/operators.h"
#include "ops/steps.h"

namespace anyacl::group_norm {

Status PrepareSiluQuant(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims& shape = operands[kSelf].shape();
  if (!operands.Flag(kActivates)) return Fail(code, "activateSilu = false, expected true");
  const int64_t scales = operands[kQuantScale].shape()[0];
  if (scales != 1 && scales != shape[1]) {
    return Fail(code, "quantScale.shape = [{}], expected [1] or [{}]", scales, shape[1]);
  }
  Steps steps(operands);
  InnerTensor self;
  if (Status s = steps.ContiguousAs(kSelf, ACL_FLOAT, &self); !s.ok()) return s;
  // What the norm is multiplied by, and what is added.
  InnerTensor weights[2];
  for (int i = 0; i < 2; ++i) {
    const int id = i == 0 ? kGamma : kBeta;
    InnerTensor& weight = weights[i];
    if (operands.Given(id)) {
      if (Status s = steps.ContiguousAs(id, ACL_FLOAT, &weight); !s.ok()) return s;
      continue;
    }
    weight = steps.Piece(operands.NameOf(id), ACL_FLOAT, {shape[1]});
    if (Status s = steps.Call(i == 0 ? "aclnnInplaceOne" : "aclnnInplaceZero", {weight}); !s.ok()) {
      return s;
    }
  }
  const InnerTensor silu = steps.Piece("the activated norm", ACL_FLOAT, shape);
  if (Status s =
          steps.Call("aclnnGroupNormSiluV2",
                     {self, weights[0], weights[1], operands.Int(kGroup), operands.Real(kEps),
                      int64_t{1}, silu, steps.ContiguousResultAs(kMeanOut, ACL_FLOAT),
                      steps.ContiguousResultAs(kRstdOut, ACL_FLOAT)});
      !s.ok()) {
    return s;
  }
  if (operands[kSelf].IsEmpty()) return steps.Finish(call);
  Dims scale = {scales};
  while (scale.rank() + 1 < shape.rank()) scale.push_back(1);
  const InnerTensor by = TensorOf(operands, kQuantScale);
  Dims by_strides = by.layout.strides;
  while (by_strides.rank() < scale.rank()) by_strides.push_back(0);
  if (Status s = steps.Call("aclnnInplaceDiv", {silu, by.As(scale, by_strides)}); !s.ok()) return s;
  if (Status s = steps.Call("aclnnInplaceRound", {silu}); !s.ok()) return s;
  if (Status s = steps.Call("aclnnClamp", {silu, -128.0f, 127.0f, silu}); !s.ok()) return s;
  if (Status s = steps.Call("aclnnCast", {silu, int64_t{ACL_INT8}, TensorOf(operands, kOut)});
      !s.ok()) {
    return s;
  }
  return steps.Finish(call);
}

}  // namespace anyacl::group_norm
