// SPDX-License-Identifier: Apache-2.0
// The declarations of batch normalisation and its gradients.
#pragma once

#include "nnop/operator.h"

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
};

Status PrepareForward(Operands& operands, PreparedCall* call);
Status PrepareBackward(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

constexpr ParamSpec Channel(int id, const char* name, const char* note) {
  ParamSpec row = In(id, name, kFloats, "C", Need::kOptional);
  row.note = note;
  return row;
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
constexpr ParamSpec Data(ParamSpec row, int same_dtype_as) {
  row.same_dtype_as = same_dtype_as;
  return row;
}
constexpr ParamSpec Wanted(ParamSpec row, const char* needed_if) {
  row.need = Need::kOptional;
  row.needed_if = needed_if;
  return row;
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
    Data(Out(kOutput, "output", kFloats, "X*"), kInput),
    Saved(kSaveMean, "saveMean", Direction::kOutput, "[C]; written if training is true"),
    Saved(kSaveInvstd, "saveInvstd", Direction::kOutput,
          "[C]: 1 / sqrt(variance + eps); written if training is true"),
};

inline constexpr ParamSpec kBackwardParams[] = {
    {.name = "gradOut", .id = kGradOut, .dtypes = kFloats, .dims = "X*", .note = kShapeNote},
    Data(In(kInput, "input", kFloats, "X*"), kGradOut),
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
    Wanted(Data(Out(kOutput, "gradInput", kFloats, "X*"), kGradOut), "outputMask[0]"),
    Wanted(Out(kGradWeight, "gradWeight", kFloats, "C"), "outputMask[1]"),
    Wanted(Out(kGradBias, "gradBias", kFloats, "C"), "outputMask[2]"),
};

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
};

}  // namespace anyacl::batch_norm
