// SPDX-License-Identifier: Apache-2.0
// The declarations of manifold-constrained hyper-connections (README.md).
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::mhc {

enum : int {
  kX,
  kOut,
  kEps,
  kIterations,
  kNorms,
  kSums,
  kGradOut,
  kResidual,   // hRes
  kHiddenOut,  // hOut
  kPost,       // hPost
  kGradX,
  kGradResidual,
  kGradHiddenOut,
  kGradPost,
  kPhi,
  kAlpha,
  kBias,
  kGamma,
  kNormEps,
  kMode,
  kHiddenIn,  // hIn
  kInverseRms,
  kMix,
  kPre,
  kGradHiddenIn,
  kGradXPost,
  kGradPhi,
  kGradAlpha,
  kGradBias,
  kGradGamma
};

Status PrepareSinkhorn(Operands& operands, PreparedCall* call);
Status PrepareSinkhornBackward(Operands& operands, PreparedCall* call);
Status PreparePost(Operands& operands, PreparedCall* call);
Status PreparePostBackward(Operands& operands, PreparedCall* call);
Status PreparePre(Operands& operands, PreparedCall* call);
Status PreparePreBackward(Operands& operands, PreparedCall* call);

// Tokens are B sequences of S, or T; each has N streams of D columns, and K numbers of mixtures.
inline constexpr char kMatrixDims[] = "B S N N | T N N";
inline constexpr char kStreamDims[] = "B S N D | T N D";
inline constexpr char kColumnDims[] = "B S D | T D";
inline constexpr char kGateDims[] = "B S N | T N";
inline constexpr char kMixDims[] = "B S K | T K";

constexpr ParamSpec Floats(int id, const char* name, const char* dims,
                           Need need = Need::kRequired) {
  return In(id, name, {ACL_FLOAT}, dims, need);
}
constexpr ParamSpec OutFloats(int id, const char* name, const char* dims,
                              Need need = Need::kRequired) {
  return Out(id, name, {ACL_FLOAT}, dims, need);
}

inline constexpr ParamSpec kSinkhornParams[] = {
    Noted(Floats(kX, "x", kMatrixDims), "N = 4, 6 or 8"),
    Value(kEps, "eps", Kind::kFloat, "joins every number of the softmax and every sum"),
    Ranged(Value(kIterations, "numIters", Kind::kInt64), 1, 100),
    OutFloats(kOut, "output", kMatrixDims),
    Noted(OutFloats(kNorms, "normOut", "*", Need::kOptional),
          "for the gradient: 2 * numIters * T * N * 8 numbers"),
    Noted(OutFloats(kSums, "sumOut", "*", Need::kOptional),
          "for the gradient: 2 * numIters * T * 8 numbers")};

inline constexpr ParamSpec kSinkhornBackwardParams[] = {
    Noted(Floats(kGradOut, "gradOutput", kMatrixDims), "N = 4, 6 or 8"),
    Noted(Floats(kNorms, "normOut", "*"), "of aclnnMhcSinkhorn"),
    Noted(Floats(kSums, "sumOut", "*"), "of aclnnMhcSinkhorn"),
    OutFloats(kOut, "out", kMatrixDims)};

inline constexpr ParamSpec kPostParams[] = {
    In(kX, "x", kHalves, kStreamDims),
    Noted(Floats(kResidual, "hRes", kMatrixDims, Need::kOptional), "null: the unit matrix"),
    Like(kX, In(kHiddenOut, "hOut", kHalves, kColumnDims)), Floats(kPost, "hPost", kGateDims),
    Like(kX, Out(kOut, "out", kHalves, kStreamDims))};

inline constexpr ParamSpec kPostBackwardParams[] = {
    In(kGradOut, "gradOutput", kHalves, kStreamDims),
    Like(kGradOut, In(kX, "x", kHalves, kStreamDims)),
    Noted(Floats(kResidual, "hRes", kMatrixDims, Need::kOptional), "null: the unit matrix"),
    Like(kGradOut, In(kHiddenOut, "hOut", kHalves, kColumnDims)),
    Floats(kPost, "hPost", kGateDims),
    Like(kGradOut, Out(kGradX, "gradX", kHalves, kStreamDims)),
    OutFloats(kGradResidual, "gradHRes", kMatrixDims),
    Like(kGradOut, Out(kGradHiddenOut, "gradHOut", kHalves, kColumnDims)),
    OutFloats(kGradPost, "gradHPost", kGateDims)};

inline constexpr std::array kPreInputs = {
    In(kX, "x", kHalves, kStreamDims),
    Noted(Floats(kPhi, "phi", "K W"), "W = N * D; K = N * N + 2 * N, or 2 * N without hRes"),
    Noted(Floats(kAlpha, "alpha", "A"), "A = 3, or 2 without hRes"),
    Floats(kBias, "bias", "K"),
    Noted(Floats(kGamma, "gammaOptional", "N D", Need::kOptional), "null: ones"),
    Value(kNormEps, "normEps", Kind::kDouble, "joins the mean of squares"),
    Value(kEps, "hcEps", Kind::kDouble, "joins hPre, and hPost where alpha has two numbers")};
inline constexpr std::array kPreOutputs = {
    Like(kX, Out(kHiddenIn, "hIn", kHalves, kColumnDims)),
    OutFloats(kPost, "hPost", kGateDims),
    Noted(OutFloats(kResidual, "hRes", kMatrixDims, Need::kOptional),
          "needed where alpha has three numbers; 0 where it has two"),
    Noted(OutFloats(kInverseRms, "invRmsOptional", "B S | T", Need::kOptional),
          "given with the next two, or none of them"),
    OutFloats(kMix, "hMixOptional", kMixDims, Need::kOptional),
    OutFloats(kPre, "hPreOptional", kGateDims, Need::kOptional)};
inline constexpr auto kPreParams = JoinRows(kPreInputs, kPreOutputs);
inline constexpr auto kPreV2Params = JoinRows(
    kPreInputs,
    std::array{Ranged(Value(kMode, "opImplMode", Kind::kInt64,
                            "of the product: 0: FLOAT, 1: HF32, which is computed as FLOAT, too"),
                      0, 1)},
    kPreOutputs);

inline constexpr ParamSpec kPreBackwardParams[] = {
    In(kX, "x", kHalves, kStreamDims),
    Noted(Floats(kPhi, "phi", "K W"), "W = N * D, K = N * N + 2 * N"),
    Floats(kAlpha, "alpha", "3"),
    Like(kX, In(kGradHiddenIn, "gradHIn", kHalves, kColumnDims)),
    Floats(kGradPost, "gradHPost", kGateDims),
    Floats(kGradResidual, "gradHRes", kMatrixDims),
    Noted(Floats(kInverseRms, "invRms", "B S | T"), "this and the next: of aclnnMhcPre"),
    Floats(kMix, "hMix", kMixDims),
    Floats(kPre, "hPre", kGateDims),
    Floats(kPost, "hPost", kGateDims),
    Noted(Floats(kGamma, "gamma", "N D", Need::kOptional), "null: ones"),
    Noted(Like(kX, In(kGradXPost, "gradXPostOptional", kHalves, kStreamDims, Need::kOptional)),
          "joins gradX; null: zeros"),
    Value(kEps, "hcEps", Kind::kFloat, "that of aclnnMhcPre"),
    ConstHandle(Like(kX, Out(kGradX, "gradX", kHalves, kStreamDims))),
    ConstHandle(OutFloats(kGradPhi, "gradPhi", "K W")),
    ConstHandle(OutFloats(kGradAlpha, "gradAlpha", "3")),
    ConstHandle(OutFloats(kGradBias, "gradBias", "K")),
    Noted(ConstHandle(OutFloats(kGradGamma, "gradGamma", "N D", Need::kOptional)),
          "0 where gamma is null")};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"MhcSinkhorn">,
     .params = kSinkhornParams,
     .prepare = PrepareSinkhorn,
     .header = "aclnn_mhc_sinkhorn.h",
     .summary =
         "matrices of positive numbers whose rows and columns add up to 1: softmax(x) + eps, "
         "divided by the sums of its columns, then numIters - 1 times of rows and columns",
     .document = "ops-transformer: mhc/mhc_sinkhorn/docs/aclnnMhcSinkhorn.md"},
    {.op = kNames<"MhcSinkhornBackward">,
     .params = kSinkhornBackwardParams,
     .prepare = PrepareSinkhornBackward,
     .header = "aclnn_mhc_sinkhorn_backward.h",
     .summary = "the gradient of aclnnMhcSinkhorn for x",
     .document = "ops-transformer: mhc/mhc_sinkhorn_backward/docs/aclnnMhcSinkhornBackward.md"},
    {.op = kNames<"MhcPost">,
     .params = kPostParams,
     .prepare = PreparePost,
     .header = "aclnn_mhc_post.h",
     .summary = "out[j] = (sum over i of hRes[i, j] * x[i]) + hPost[j] * hOut, of each token's "
                "streams",
     .document = "ops-transformer: mhc/mhc_post/docs/aclnnMhcPost.md"},
    {.op = kNames<"MhcPostBackward">,
     .params = kPostBackwardParams,
     .prepare = PreparePostBackward,
     .header = "aclnn_mhc_post_backward.h",
     .summary = "the gradients of aclnnMhcPost for x, hRes, hOut and hPost",
     .document = "ops-transformer: mhc/mhc_post_backward/docs/aclnnMhcPostBackward.md"},
    {.op = kNames<"MhcPre">,
     .params = kPreParams,
     .prepare = PreparePre,
     .header = "aclnn_mhc_pre.h",
     .summary = "hIn = sum over i of hPre[i] * x[i] of each token's streams; hPre, hPost and hRes "
                "from a product of the normalised token with phi",
     .document = "ops-transformer: mhc/mhc_pre/docs/aclnnMhcPre.md"},
    {.op = kNames<"MhcPreV2">,
     .params = kPreV2Params,
     .prepare = PreparePre,
     .header = "aclnn_mhc_pre_v2.h",
     .summary = "aclnnMhcPre with a choice of how phi is multiplied",
     .document = "ops-transformer: mhc/mhc_pre/docs/aclnnMhcPreV2.md"},
    {.op = kNames<"MhcPreBackward">,
     .params = kPreBackwardParams,
     .prepare = PreparePreBackward,
     .header = "aclnn_mhc_pre_backward.h",
     .summary = "the gradients of aclnnMhcPre for x, phi, alpha, bias and gamma",
     .document = "ops-transformer: mhc/mhc_pre_backward/docs/aclnnMhcPreBackward.md"},
};

}  // namespace anyacl::mhc
