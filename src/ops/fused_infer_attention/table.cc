// SPDX-License-Identifier: Apache-2.0
// The check table: data types, and dimensions as documentation. Which dimensions go together is the
// business of the rules.
#include "aclnn/opdev/op_errno.h"
#include "ops/fused_infer_attention/op.h"

namespace anyacl::fused_infer_attention {
namespace {

constexpr ParamSpec Input(const char* name, DTypeSet dtypes, const char* dims,
                          Need need = Need::kOptional) {
  return {
      .name = name, .direction = Direction::kInput, .need = need, .dtypes = dtypes, .dims = dims};
}

constexpr DTypeSet kHalf = {ACL_FLOAT16, ACL_BF16};
constexpr DTypeSet kCache = {ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT4, ACL_INT32};
constexpr DTypeSet kScales = {ACL_FLOAT16, ACL_BF16, ACL_FLOAT};
constexpr DTypeSet kDeqScale = {ACL_UINT64, ACL_FLOAT};
constexpr DTypeSet kOutScale = {ACL_FLOAT, ACL_BF16};

constexpr char kKvDims[] =
    "B S2 Hk | B S2 Nk D | B Nk S2 D | blocks blockSize Hk | blocks Nk blockSize D";
constexpr char kSeparateDims[] =
    "1 | Nk | Hk | Nk D | B S2 | Nk 1 D | 1 Nk D | 1 B S2 | B Nk S2 | 1 Nk 1 D | "
    "blocks blockSize | blocks Nk blockSize";

// The order is that of TensorRow.
constexpr ParamSpec kParams[] = {
    Input("query", {ACL_FLOAT16, ACL_BF16, ACL_INT8}, "B Sq H | B Sq N D | B N Sq D",
          Need::kRequired),
    Input("key", kCache, kKvDims),
    Input("value", kCache, kKvDims),
    Input("pseShiftOptional", kHalf, "B N Sq S2 | 1 N Sq S2"),
    Input("attenMaskOptional", {ACL_BOOL, ACL_INT8, ACL_UINT8},
          "Sq S2 | B Sq S2 | B 1 Sq S2 | 2048 2048 | B S2 | B 1 S2 | B 1 1 S2"),
    Input("deqScale1Optional", kDeqScale, "1"),
    Input("quantScale1Optional", {ACL_FLOAT}, "1"),
    Input("deqScale2Optional", kDeqScale, "1"),
    Input("quantScale2Optional", kOutScale, "1 | H | N D | 1 1 H | 1 N 1 D | 1 1 N D"),
    Input("quantOffset2Optional", kOutScale, "1 | H | N D | 1 1 H | 1 N 1 D | 1 1 N D"),
    Input("antiquantScaleOptional", kScales, "2 | 2 Hk | 2 Nk D | 2 Nk 1 D | 2 B S2"),
    Input("antiquantOffsetOptional", kScales, "2 | 2 Hk | 2 Nk D | 2 Nk 1 D | 2 B S2"),
    Input("blockTableOptional", {ACL_INT32}, "B blocks"),
    Input("queryPaddingSizeOptional", {ACL_INT64}, "1"),
    Input("kvPaddingSizeOptional", {ACL_INT64}, "1"),
    Input("keyAntiquantScaleOptional", kScales, kSeparateDims),
    Input("keyAntiquantOffsetOptional", kScales, kSeparateDims),
    Input("valueAntiquantScaleOptional", kScales, kSeparateDims),
    Input("valueAntiquantOffsetOptional", kScales, kSeparateDims),
    Input("keySharedPrefixOptional", kCache, "1 Sp Hk | 1 Sp Nk D | 1 Nk Sp D"),
    Input("valueSharedPrefixOptional", kCache, "1 Sp Hk | 1 Sp Nk D | 1 Nk Sp D"),
    {.name = "attentionOut",
     .direction = Direction::kOutput,
     .need = Need::kRequired,
     .dtypes = {ACL_FLOAT16, ACL_BF16, ACL_INT8},
     .dims = "B Sq H | B Sq N D | B N Sq D"},
    {.name = "softmaxLse",
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .dims = "B N Sq 1"},
};
static_assert(std::size(kParams) == kTensorRows);

constexpr OpInfo kOpV1 = {"aclnnFusedInferAttentionScoreGetWorkspaceSize",
                          "aclnnFusedInferAttentionScore"};
constexpr OpInfo kOpV2 = {"aclnnFusedInferAttentionScoreV2GetWorkspaceSize",
                          "aclnnFusedInferAttentionScoreV2"};
constexpr CheckCodes kCodes = {ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_PARAM_INVALID,
                               ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_INVALID};

}  // namespace

const OpSpec kSpecV1 = {&kOpV1, kParams, kCodes};
const OpSpec kSpecV2 = {&kOpV2, kParams, kCodes};

}  // namespace anyacl::fused_infer_attention
