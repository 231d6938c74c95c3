// SPDX-License-Identifier: Apache-2.0
// The operators that bring tokens to the ranks of their experts and back.
#pragma once

#include "ops/moe_distribute/rows.h"

namespace anyacl::moe_distribute {

template <Operator op>
Status PrepareDispatch(Operands& operands, PreparedCall* call);
template <Operator op>
Status PrepareCombine(Operands& operands, PreparedCall* call);

inline constexpr CheckCodes kCodes = {.format = ACLNN_ERR_INNER_TILING_ERROR,
                                      .shape = ACLNN_ERR_INNER_TILING_ERROR};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"MoeDistributeDispatch">,
     .params = kDispatchV1Params,
     .prepare = PrepareDispatch<Operator::kDispatch>,
     .header = "aclnn_moe_distribute_dispatch.h",
     .summary = "sends tokens to the ranks of their experts and receives those of its own",
     .document = "ops-transformer: "
                 "mc2/moe_distribute_dispatch/docs/aclnnMoeDistributeDispatch.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeCombine">,
     .params = kCombineV1Params,
     .prepare = PrepareCombine<Operator::kCombine>,
     .header = "aclnn_moe_distribute_combine.h",
     .summary = "sends rows back to the ranks of their tokens and adds up those of its own: "
                "x[t] = sum of expertScales[t][k] * row[t][k]",
     .document = "ops-transformer: mc2/moe_distribute_combine/docs/aclnnMoeDistributeCombine.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeDispatchV2">,
     .params = kDispatchV2Params,
     .prepare = PrepareDispatch<Operator::kDispatchV2>,
     .header = "aclnn_moe_distribute_dispatch_v2.h",
     .summary = "sends tokens to the ranks of their experts and receives those of its own",
     .document = "ops-transformer: "
                 "mc2/moe_distribute_dispatch_v2/docs/aclnnMoeDistributeDispatchV2.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeCombineV2">,
     .params = kCombineV2Params,
     .prepare = PrepareCombine<Operator::kCombineV2>,
     .header = "aclnn_moe_distribute_combine_v2.h",
     .summary = "sends rows back to the ranks of their tokens and adds up those of its own: "
                "xOut[t] = sum of expertScales[t][k] * row[t][k]",
     .document = "ops-transformer: "
                 "mc2/moe_distribute_combine_v2/docs/aclnnMoeDistributeCombineV2.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeCombineAddRmsNorm">,
     .params = kCombineNormParams,
     .prepare = PrepareCombine<Operator::kCombineNorm>,
     .header = "aclnn_moe_distribute_combine_add_rms_norm.h",
     .summary =
         "aclnnMoeDistributeCombineV2, a sum with residualX and its norm: x = residualX[t] + "
         "sum of expertScales[t][k] * row[t][k], y = x / RMS(x) * gamma",
     .document = "ops-transformer: mc2/moe_distribute_combine_add_rms_norm/docs/"
                 "aclnnMoeDistributeCombineAddRmsNorm.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeDispatchV3">,
     .params = kDispatchV3Params,
     .prepare = PrepareDispatch<Operator::kDispatchV3>,
     .header = "aclnn_moe_distribute_dispatch_v3.h",
     .summary = "aclnnMoeDistributeDispatchV2 where tokens may choose experts that no rank has",
     .document =
         "ops-transformer: mc2/moe_distribute_dispatch_v2/docs/aclnnMoeDistributeDispatchV3.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeCombineV3">,
     .params = kCombineV3Params,
     .prepare = PrepareCombine<Operator::kCombineV3>,
     .header = "aclnn_moe_distribute_combine_v3.h",
     .summary =
         "aclnnMoeDistributeCombineV2 with zero, copy and constant experts: xOut[t] = sum of "
         "expertScales[t][k] * row[t][k], where row is 0, oriX[t] or a * oriX[t] + b * "
         "constExpertV, (a, b) = softmax(constExpertAlpha1 . oriX[t], constExpertAlpha2 . oriX[t])",
     .document =
         "ops-transformer: mc2/moe_distribute_combine_v2/docs/aclnnMoeDistributeCombineV3.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeCombineAddRmsNormV2">,
     .params = kCombineNormV2Params,
     .prepare = PrepareCombine<Operator::kCombineNormV2>,
     .header = "aclnn_moe_distribute_combine_add_rms_norm_v2.h",
     .summary = "aclnnMoeDistributeCombineV3, a sum with residualX and its norm: x = residualX[t] "
                "+ sum of expertScales[t][k] * row[t][k], y = x / RMS(x) * gamma",
     .document =
         "ops-transformer: "
         "mc2/moe_distribute_combine_add_rms_norm/docs/aclnnMoeDistributeCombineAddRmsNormV2.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeDispatchV4">,
     .params = kDispatchV4Params,
     .prepare = PrepareDispatch<Operator::kDispatchV4>,
     .header = "aclnn_moe_distribute_dispatch_v4.h",
     .summary = "aclnnMoeDistributeDispatchV3, which tells how long it waited for each rank",
     .document =
         "ops-transformer: mc2/moe_distribute_dispatch_v2/docs/aclnnMoeDistributeDispatchV4.md",
     .codes = kCodes},
    {.op = kNames<"MoeDistributeCombineV4">,
     .params = kCombineV4Params,
     .prepare = PrepareCombine<Operator::kCombineV4>,
     .header = "aclnn_moe_distribute_combine_v4.h",
     .summary = "aclnnMoeDistributeCombineV3, which tells how long it waited for each rank",
     .document =
         "ops-transformer: mc2/moe_distribute_combine_v2/docs/aclnnMoeDistributeCombineV4.md",
     .codes = kCodes},
};

}  // namespace anyacl::moe_distribute
