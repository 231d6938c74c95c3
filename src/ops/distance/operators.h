// SPDX-License-Identifier: Apache-2.0
// The declarations of distances between rows: aclnnPdist, and by name Cdist and CdistGrad.
#pragma once

#include "nnop/operator.h"
#include "nnop/single_op.h"

namespace anyacl::distance {

enum : int { kSelf, kOther, kGrad, kDistance, kP, kOut };

Status PreparePdist(Operands& operands, PreparedCall* call);
Status PrepareCdist(Operands& operands, PreparedCall* call);
Status PrepareCdistGradient(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16};

constexpr ParamSpec AsSelf(ParamSpec row) {
  row.same_dtype_as = kSelf;
  return row;
}
inline constexpr ParamSpec kPdistParams[] = {
    In(kSelf, "self", kFloats, "N M"), Value(kP, "p", Kind::kFloat, "0 or more, infinite too"),
    AsSelf(Out(kOut, "out", kFloats, "K"))};
// Both inputs are broadcast to all pairs, as torch_npu has them; -1 stands for an infinite p.
inline constexpr ParamSpec kCdistParams[] = {
    In(kSelf, "x1", kFloats, "B* P R M"), AsSelf(In(kOther, "x2", kFloats, "B* P R M")),
    AsSelf(Out(kOut, "y", kFloats, "B* P R")), Value(kP, "p", Kind::kDouble)};
inline constexpr ParamSpec kCdistGradientParams[] = {
    AsSelf(In(kGrad, "grad", kFloats, "B* P R M")),
    In(kSelf, "x1", kFloats, "B* P R M"),
    AsSelf(In(kOther, "x2", kFloats, "B* P R M")),
    AsSelf(In(kDistance, "cdist", kFloats, "B* P R M")),
    AsSelf(Out(kOut, "y", kFloats, "B* P M")),
    Value(kP, "p", Kind::kDouble)};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Pdist">,
     .params = kPdistParams,
     .prepare = PreparePdist,
     .header = "aclnn_pdist.h",
     .summary = "out = (sum over m of |self[i, m] - self[j, m]|^p)^(1 / p) for all i < j",
     .document = "ops-math: math/pdist/docs/aclnnPdist.md",
     .max_rank = 8},
};

inline constexpr CheckCodes kNodeCodes = {.null = ACL_ERROR_INVALID_PARAM,
                                          .dtype = ACL_ERROR_INVALID_PARAM,
                                          .format = ACL_ERROR_INVALID_PARAM,
                                          .shape = ACL_ERROR_INVALID_PARAM};
inline constexpr OpSpec kNodes[] = {
    {.op = {"Cdist", "Cdist"},
     .params = kCdistParams,
     .prepare = PrepareCdist,
     .codes = kNodeCodes},
    {.op = {"CdistGrad", "CdistGrad"},
     .params = kCdistGradientParams,
     .prepare = PrepareCdistGradient,
     .codes = kNodeCodes},
};
inline constexpr auto kCdistSources = InOrderOf<2, 1>({RealAttribute{"p", 2}});
inline constexpr auto kCdistGradientSources = InOrderOf<4, 1>({RealAttribute{"p", 2}});
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"Cdist", &kNodes[0], kCdistSources},
    {"CdistGrad", &kNodes[1], kCdistGradientSources},
};

}  // namespace anyacl::distance
