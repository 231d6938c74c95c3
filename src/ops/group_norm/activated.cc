// SPDX-License-Identifier: Apache-2.0
// The documents' rules of activated group norms, and what their calls come to.

#include "ops/group_norm/op.h"

namespace anyacl::group_norm {
namespace {

// Of the tensor [N, C, ...] and the integer that says how many groups C has.
Status ReadSizes(const Operands& operands, int data, Sizes* sizes) {
  const int code = operands.spec().codes.shape;
  const Dims& shape = operands[data].shape();
  // A product that does not fit is that of a tensor without elements.
  const int64_t area = ElementCount(Dims(shape.begin() + 2, shape.rank() - 2)).value_or(0);
  *sizes = {shape[0], shape[1], area, operands.Int(kGroup)};
  if (sizes->groups <= 0) {
    return Fail(code, "{} = {}, expected 1 or more", operands.NameOf(kGroup), sizes->groups);
  }
  if (sizes->channels % sizes->groups != 0) {
    return Fail(code, "{}.shape[1] = {}, expected a multiple of {} = {}", operands.NameOf(data),
                sizes->channels, operands.NameOf(kGroup), sizes->groups);
  }
  return {};
}

Status CheckElements(const Operands& operands, int data) {
  if (!operands[data].IsEmpty()) return {};
  return Fail(operands.spec().codes.shape, "{}.shape = {}, expected elements",
              operands.NameOf(data), operands[data].shape().ToString());
}

Status CheckOwnTypeOrFloat(const Operands& operands, int id) {
  const aclDataType data = operands[kSelf].dtype(), type = operands[id].dtype();
  if (type == data || type == ACL_FLOAT) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {} or FLOAT as {}.dtype",
              operands.NameOf(id), NameOf(type), NameOf(data), operands.NameOf(kSelf));
}

Status ReadForward(Operands& operands, ForwardParams* params) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  for (int id : {kGamma, kBeta}) {
    if (Status s = CheckOwnTypeOrFloat(operands, id); !s.ok()) return s;
  }
  if (Status s = ReadSizes(operands, kSelf, &params->sizes); !s.ok()) return s;
  params->eps = operands.Real(kEps);
  params->x = RowOf(operands, kSelf);
  params->gamma = RowOf(operands, kGamma);
  params->beta = RowOf(operands, kBeta);
  params->out = RowOf(operands, kOut);
  params->mean = RowOf(operands, kMeanOut);
  params->rstd = RowOf(operands, kRstdOut);
  return {};
}

Status MakeSilu(Operands& operands, bool activates, PreparedCall* call) {
  ForwardParams params;
  if (Status s = ReadForward(operands, &params); !s.ok()) return s;
  if (!(params.eps > 0)) {
    return Fail(operands.spec().codes.shape, "eps = {}, expected more than 0", params.eps);
  }
  params.activates = activates;
  if (params.sizes.batch != 0) call->plan = MakeForward(params);
  return {};
}

}  // namespace

Status PrepareSilu(Operands& operands, PreparedCall* call) {
  return MakeSilu(operands, true, call);
}

Status PrepareSiluV2(Operands& operands, PreparedCall* call) {
  return MakeSilu(operands, operands.Flag(kActivates), call);
}

Status PrepareSwish(Operands& operands, PreparedCall* call) {
  ForwardParams params;
  if (Status s = ReadForward(operands, &params); !s.ok()) return s;
  if (Status s = CheckElements(operands, kSelf); !s.ok()) return s;
  if (Status s = operands.CheckText(kFormat, {"NCHW"}); !s.ok()) return s;
  if (!(params.eps >= 0)) {
    return Fail(operands.spec().codes.shape, "eps = {}, expected 0 or more", params.eps);
  }
  params.activates = operands.Flag(kActivates);
  params.swish = static_cast<float>(operands.Real(kSwishScale));
  call->plan = MakeForward(params);
  return {};
}

Status PrepareSwishGrad(Operands& operands, PreparedCall* call) {
  constexpr int64_t kMostChannels = 4000;  // of a group
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  BackwardParams params;
  if (Status s = ReadSizes(operands, kGradOut, &params.sizes); !s.ok()) return s;
  if (params.sizes.group_channels() > kMostChannels) {
    return Fail(operands.spec().codes.shape,
                "dy.shape[1] = {}, expected at most {} channels for each of numGroups = {}",
                params.sizes.channels, kMostChannels, params.sizes.groups);
  }
  if (Status s = CheckElements(operands, kGradOut); !s.ok()) return s;
  if (Status s = operands.CheckText(kFormat, {"NCHW"}); !s.ok()) return s;
  params.dy = RowOf(operands, kGradOut);
  params.x = RowOf(operands, kInput);
  params.mean = RowOf(operands, kMean);
  params.rstd = RowOf(operands, kRstd);
  params.gamma = RowOf(operands, kGamma);
  params.beta = RowOf(operands, kBeta);
  params.dx = RowOf(operands, kGradInput);
  if (operands.Flag(kWantsGamma)) params.dgamma = RowOf(operands, kGradGamma);
  if (operands.Flag(kWantsBeta)) params.dbeta = RowOf(operands, kGradBeta);
  params.activates = true;
  params.swish = static_cast<float>(operands.Real(kSwishScale));
  call->plan = MakeBackward(params);
  return {};
}

}  // namespace anyacl::group_norm
