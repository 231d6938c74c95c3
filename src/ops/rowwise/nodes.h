// SPDX-License-Identifier: Apache-2.0
// The declarations of what is called by the names of graphs' nodes alone: a norm of layers by its
// first dimension, one of parts of sequences, softmax of a sum with dropout and its gradient.
#pragma once

#include "nnop/single_op.h"
#include "ops/rowwise/operators.h"

namespace anyacl::rowwise {

enum : int {
  kBeginNorm = kImplMode + 1,
  kBeginParams,
  kLengths,
  kNormType,
  kKeepProb,
  kDropped,
};

Status PrepareLayerNormNode(Operands& operands, PreparedCall* call);
Status PrepareNormalizeBatch(Operands& operands, PreparedCall* call);
Status PrepareSoftmaxDropout(Operands& operands, PreparedCall* call);
Status PrepareSoftmaxDropoutGrad(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kTwoFloats = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kLayerNormNodeParams[] = {
    In(kX, "x", kFloats, "X*"),
    In(kGamma, "gamma", kFloats, "W*"),
    Like(kGamma, In(kBeta, "beta", kFloats, "W*")),
    Like(kX, Out(kOut, "y", kFloats, "X*")),
    Out(kMean, "mean", kFloats, "R*"),
    Out(kRstd, "rstd", kFloats, "R*"),
    Value(kBeginNorm, "begin_norm_axis", Kind::kInt64, "the first dimension of a row"),
    Value(kBeginParams, "begin_params_axis", Kind::kInt64, "as begin_norm_axis"),
    Value(kEps, "epsilon", Kind::kDouble)};
inline constexpr ParamSpec kNormalizeBatchParams[] = {
    In(kX, "input_x", {ACL_FLOAT}, "N C D"),
    Noted(In(kLengths, "seq_len", {ACL_INT32}, "N"), "1 to D"),
    Out(kOut, "output_y", {ACL_FLOAT}, "N C D"),
    Value(kNormType, "normalize_type", Kind::kText, "\"per_feature\" or \"all_features\""),
    Value(kEps, "epsilon", Kind::kDouble, "added to the deviation")};
inline constexpr ParamSpec kByteMaskRow =
    Noted(In(kMask, "mask", {ACL_UINT8}, "M"), "1 where an element is kept; as many or more");
inline constexpr ParamSpec kSoftmaxDropoutParams[] = {
    In(kX, "x1", kTwoFloats, "X*"),
    Like(kX, In(kX2, "x2", kTwoFloats, "X*")),
    kByteMaskRow,
    Like(kX, Out(kOut, "y1", kTwoFloats, "X*")),
    Like(kX, Out(kDropped, "y2", kTwoFloats, "X*")),
    Value(kAlpha, "alpha", Kind::kDouble),
    Value(kKeepProb, "input_keep_prob", Kind::kDouble, "above 0, up to 1"),
    Value(kDim, "axis", Kind::kInt64)};
inline constexpr ParamSpec kSoftmaxDropoutGradParams[] = {
    In(kX, "y_grad", kTwoFloats, "X*"),
    kByteMaskRow,
    Like(kX, In(kX2, "softmax_output", kTwoFloats, "X*")),
    Like(kX, Out(kOut, "x_grad", kTwoFloats, "X*")),
    Value(kAlpha, "alpha", Kind::kDouble),
    Value(kKeepProb, "input_keep_prob", Kind::kDouble, "above 0, up to 1"),
    Value(kDim, "axes", Kind::kInt64)};
inline constexpr OpSpec kNodes[] = {
    {.op = {"LayerNormV3", "LayerNormV3"},
     .params = kLayerNormNodeParams,
     .prepare = PrepareLayerNormNode,
     .codes = kNodeCodes},
    {.op = {"NormalizeBatch", "NormalizeBatch"},
     .params = kNormalizeBatchParams,
     .prepare = PrepareNormalizeBatch,
     .codes = kNodeCodes},
    {.op = {"AxpyWithSoftmaxAndDropOutDoMask", "AxpyWithSoftmaxAndDropOutDoMask"},
     .params = kSoftmaxDropoutParams,
     .prepare = PrepareSoftmaxDropout,
     .codes = kNodeCodes},
    {.op = {"DropoutWithMulsAndSoftmaxGrad", "DropoutWithMulsAndSoftmaxGrad"},
     .params = kSoftmaxDropoutGradParams,
     .prepare = PrepareSoftmaxDropoutGrad,
     .codes = kNodeCodes},
};
inline constexpr auto kLayerNormNodeSources =
    InOrderOf<3, 3>({IntAttribute{"begin_norm_axis", 0}, IntAttribute{"begin_params_axis", 0},
                     RealAttribute{"epsilon", 1e-5}});
inline constexpr auto kNormalizeBatchSources = InOrderOf<2, 1>(
    {TextAttribute{"normalize_type", "per_feature"}, RealAttribute{"epsilon", 1e-5}});
inline constexpr auto kSoftmaxDropoutSources = InOrderOf<3, 2>(
    {RealAttribute{"alpha", 1}, RealAttribute{"input_keep_prob", 1}, IntAttribute{"axis", -1}});
inline constexpr auto kSoftmaxDropoutGradSources = InOrderOf<3, 1>(
    {RealAttribute{"alpha", 1}, RealAttribute{"input_keep_prob", 1}, IntAttribute{"axes", -1}});
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"LayerNormV3", &kNodes[0], kLayerNormNodeSources},
    {"NormalizeBatch", &kNodes[1], kNormalizeBatchSources},
    {"AxpyWithSoftmaxAndDropOutDoMask", &kNodes[2], kSoftmaxDropoutSources},
    {"DropoutWithMulsAndSoftmaxGrad", &kNodes[3], kSoftmaxDropoutGradSources},
};

}  // namespace anyacl::rowwise
