// SPDX-License-Identifier: Apache-2.0
// The declarations of Floyd attention (README.md).
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/joined_rows.h"

namespace anyacl::floyd_attention {

enum : int {
  kQuery,
  kKey1,
  kValue1,
  kKey2,
  kValue2,
  kMask,
  kScale,
  kMax,
  kSum,
  kOut,
  kDOut,
  kDQuery,
  kDKey1,
  kDValue1,
  kDKey2,
  kDValue2
};

Status PrepareForward(Operands& operands, PreparedCall* call);
Status PrepareBackward(Operands& operands, PreparedCall* call);

inline constexpr char kQueryDims[] = "B H N M D";
inline constexpr char kFirstDims[] = "B H N K D";
inline constexpr char kSecondDims[] = "B H K M D";
inline constexpr char kStatisticDims[] = "B H N M 8";

constexpr ParamSpec Data(int id, const char* name, const char* dims) {
  return Like(kQuery, In(id, name, kHalves, dims));
}

inline constexpr std::array kInputs = {
    In(kQuery, "query", kHalves, kQueryDims), Data(kKey1, "key1", kFirstDims),
    Data(kValue1, "value1", kFirstDims), Data(kKey2, "key2", kSecondDims),
    Data(kValue2, "value2", kSecondDims)};
inline constexpr ParamSpec kMaskRow =
    Noted(In(kMask, "attenMaskOptional", {ACL_BOOL, ACL_UINT8}, "B 1 N 1 K", Need::kOptional),
          "not 0: masked");

inline constexpr auto kForwardParams = JoinRows(
    kInputs, std::array{kMaskRow, Value(kScale, "scaleValueOptional", Kind::kDouble),
                        ConstResult(Noted(In(kMax, "softmaxMaxOut", {ACL_FLOAT}, kStatisticDims),
                                          "the largest score, eight times")),
                        ConstResult(Noted(In(kSum, "softmaxSumOut", {ACL_FLOAT}, kStatisticDims),
                                          "the sum of exp(score - largest), eight times")),
                        ConstResult(Data(kOut, "attentionOutOut", kQueryDims))});

inline constexpr auto kBackwardParams =
    JoinRows(kInputs, std::array{Data(kDOut, "dy", kQueryDims), kMaskRow,
                                 In(kMax, "softmaxMax", {ACL_FLOAT}, kStatisticDims),
                                 In(kSum, "softmaxSum", {ACL_FLOAT}, kStatisticDims),
                                 Data(kOut, "attentionIn", kQueryDims),
                                 Value(kScale, "scaleValue", Kind::kDouble),
                                 ConstResult(Data(kDQuery, "dqOut", kQueryDims)),
                                 ConstResult(Data(kDKey1, "dk1Out", kFirstDims)),
                                 ConstResult(Data(kDValue1, "dv1Out", kFirstDims)),
                                 ConstResult(Data(kDKey2, "dk2Out", kSecondDims)),
                                 ConstResult(Data(kDValue2, "dv2Out", kSecondDims))});

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"FusedFloydAttention">,
     .params = kForwardParams,
     .prepare = PrepareForward,
     .header = "aclnn_fused_floyd_attention.h",
     .summary =
         "out[n, m] = sum over k of p[k] * (value1[n, k] + value2[k, m]), p = softmax over k "
         "of scale * query[n, m] . (key1[n, k] + key2[k, m])",
     .document =
         "ops-transformer: attention/fused_floyd_attention/docs/aclnnFusedFloydAttention.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"FusedFloydAttentionGrad">,
     .params = kBackwardParams,
     .prepare = PrepareBackward,
     .header = "aclnn_fused_floyd_attention_grad.h",
     .summary =
         "the gradients of aclnnFusedFloydAttention: ds = p * (dy . (value1 + value2) - dy . "
         "attentionIn) * scale; dq = ds . (key1 + key2), dk1 and dk2 = ds . query, dv1 and "
         "dv2 = p . dy, over n, m or k",
     .document = "ops-transformer: "
                 "attention/fused_floyd_attention_grad/docs/aclnnFusedFloydAttentionGrad.md",
     .codes = {.shape = ACLNN_ERR_INNER_TILING_ERROR}},
};

}  // namespace anyacl::floyd_attention
