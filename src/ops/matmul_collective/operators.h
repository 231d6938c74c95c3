// SPDX-License-Identifier: Apache-2.0
// The declarations of products that are fused with collectives between ranks.
#pragma once

#include "ops/matmul_collective/exchange_params.h"

namespace anyacl::matmul_collective {

Status PrepareAllReduce(Operands& operands, PreparedCall* call);
Status PrepareAllGather(Operands& operands, PreparedCall* call);
Status PrepareReduceScatter(Operands& operands, PreparedCall* call);
Status PrepareAddRmsNorm(Operands& operands, PreparedCall* call);
Status PrepareAllToAll(Operands& operands, PreparedCall* call);
Status PrepareToAllToAll(Operands& operands, PreparedCall* call);
Status PrepareExperts(Operands& operands, PreparedCall* call);
Status PrepareExpertsBack(Operands& operands, PreparedCall* call);
Status PrepareBarrier(Operands& operands, PreparedCall* call);
Status PrepareGroupedAllReduce(Operands& operands, PreparedCall* call);
Status PrepareGridGather(Operands& operands, PreparedCall* call);
Status PrepareGridScatter(Operands& operands, PreparedCall* call);

#define ANYACL_MC2(folder, name) "ops-transformer: mc2/" folder "/docs/aclnn" name ".md"
inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"MatmulAllReduce">,
     .params = kAllReduceParams,
     .prepare = PrepareAllReduce,
     .header = "aclnn_matmul_all_reduce.h",
     .summary = "output = sum over the ranks of (x1 @ x2 + bias)",
     .document = ANYACL_MC2("matmul_all_reduce", "MatmulAllReduce")},
    {.op = kNames<"MatmulAllReduceV2">,
     .params = kAllReduceV2Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_matmul_all_reduce_v2.h",
     .summary = "output = sum over the ranks of (x1 @ x2 + bias + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "MatmulAllReduceV2")},
    {.op = kNames<"MatmulAllReduceV3">,
     .params = kAllReduceV3Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_matmul_all_reduce_v3.h",
     .summary = "output = sum over the ranks of (x1 @ x2 + bias + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "MatmulAllReduceV3")},
    {.op = kNames<"QuantMatmulAllReduce">,
     .params = kQuantAllReduceParams,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce.h",
     .summary = "output = sum over the ranks of (dequantScale * (x1 @ x2 + bias) + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduce")},
    {.op = kNames<"QuantMatmulAllReduceV2">,
     .params = kQuantAllReduceV2Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce_v2.h",
     .summary = "output = sum over the ranks of (dequantScale * pertokenScale * (x1 @ x2 + bias) + "
                "x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduceV2")},
    {.op = kNames<"QuantMatmulAllReduceV3">,
     .params = kQuantAllReduceV3Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce_v3.h",
     .summary = "output = sum over the ranks of (dequantScale * pertokenScale * (x1 @ x2 + bias) + "
                "x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduceV3")},
    {.op = kNames<"QuantMatmulAllReduceV4">,
     .params = kQuantAllReduceV4Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce_v4.h",
     .summary = "output = sum over the ranks of (x2Scale * x1Scale * (x1 @ x2 + bias) + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduceV4")},
    {.op = kNames<"QuantMatmulAllReduceV5">,
     .params = kQuantAllReduceV5Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_quant_matmul_all_reduce_v5.h",
     .summary = "output = sum over the ranks of (x2Scale * x1Scale * (x1 @ x2 + bias) + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "QuantMatmulAllReduceV5")},
    {.op = kNames<"WeightQuantMatmulAllReduce">,
     .params = kWeightQuantAllReduceParams,
     .prepare = PrepareAllReduce,
     .header = "aclnn_weight_quant_matmul_all_reduce.h",
     .summary = "output = sum over the ranks of (x1 @ ((x2 + antiquantOffset) * antiquantScale) + "
                "bias + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "WeightQuantMatmulAllReduce")},
    {.op = kNames<"WeightQuantMatmulAllReduceV2">,
     .params = kWeightQuantAllReduceV2Params,
     .prepare = PrepareAllReduce,
     .header = "aclnn_weight_quant_matmul_all_reduce_v2.h",
     .summary = "output = sum over the ranks of (x1 @ ((x2 + antiquantOffset) * antiquantScale) + "
                "bias + x3)",
     .document = ANYACL_MC2("matmul_all_reduce", "WeightQuantMatmulAllReduceV2")},
    {.op = kNames<"GroupedMatMulAllReduce">,
     .params = kGroupedAllReduceParams,
     .prepare = PrepareGroupedAllReduce,
     .header = "aclnn_grouped_mat_mul_all_reduce.h",
     .summary = "y[i] = sum over the ranks of (x[i] @ weight[i] + bias[i]) of groups i",
     .document = ANYACL_MC2("grouped_mat_mul_all_reduce", "GroupedMatMulAllReduce")},
    {.op = kNames<"AllGatherMatmul">,
     .params = kAllGatherParams,
     .prepare = PrepareAllGather,
     .header = "aclnn_all_gather_matmul.h",
     .summary = "gatherOut = x1 of all ranks, one behind the other; output = gatherOut @ x2 + bias",
     .document = ANYACL_MC2("all_gather_matmul", "AllGatherMatmul")},
    {.op = kNames<"AllGatherMatmulV2">,
     .params = kAllGatherV2Params,
     .prepare = PrepareAllGather,
     .header = "aclnn_all_gather_matmul_v2.h",
     .summary = "gatherOut = x1 of all ranks, one behind the other; output = gatherOut @ x2, of "
                "integers times x1Scale of all ranks and x2Scale",
     .document = ANYACL_MC2("all_gather_matmul_v2", "AllGatherMatmulV2")},
    {.op = kNames<"MatmulReduceScatter">,
     .params = kReduceScatterParams,
     .prepare = PrepareReduceScatter,
     .header = "aclnn_matmul_reduce_scatter.h",
     .summary = "output = this rank's rows of the sum over the ranks of (x1 @ x2 + bias)",
     .document = ANYACL_MC2("matmul_reduce_scatter", "MatmulReduceScatter")},
    {.op = kNames<"MatmulReduceScatterV2">,
     .params = kReduceScatterV2Params,
     .prepare = PrepareReduceScatter,
     .header = "aclnn_matmul_reduce_scatter_v2.h",
     .summary = "output = this rank's rows of the sum over the ranks of (x1 @ x2 + bias), of "
                "integers (x1Scale * x2Scale * (x1 @ x2) + bias)",
     .document = ANYACL_MC2("matmul_reduce_scatter_v2", "MatmulReduceScatterV2")},
    {.op = kNames<"MatmulAllReduceAddRmsNorm">,
     .params = kNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_matmul_all_reduce_add_rms_norm.h",
     .summary = "y = residual + sum over the ranks of (x1 @ x2 + bias); normOut = y * gamma / "
                "sqrt(mean of y^2 + epsilon)",
     .document = ANYACL_MC2("matmul_all_reduce_add_rms_norm", "MatmulAllReduceAddRmsNorm")},
    {.op = kNames<"InplaceMatmulAllReduceAddRmsNorm">,
     .params = kInplaceNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_inplace_matmul_all_reduce_add_rms_norm.h",
     .summary = "aclnnMatmulAllReduceAddRmsNorm with y in residual",
     .document =
         ANYACL_MC2("inplace_matmul_all_reduce_add_rms_norm", "InplaceMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"QuantMatmulAllReduceAddRmsNorm">,
     .params = kQuantNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_quant_matmul_all_reduce_add_rms_norm.h",
     .summary = "y = residual + sum over the ranks of dequantScale * (x1 @ x2 + bias); normOut = y "
                "* gamma / sqrt(mean of y^2 + epsilon)",
     .document = ANYACL_MC2("matmul_all_reduce_add_rms_norm", "QuantMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"InplaceQuantMatmulAllReduceAddRmsNorm">,
     .params = kInplaceQuantNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_inplace_quant_matmul_all_reduce_add_rms_norm.h",
     .summary = "aclnnQuantMatmulAllReduceAddRmsNorm with y in residual",
     .document = ANYACL_MC2("inplace_matmul_all_reduce_add_rms_norm",
                            "InplaceQuantMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"WeightQuantMatmulAllReduceAddRmsNorm">,
     .params = kWeightQuantNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_weight_quant_matmul_all_reduce_add_rms_norm.h",
     .summary = "y = residual + sum over the ranks of (x1 @ ((x2 + antiquantOffset) * "
                "antiquantScale) + bias); normOut = y * gamma / sqrt(mean of y^2 + epsilon)",
     .document =
         ANYACL_MC2("matmul_all_reduce_add_rms_norm", "WeightQuantMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"InplaceWeightQuantMatmulAllReduceAddRmsNorm">,
     .params = kInplaceWeightQuantNormParams,
     .prepare = PrepareAddRmsNorm,
     .header = "aclnn_inplace_weight_quant_matmul_all_reduce_add_rms_norm.h",
     .summary = "aclnnWeightQuantMatmulAllReduceAddRmsNorm with y in residual",
     .document = ANYACL_MC2("inplace_matmul_all_reduce_add_rms_norm",
                            "InplaceWeightQuantMatmulAllReduceAddRmsNorm")},
    {.op = kNames<"AlltoAllMatmul">,
     .params = kAllToAllParams,
     .prepare = PrepareAllToAll,
     .header = "aclnn_allto_all_matmul.h",
     .summary = "output = left @ x2 + bias, left: this rank's rows of x1 of all ranks, "
                "side by side",
     .document = ANYACL_MC2("allto_all_matmul", "AlltoAllMatmul")},
    {.op = kNames<"AlltoAllMatmulV2">,
     .params = kAllToAllV2Params,
     .prepare = PrepareAllToAll,
     .header = "aclnn_allto_all_matmul_v2.h",
     .summary = "output = left @ x2 + bias, left: this rank's rows of x1 of all ranks, "
                "side by side",
     .document = ANYACL_MC2("allto_all_matmul", "AlltoAllMatmulV2")},
    {.op = kNames<"MatmulAlltoAll">,
     .params = kToAllToAllParams,
     .prepare = PrepareToAllToAll,
     .header = "aclnn_matmul_allto_all.h",
     .summary = "output = this rank's columns of x1 @ x2 + bias of all ranks, one "
                "behind the other",
     .document = ANYACL_MC2("matmul_allto_all", "MatmulAlltoAll")},
    {.op = kNames<"MatmulAlltoAllV2">,
     .params = kToAllToAllV2Params,
     .prepare = PrepareToAllToAll,
     .header = "aclnn_matmul_allto_all_v2.h",
     .summary = "output = this rank's columns of x1 @ x2 + bias of all ranks, one "
                "behind the other",
     .document = ANYACL_MC2("matmul_allto_all", "MatmulAlltoAllV2")},
    {.op = kNames<"QuantMatmulAlltoAll">,
     .params = kQuantToAllToAllParams,
     .prepare = PrepareToAllToAll,
     .header = "aclnn_quant_matmul_allto_all.h",
     .summary = "output = this rank's columns of (x1 @ x2) * x1Scale * x2Scale + bias "
                "of all ranks, one behind the other",
     .document = ANYACL_MC2("matmul_allto_all", "QuantMatmulAlltoAll")},
    {.op = kNames<"QuantMatmulAlltoAllV2">,
     .params = kQuantToAllToAllV2Params,
     .prepare = PrepareToAllToAll,
     .header = "aclnn_quant_matmul_allto_all_v2.h",
     .summary = "output = this rank's columns of (x1 @ x2) * x1Scale * x2Scale + bias "
                "of all ranks, one behind the other",
     .document = ANYACL_MC2("matmul_allto_all", "QuantMatmulAlltoAllV2")},
    {.op = kNames<"AlltoAllvGroupedMatMul">,
     .params = kExpertsParams,
     .prepare = PrepareExperts,
     .header = "aclnn_allto_allv_grouped_mat_mul.h",
     .summary = "gmmY = permuteOut @ gmmWeight by expert, permuteOut: rows of gmmX of "
                "all ranks for this rank's experts; mmY = mmX @ mmWeight",
     .document = ANYACL_MC2("allto_allv_grouped_mat_mul", "AlltoAllvGroupedMatMul")},
    {.op = kNames<"AlltoAllvGroupedMatMulV2">,
     .params = kExpertsV2Params,
     .prepare = PrepareExperts,
     .header = "aclnn_allto_allv_grouped_mat_mul_v2.h",
     .summary = "gmmY = permuteOut @ gmmWeight by expert, permuteOut: rows of gmmX of "
                "all ranks for this rank's experts; mmY = mmX @ mmWeight",
     .document = ANYACL_MC2("allto_allv_grouped_mat_mul", "AlltoAllvGroupedMatMulV2")},
    {.op = kNames<"GroupedMatMulAlltoAllv">,
     .params = kExpertsBackParams,
     .prepare = PrepareExpertsBack,
     .header = "aclnn_grouped_mat_mul_allto_allv.h",
     .summary = "y = rows of gmmX @ gmmWeight by expert, sent to the ranks they belong "
                "to; mmY = mmX @ mmWeight",
     .document = ANYACL_MC2("grouped_mat_mul_allto_allv", "GroupedMatMulAlltoAllv")},
    {.op = kNames<"GroupedMatMulAlltoAllvV2">,
     .params = kExpertsBackV2Params,
     .prepare = PrepareExpertsBack,
     .header = "aclnn_grouped_mat_mul_allto_allv_v2.h",
     .summary = "y = rows of gmmX @ gmmWeight by expert, sent to the ranks they belong "
                "to; mmY = mmX @ mmWeight",
     .document = ANYACL_MC2("grouped_mat_mul_allto_allv", "GroupedMatMulAlltoAllvV2")},
    {.op = kNames<"AlltoAllAllGatherBatchMatMul">,
     .params = kGridGatherParams,
     .prepare = PrepareGridGather,
     .header = "aclnn_all_to_all_all_gather_batch_matmul.h",
     .summary = "y2 = x of all ranks of groupEp for this rank's experts, shared by those of "
                "groupTp; y1 = activation of (y2 @ weight + bias) by expert",
     .document = ANYACL_MC2("allto_all_all_gather_batch_mat_mul", "AlltoAllAllGatherBatchMatMul")},
    {.op = kNames<"BatchMatMulReduceScatterAlltoAll">,
     .params = kGridScatterParams,
     .prepare = PrepareGridScatter,
     .header = "aclnn_batch_matmul_reduce_scatter_all_to_all.h",
     .summary = "out = the way back: x @ weight by expert, this rank's share of the sum over "
                "groupTp, + bias, sent to the ranks of groupEp",
     .document =
         ANYACL_MC2("batch_mat_mul_reduce_scatter_allto_all", "BatchMatMulReduceScatterAlltoAll")},
    {.op = kNames<"DistributeBarrier">,
     .params = kBarrierParams,
     .prepare = PrepareBarrier,
     .header = "aclnn_distribute_barrier.h",
     .summary = "nobody is through before all ranks are there; xRef is left as it is",
     .document = ANYACL_MC2("distribute_barrier", "DistributeBarrier"),
     .codes = {.format = ACLNN_ERR_INNER_TILING_ERROR, .shape = ACLNN_ERR_INNER_TILING_ERROR}},
};
#undef ANYACL_MC2

}  // namespace anyacl::matmul_collective
