// SPDX-License-Identifier: Apache-2.0
// The declarations of distances between rows: aclnnPdist, aclnnCdist and its gradient, and by name
// Cdist and CdistGrad.
#pragma once

#include "nnop/operator.h"
#include "nnop/single_op.h"

namespace anyacl::distance {

enum : int {
  kSelf,
  kOther,
  kGrad,
  kDistance,
  kP,
  kOut,
  kMode,
  kIndex,
  kOtherIndex,
  kOtherGrad,
  kOtherOut
};

Status PreparePdist(Operands& operands, PreparedCall* call);
Status PreparePdistForward(Operands& operands, PreparedCall* call);
Status PrepareChamferGradient(Operands& operands, PreparedCall* call);
Status PrepareDistances(Operands& operands, PreparedCall* call);
Status PrepareDistancesGradient(Operands& operands, PreparedCall* call);
Status PrepareCdist(Operands& operands, PreparedCall* call);
Status PrepareCdistGradient(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr DTypeSet kFloatsToo = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

constexpr ParamSpec AsSelf(ParamSpec row) { return Like(kSelf, row); }
inline constexpr ParamSpec kPdistParams[] = {
    In(kSelf, "self", kFloats, "N M"), Value(kP, "p", Kind::kFloat, "0 or more, infinite too"),
    AsSelf(Out(kOut, "out", kFloats, "K"))};
inline constexpr ParamSpec kPdistForwardParams[] = {
    In(kSelf, "self", kFloats, "N M"),
    Value(kP, "pScalar", Kind::kScalar, "0 or more, infinite too"),
    AsSelf(Out(kOut, "out", kFloats, "K"))};
inline constexpr char kNearest[] = "the place of the nearest point among the other ones";
inline constexpr ParamSpec kChamferGradientParams[] = {
    In(kSelf, "xyz1", kFloats, "B N 2"),
    AsSelf(In(kOther, "xyz2", kFloats, "B M 2")),
    Noted(In(kIndex, "idx1", {ACL_INT32}, "B N"), kNearest),
    Noted(In(kOtherIndex, "idx2", {ACL_INT32}, "B M"), kNearest),
    AsSelf(In(kGrad, "gradDist1", kFloats, "B N")),
    AsSelf(In(kOtherGrad, "gradDist2", kFloats, "B M")),
    AsSelf(Out(kOut, "gradXyz1", kFloats, "B N 2")),
    AsSelf(Out(kOtherOut, "gradXyz2", kFloats, "B M 2"))};
inline constexpr ParamSpec kDistancesParams[] = {
    In(kSelf, "x1", kFloatsToo, "X* P M"),
    AsSelf(Noted(In(kOther, "x2", kFloatsToo, "Y* R M"), "leading sizes broadcast")),
    Value(kP, "p", Kind::kFloat, "0 or more, infinite too"),
    Value(kMode, "compute_mode", Kind::kInt64, "2 where p is; without effect"),
    AsSelf(Out(kOut, "out", kFloatsToo, "O* P R"))};
inline constexpr ParamSpec kDistancesGradientParams[] = {
    In(kGrad, "grad", kFloatsToo, "B* P R"),
    Like(kGrad, In(kSelf, "x1", kFloatsToo, "B* P M")),
    Like(kGrad, In(kOther, "x2", kFloatsToo, "~B* R M")),
    Like(kGrad, In(kDistance, "cdist", kFloatsToo, "B* P R")),
    Value(kP, "p", Kind::kFloat, "0 or more, infinite too, for which -1 stands as well"),
    Like(kGrad, Out(kOut, "out", kFloatsToo, "B* P M"))};
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
    {.op = kNames<"PdistForward">,
     .params = kPdistForwardParams,
     .prepare = PreparePdistForward,
     .header = "aclnn_pdist_forward.h",
     .summary = "aclnnPdist, p being a scalar",
     .document = "ops-math: math/pdist/docs/aclnnPdistForward.md",
     .max_rank = 8},
    {.op = kNames<"ChamferDistanceBackward">,
     .params = kChamferGradientParams,
     .prepare = PrepareChamferGradient,
     .header = "aclnn_chamfer_distance_backward.h",
     .summary =
         "gradXyz1[i] = 2 gradDist1[i] (xyz1[i] - xyz2[idx1[i]]) + the sum over j with idx2[j] = "
         "i of 2 gradDist2[j] (xyz1[i] - xyz2[j]); gradXyz2 the same the other way round",
     .document = "ops-nn: loss/chamfer_distance_grad/docs/aclnnChamferDistanceBackward.md"},
    {.op = kNames<"Cdist">,
     .params = kDistancesParams,
     .prepare = PrepareDistances,
     .header = "aclnn_cdist.h",
     .summary = "out[i, j] = (sum over m of |x1[i, m] - x2[j, m]|^p)^(1 / p), for each of a batch",
     .document = "ops-math: math/cdist/docs/aclnnCdist.md",
     .max_rank = 8},
    {.op = kNames<"CdistBackward">,
     .params = kDistancesGradientParams,
     .prepare = PrepareDistancesGradient,
     .header = "aclnn_cdist_backward.h",
     .summary = "out[i, m] = the sum over j of grad[i, j] * d * |d|^(p - 2) / cdist[i, j]^(p - 1), "
                "d = x1[i, m] - x2[j, m]",
     .document = "ops-math: math/cdist_grad/docs/aclnnCdistBackward.md",
     .max_rank = 7},
};

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
