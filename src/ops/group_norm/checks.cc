// SPDX-License-Identifier: Apache-2.0
// What the tables cannot say.
#include "nnop/output_mask.h"
#include "ops/group_norm/op.h"

namespace anyacl::group_norm {
namespace {

constexpr int kGradients[] = {kGradInput, kGradGamma, kGradBeta};

// Statistics and parameters have the type of the data, or fp32.
Status CheckTypePair(const Operands& operands) {
  const aclDataType data = operands[kGradOut].dtype();
  const aclDataType mean = operands[kMean].dtype();
  if (mean == data || mean == ACL_FLOAT) return {};
  return Fail(operands.spec().codes.dtype, "mean.dtype = {}, expected {}{} as gradOut.dtype = {}",
              NameOf(mean), data == ACL_FLOAT ? "" : "FLOAT or ", NameOf(data), NameOf(data));
}

Status CheckSizes(const Operands& operands) {
  const int code = operands.spec().codes.shape;
  for (int id : {kN, kC, kHxW}) {
    if (operands.Int(id) >= 0) continue;
    return Fail(code, "{} = {}, expected 0 or more", operands.NameOf(id), operands.Int(id));
  }
  const int64_t group = operands.Int(kGroup);
  if (group <= 0) return Fail(code, "group = {}, expected 1 or more", group);
  if (operands.Int(kC) % group == 0) return {};
  return Fail(code, "C = {}, expected a multiple of group = {}", operands.Int(kC), group);
}

Sizes SizesOf(const Operands& operands) {
  return {operands.Int(kN), operands.Int(kC), operands.Int(kHxW), operands.Int(kGroup)};
}

// Where gamma would have told the shape of its gradient.
Status CheckParameterShape(const Operands& operands, int id) {
  const Operand& operand = operands[id];
  const int64_t channels = operands.Int(kC);
  if (!operand.given() || operands[kGamma].given() || operand.shape() == Dims{channels}) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected [C] = [{}] as gamma is null",
              operand.spec->name, operand.shape().ToString(), channels);
}

Status CheckEps(double eps, int code) {
  if (eps > 0) return {};
  return Fail(code, "eps = {}, expected more than 0", eps);
}

Status CheckSameFormat(const Operands& operands) {
  const aclFormat self = operands[kSelf].layout->format;
  const aclFormat out = operands[kOut].layout->format;
  if (self == out) return {};
  return Fail(operands.spec().codes.format, "out.format = {}, expected {} as self.format",
              NameOf(out), NameOf(self));
}

}  // namespace

TensorView RowOf(const Operands& operands, int id) {
  TensorView view = ViewOf(operands, id);
  if (view.given()) CoalesceInOrder({&view, 1});
  return view;
}

Status CheckBackward(Operands& operands, BackwardParams* params) {
  if (Status s = KeepWanted(operands, kOutputMask, kGradients); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = CheckTypePair(operands); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckSizes(operands); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  for (int id : {kGradGamma, kGradBeta}) {
    if (Status s = CheckParameterShape(operands, id); !s.ok()) return s;
  }
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  params->sizes = SizesOf(operands);
  params->dy = RowOf(operands, kGradOut);
  params->x = RowOf(operands, kInput);
  params->mean = RowOf(operands, kMean);
  params->rstd = RowOf(operands, kRstd);
  params->gamma = RowOf(operands, kGamma);
  params->dx = RowOf(operands, kGradInput);
  params->dgamma = RowOf(operands, kGradGamma);
  params->dbeta = RowOf(operands, kGradBeta);
  return {};
}

Status CheckForward(Operands& operands, ForwardParams* params) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = CheckSameFormat(operands); !s.ok()) return s;
  if (Status s = CheckSizes(operands); !s.ok()) return s;
  if (Status s = CheckEps(operands.Real(kEps), operands.spec().codes.shape); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = operands.CheckStrides(); !s.ok()) return s;
  params->sizes = SizesOf(operands);
  params->eps = operands.Real(kEps);
  params->x = RowOf(operands, kSelf);
  params->gamma = RowOf(operands, kGamma);
  params->beta = RowOf(operands, kBeta);
  params->out = RowOf(operands, kOut);
  params->mean = RowOf(operands, kMeanOut);
  params->rstd = RowOf(operands, kRstdOut);
  return {};
}

}  // namespace anyacl::group_norm
