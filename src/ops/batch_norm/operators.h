// SPDX-License-Identifier: Apache-2.0
// The declarations of batch normalisation and its gradients, also in the parts that several devices
// which share statistics need.
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/single_op.h"

namespace anyacl::batch_norm {

enum : int {
  kGradOut,
  kInput,
  kWeight,
  kBias,
  kRunningMean,
  kRunningVar,
  kTraining,
  kMomentum,
  kEps,
  kOutputMask,
  kOutput,  // gradInput
  kSaveMean,
  kSaveInvstd,
  kGradWeight,
  kGradBias,
  kInputG,
  kWeightG,
  kBiasG,
  kSumDy,
  kSumDyXmu,
  kCounts,
  kMeans,
  kInvstds,
  kRunningMeanOut,
  kRunningVarOut,
  kVersion,
};

Status PrepareForward(Operands& operands, PreparedCall* call);
Status PrepareStats(Operands& operands, PreparedCall* call);
Status PrepareElemt(Operands& operands, PreparedCall* call);
Status PrepareBackward(Operands& operands, PreparedCall* call);
Status PrepareReduceBackward(Operands& operands, PreparedCall* call);
Status PrepareElemtBackward(Operands& operands, PreparedCall* call);
Status PrepareTrainingReduce(Operands& operands, PreparedCall* call);
Status PrepareReduce(Operands& operands, PreparedCall* call);
Status PrepareGatherStats(Operands& operands, PreparedCall* call);
Status PrepareGatherStatsWithCounts(Operands& operands, PreparedCall* call);
Status PrepareGatherSums(Operands& operands, PreparedCall* call);

constexpr ParamSpec Channel(int id, const char* name, const char* note) {
  return Noted(In(id, name, kFloats, "C", Need::kOptional), note);
}
constexpr ParamSpec Running(int id, const char* name, const char* note) {
  ParamSpec row = Channel(id, name, note);
  row.direction = Direction::kInOut;
  return row;
}
// Of any size where it is not looked at.
constexpr ParamSpec Saved(int id, const char* name, Direction direction, const char* note) {
  return {.name = name,
          .id = id,
          .direction = direction,
          .need = Need::kOptional,
          .dtypes = kFloats,
          .dims = "S*",
          .needed_if = "training",
          .note = note};
}
inline constexpr char kShapeNote[] = "the second dimension is C; the last of NHWC and NDHWC";
inline constexpr ParamSpec kTrainingParam =
    Value(kTraining, "training", Kind::kBool, "statistics of the input, not the running ones");
inline constexpr ParamSpec kEpsParam = Value(kEps, "eps", Kind::kDouble, "added to the variance");

inline constexpr ParamSpec kForwardParams[] = {
    {.name = "input", .id = kInput, .dtypes = kFloats, .dims = "X*", .note = kShapeNote},
    Channel(kWeight, "weight", "null stands for ones"),
    Channel(kBias, "bias", "null stands for zeros"),
    Running(kRunningMean, "runningMean", "null stands for zeros"),
    Running(kRunningVar, "runningVar", "null stands for ones"),
    kTrainingParam,
    Value(kMomentum, "momentum", Kind::kDouble, "how much of the running statistics is replaced"),
    kEpsParam,
    Like(kInput, Out(kOutput, "output", kFloats, "X*")),
    Saved(kSaveMean, "saveMean", Direction::kOutput, "[C]; written if training is true"),
    Saved(kSaveInvstd, "saveInvstd", Direction::kOutput,
          "[C]: 1 / sqrt(variance + eps); written if training is true"),
};

inline constexpr ParamSpec kBackwardParams[] = {
    {.name = "gradOut", .id = kGradOut, .dtypes = kFloats, .dims = "X*", .note = kShapeNote},
    Like(kGradOut, In(kInput, "input", kFloats, "X*")),
    Channel(kWeight, "weight", "null stands for ones"),
    Channel(kRunningMean, "runningMean", "null stands for zeros"),
    Channel(kRunningVar, "runningVar", "null stands for ones"),
    Saved(kSaveMean, "saveMean", Direction::kInput, "[C]; read if training is true"),
    Saved(kSaveInvstd, "saveInvstd", Direction::kInput,
          "[C]: 1 / sqrt(variance + eps); read if training is true"),
    kTrainingParam,
    kEpsParam,
    Value(kOutputMask, "outputMask", Kind::kBoolArray,
          "3 values: which of the gradients are wanted; the others are not looked at"),
    NeededIf(Like(kGradOut, Out(kOutput, "gradInput", kFloats, "X*")), "outputMask[0]"),
    NeededIf(Out(kGradWeight, "gradWeight", kFloats, "C"), "outputMask[1]"),
    NeededIf(Out(kGradBias, "gradBias", kFloats, "C"), "outputMask[2]"),
};

inline constexpr ParamSpec kFastBackwardParams[] = {
    kBackwardParams[0],
    kBackwardParams[1],
    kBackwardParams[2],
    kBackwardParams[3],
    kBackwardParams[4],
    kBackwardParams[5],
    kBackwardParams[6],
    kBackwardParams[7],
    kBackwardParams[8],
    kBackwardParams[9],
    {.name = "version",
     .id = kVersion,
     .kind = Kind::kInt32,
     .min = 0,
     .max = 1,
     .note = "of a device's algorithm: changes nothing"},
    kBackwardParams[10],
    kBackwardParams[11],
    kBackwardParams[12],
};

// Of a channel that several devices have parts of.
inline constexpr char kUnlookedNote[] = "not looked at but for its size";

inline constexpr ParamSpec kStatsParams[] = {
    {.name = "input", .id = kInput, .dtypes = kFloats, .note = kShapeNote},
    kEpsParam,
    Out(kSaveMean, "mean", {ACL_FLOAT}, "C"),
    Noted(Out(kSaveInvstd, "invstd", {ACL_FLOAT}, "C"), "1 / sqrt(variance + eps)")};

inline constexpr ParamSpec kReduceParams[] = {
    {.name = "x",
     .id = kInput,
     .dtypes = kFloats,
     .dims = "X0 X1 X2 X3",
     .note = "the second dimension is C; the last of NHWC"},
    Noted(Out(kGradBias, "sum", {ACL_FLOAT}, "C"), "of x"),
    Noted(Out(kGradWeight, "squareSum", {ACL_FLOAT}, "C"), "of x^2")};

// What Atlas A2 and A3 have.
inline constexpr DTypeSet kGathered = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kGatherStatsParams[] = {
    Noted(In(kMeans, "totalSum", kGathered, "K C"), "of x on each device"),
    Noted(Like(kMeans, In(kInvstds, "totalSquareSum", kGathered, "K C")), "of x^2 on each device"),
    Noted(In(kCounts, "sampleCount", {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32}, "K"),
          "elements of a channel on each device"),
    Like(kMeans, InOut(kRunningMean, "mean", kGathered, "C")),
    Like(kMeans, InOut(kRunningVar, "variance", kGathered, "C")),
    Value(kMomentum, "momentum", Kind::kFloat, "how much of mean and variance is replaced"),
    Value(kEps, "eps", Kind::kFloat, "added to the variance"),
    Out(kSaveMean, "batchMean", kGathered, "C"),
    Noted(Like(kSaveMean, Out(kSaveInvstd, "batchInvstd", kGathered, "C")),
          "1 / sqrt(variance + eps) of all")};

inline constexpr ParamSpec kGatherParams[] = {
    {.name = "input", .id = kInput, .dtypes = kFloats, .note = kUnlookedNote},
    Noted(In(kMeans, "mean", kFloats, "K C"), "of each device"),
    Noted(In(kInvstds, "invstd", kFloats, "K C"), "1 / sqrt(variance + eps) of each device"),
    Running(kRunningMean, "runningMean", "null: none is kept"),
    Running(kRunningVar, "runningVar", "null: none is kept"),
    Value(kMomentum, "momentum", Kind::kDouble, "how much of the running statistics is replaced"),
    kEpsParam,
    Noted(In(kCounts, "counts", kFloats, "K"), "elements of a channel on each device"),
    Out(kSaveMean, "meanAll", kFloats, "C"),
    Noted(Out(kSaveInvstd, "invstdAll", kFloats, "C"), "1 / sqrt(variance + eps) of all")};

inline constexpr ParamSpec kElemtParams[] = {
    {.name = "input", .id = kInput, .dtypes = kFloats, .dims = "X*", .note = kShapeNote},
    Channel(kWeight, "weight", "null stands for ones"),
    Channel(kBias, "bias", "null stands for zeros"),
    In(kRunningMean, "mean", kFloats, "C"),
    In(kRunningVar, "invstd", kFloats, "C"),
    Value(kEps, "eps", Kind::kDouble, "not looked at: invstd has it"),
    Like(kInput, Out(kOutput, "output", kFloats, "X*"))};

inline constexpr ParamSpec kReduceBackwardParams[] = {
    {.name = "gradOut", .id = kGradOut, .dtypes = kFloats, .dims = "X*", .note = kShapeNote},
    Like(kGradOut, In(kInput, "input", kFloats, "X*")),
    In(kRunningMean, "mean", kFloats, "C"),
    In(kRunningVar, "invstd", kFloats, "C"),
    Channel(kWeight, "weight", kUnlookedNote),
    Value(kInputG, "inputG", Kind::kBool, "sumDy and sumDyXmu are wanted"),
    Value(kWeightG, "weightG", Kind::kBool, "gradWeight is wanted"),
    Value(kBiasG, "biasG", Kind::kBool, "gradBias is wanted"),
    NeededIf(Out(kSumDy, "sumDy", kFloats, "C"), "inputG"),
    NeededIf(Out(kSumDyXmu, "sumDyXmu", kFloats, "C"), "inputG"),
    NeededIf(Out(kGradWeight, "gradWeight", kFloats, "C"), "weightG"),
    NeededIf(Out(kGradBias, "gradBias", kFloats, "C"), "biasG")};

inline constexpr ParamSpec kElemtBackwardParams[] = {
    {.name = "gradOut", .id = kGradOut, .dtypes = kFloats, .dims = "X*", .note = kShapeNote},
    In(kInput, "input", kFloats, "X*"),
    In(kRunningMean, "mean", kFloats, "C"),
    In(kRunningVar, "invstd", kFloats, "C"),
    Channel(kWeight, "weight", "null stands for ones"),
    Noted(In(kSumDy, "sumDy", kFloats, "C"), "of all devices"),
    Noted(In(kSumDyXmu, "sumDyXmu", kFloats, "C"), "of all devices"),
    Noted(In(kCounts, "counter", {ACL_INT32, ACL_FLOAT16, ACL_FLOAT}),
          "elements of a channel on each device"),
    Out(kOutput, "gradInput", kFloats, "X*")};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"BatchNorm">,
     .params = kForwardParams,
     .prepare = PrepareForward,
     .header = "aclnn_batch_norm.h",
     .summary =
         "output = (input - mean) / sqrt(variance + eps) * weight + bias, with statistics of "
         "each channel",
     .document = "ops-nn: norm/batch_norm_v3/docs/aclnnBatchNorm.md"},
    {.op = kNames<"BatchNormBackward">,
     .params = kBackwardParams,
     .prepare = PrepareBackward,
     .header = "aclnn_batch_norm_backward.h",
     .summary = "the gradients of batch normalisation",
     .document = "ops-nn: norm/batch_norm_grad_v3/docs/aclnnBatchNormBackward.md"},
    {.op = kNames<"FastBatchNormBackward">,
     .params = kFastBackwardParams,
     .prepare = PrepareBackward,
     .header = "aclnn_fast_batch_norm_backward.h",
     .summary = "the gradients of batch normalisation",
     .document = "ops-nn: norm/batch_norm_grad_v3/docs/aclnnFastBatchNormBackward.md"},
    {.op = kNames<"BatchNormReduce">,
     .params = kReduceParams,
     .prepare = PrepareReduce,
     .header = "aclnn_batch_norm_reduce.h",
     .summary = "sum and squareSum of each channel",
     .document = "ops-nn: norm/bn_training_reduce/docs/aclnnBatchNormReduce.md"},
    {.op = kNames<"SyncBatchNormGatherStats">,
     .params = kGatherStatsParams,
     .prepare = PrepareGatherStats,
     .header = "aclnn_sync_batch_norm_gather_stats.h",
     .summary = "the statistics of all devices' elements from the sums of each device, and the "
                "running ones",
     .document = "ops-nn: norm/sync_batch_norm_gather_stats/docs/"
                 "aclnnSyncBatchNormGatherStats.md"},
    {.op = kNames<"BatchNormStats">,
     .params = kStatsParams,
     .prepare = PrepareStats,
     .header = "aclnn_batch_norm_stats.h",
     .summary = "mean and 1 / sqrt(variance + eps) of each channel",
     .document = "ops-math: math/reduce_std_with_mean/docs/aclnnBatchNormStats.md"},
    {.op = kNames<"BatchNormGatherStatsWithCounts">,
     .params = kGatherParams,
     .prepare = PrepareGatherStatsWithCounts,
     .header = "aclnn_batch_norm_gather_stats_with_counts.h",
     .summary = "the statistics of all devices' elements from those of each device, and the "
                "running ones",
     .document = "ops-nn: norm/sync_batch_norm_gather_stats_with_counts/docs/"
                 "aclnnBatchNormGatherStatsWithCounts.md"},
    {.op = kNames<"BatchNormElemt">,
     .params = kElemtParams,
     .prepare = PrepareElemt,
     .header = "aclnn_batch_norm_elemt.h",
     .summary = "output = (input - mean) * invstd * weight + bias",
     .document = "ops-nn: norm/batch_norm_elemt/docs/aclnnBatchNormElemt.md"},
    {.op = kNames<"BatchNormReduceBackward">,
     .params = kReduceBackwardParams,
     .prepare = PrepareReduceBackward,
     .header = "aclnn_batch_norm_backward_reduce.h",
     .summary = "sumDy = sum of gradOut, sumDyXmu = sum of gradOut * (input - mean), gradWeight = "
                "sumDyXmu * invstd, gradBias = sumDy",
     .document = "ops-nn: norm/sync_batch_norm_backward_reduce/docs/"
                 "aclnnBatchNormReduceBackward.md"},
    {.op = kNames<"BatchNormElemtBackward">,
     .params = kElemtBackwardParams,
     .prepare = PrepareElemtBackward,
     .header = "aclnn_batch_norm_elemt_backward.h",
     .summary = "gradInput = (gradOut - sumDy / n - (input - mean) * invstd^2 * sumDyXmu / n) * "
                "invstd * weight, n = sum of counter",
     .document = "ops-nn: norm/sync_batch_norm_backward_elemt/docs/"
                 "aclnnBatchNormElemtBackward.md"},
};

// Called by name.
inline constexpr ParamSpec kTrainingReduceParams[] = {
    {.name = "x", .id = kInput, .dtypes = kFloats, .note = kShapeNote},
    Noted(Out(kGradBias, "sum", {ACL_FLOAT}, "C"), "of x"),
    Noted(Out(kGradWeight, "square_sum", {ACL_FLOAT}, "C"), "of x^2")};
inline constexpr ParamSpec kGatherSumsParams[] = {
    Noted(In(kMeans, "total_sum", kFloats, "K C"), "of x on each device"),
    Noted(In(kInvstds, "total_square_sum", kFloats, "K C"), "of x^2 on each device"),
    Noted(In(kCounts, "sample_count", {ACL_INT32}, "K"), "elements of a channel on each device"),
    In(kRunningMean, "mean", kFloats, "C"),
    In(kRunningVar, "variance", kFloats, "C"),
    Out(kSaveMean, "batch_mean", kFloats, "C"),
    Noted(Out(kSaveInvstd, "batch_invstd", kFloats, "C"), "1 / sqrt(variance + eps)"),
    Noted(Out(kRunningMeanOut, "mean_update", kFloats, "C"), "may be mean"),
    Noted(Out(kRunningVarOut, "variance_update", kFloats, "C"), "may be variance"),
    Value(kMomentum, "momentum", Kind::kDouble, "how much of mean and variance is replaced"),
    kEpsParam};
inline constexpr OpSpec kNodes[] = {
    {.op = {"BNTrainingReduce", "BNTrainingReduce"},
     .params = kTrainingReduceParams,
     .prepare = PrepareTrainingReduce,
     .codes = kNodeCodes},
    {.op = {"SyncBatchNormGatherStats", "SyncBatchNormGatherStats"},
     .params = kGatherSumsParams,
     .prepare = PrepareGatherSums,
     .codes = kNodeCodes},
};
inline constexpr Source kTrainingReduceSources[] = {Input{0}, Output{0}, Output{1}};
inline constexpr auto kGatherSumsSources =
    InOrderOf<5, 4>({RealAttribute{"momentum", 0.1}, RealAttribute{"eps", 0.001}});
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"BNTrainingReduce", &kNodes[0], kTrainingReduceSources},
    {"SyncBatchNormGatherStats", &kNodes[1], kGatherSumsSources},
};

}  // namespace anyacl::batch_norm
