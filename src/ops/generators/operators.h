// SPDX-License-Identifier: Apache-2.0
// The declarations of the operators that make values (README.md).
#pragma once

#include "nnop/dtype_sets.h"
#include "nnop/single_op.h"

namespace anyacl::generators {

enum : int {
  kOut,
  kStart,
  kEnd,
  kStep,
  kRows,
  kColumns,
  kFrom,
  kTo,
  kMean,
  kDeviation,
  kSeed,
  kOffset,
  kSeedTensor,
  kOffsetTensor,
  kSelf,
  kMask,
  kShape,
  kProb,
  kProbType,
  kProbTensor,
  kScale,
  kTrain,
  kMeanTensor,
  kDeviationTensor,
  kSteps,
  kBase,
  kType,
  kCount
};

Status PrepareArange(Operands& operands, PreparedCall* call);
Status PrepareRange(Operands& operands, PreparedCall* call);
Status PrepareLinspace(Operands& operands, PreparedCall* call);
Status PrepareLogSpace(Operands& operands, PreparedCall* call);
Status PrepareLogSpaceNode(Operands& operands, PreparedCall* call);
Status PrepareEye(Operands& operands, PreparedCall* call);
Status PrepareUniform(Operands& operands, PreparedCall* call);
Status PrepareNormal(Operands& operands, PreparedCall* call);
Status PrepareRandom(Operands& operands, PreparedCall* call);
Status PrepareBernoulli(Operands& operands, PreparedCall* call);
Status PrepareBernoulliTensor(Operands& operands, PreparedCall* call);
Status PrepareDropout(Operands& operands, PreparedCall* call);
Status PrepareDropoutGenMask(Operands& operands, PreparedCall* call);
Status PrepareDropoutGenMaskV2(Operands& operands, PreparedCall* call);
Status PrepareByteMask(Operands& operands, PreparedCall* call);
Status PrepareDropoutDoMask(Operands& operands, PreparedCall* call);
Status PrepareDropoutBackward(Operands& operands, PreparedCall* call);
Status PrepareRandperm(Operands& operands, PreparedCall* call);
Status PrepareRandomRelu(Operands& operands, PreparedCall* call);
Status PrepareChoice(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kReals = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
inline constexpr DTypeSet kNormalTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                          ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};
inline constexpr DTypeSet kUniformTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                           ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8};

// A tensor that is written over; CANN's prototype writes const.
constexpr ParamSpec Filled(DTypeSet dtypes) { return ConstHandle(InOut(kOut, "selfRef", dtypes)); }
constexpr ParamSpec SeedTensor(DTypeSet dtypes) {
  return In(kSeedTensor, "seedTensor", dtypes, "1");
}
constexpr ParamSpec OffsetTensor(DTypeSet dtypes) {
  return In(kOffsetTensor, "offsetTensor", dtypes, "1");
}
inline constexpr ParamSpec kSeedRow = Value(kSeed, "seed", Kind::kInt64);
inline constexpr ParamSpec kOffsetRow =
    Value(kOffset, "offset", Kind::kInt64, "chooses another sequence of the seed");
inline constexpr ParamSpec kAddedOffsetRow =
    Value(kOffset, "offset", Kind::kInt64, "is added to offsetTensor's element");

inline constexpr ParamSpec kArangeParams[] = {
    Value(kStart, "start", Kind::kScalar), Value(kEnd, "end", Kind::kScalar),
    Value(kStep, "step", Kind::kScalar, "not 0"),
    Out(kOut, "out", {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64}, "L..")};
inline constexpr ParamSpec kStepsRow = {.name = "steps",
                                        .id = kSteps,
                                        .kind = Kind::kInt64,
                                        .min = 0,
                                        .names_size = true,
                                        .note = "how many numbers"};
inline constexpr ParamSpec kLinspaceParams[] = {
    Value(kStart, "start", Kind::kScalar), Value(kEnd, "end", Kind::kScalar), kStepsRow,
    Out(kOut, "out",
        {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64,
         ACL_UINT8},
        "steps")};
inline constexpr ParamSpec kLogSpaceParams[] = {
    Value(kStart, "start", Kind::kScalar), Value(kEnd, "end", Kind::kScalar), kStepsRow,
    Value(kBase, "base", Kind::kDouble), ConstHandle(Out(kOut, "result", kFloats, "steps"))};
inline constexpr ParamSpec kEyeParams[] = {
    {.name = "n", .id = kRows, .kind = Kind::kInt64, .min = 0, .names_size = true},
    {.name = "m", .id = kColumns, .kind = Kind::kInt64, .min = 0, .names_size = true},
    Out(kOut, "out",
        {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8,
         ACL_BOOL},
        "n m")};
inline constexpr ParamSpec kUniformFrom =
    Value(kFrom, "from", Kind::kDouble, "a number of the type's range, not above to");
inline constexpr ParamSpec kUniformTo =
    Value(kTo, "to", Kind::kDouble, "of the type's range; to - from too, in floating point");
inline constexpr ParamSpec kUniformParams[] = {
    Filled(kUniformTypes), kUniformFrom, kUniformTo, Value(kSeed, "seed", Kind::kUint64),
    Value(kOffset, "offset", Kind::kUint64, "chooses another sequence of the seed")};
inline constexpr ParamSpec kUniformTensorParams[] = {
    Filled(kUniformTypes),
    kUniformFrom,
    kUniformTo,
    SeedTensor({ACL_UINT64, ACL_INT64}),
    OffsetTensor({ACL_UINT64, ACL_INT64}),
    Value(kOffset, "offset", Kind::kUint64, "is added to offsetTensor's element")};
inline constexpr ParamSpec kNormalMean = Value(kMean, "mean", Kind::kFloat);
inline constexpr ParamSpec kNormalDeviation = Value(kDeviation, "std", Kind::kFloat, "0 or more");
inline constexpr ParamSpec kNormalParams[] = {Filled(kNormalTypes), kNormalMean, kNormalDeviation,
                                              kSeedRow, kOffsetRow};
inline constexpr ParamSpec kNormalTensorParams[] = {
    Filled(kNormalTypes),      kNormalMean,    kNormalDeviation, SeedTensor({ACL_INT64}),
    OffsetTensor({ACL_INT64}), kAddedOffsetRow};

inline constexpr DTypeSet kRandomTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,      ACL_DOUBLE,
                                          ACL_INT8,  ACL_INT16,   ACL_INT32,     ACL_INT64,
                                          ACL_UINT8, ACL_BOOL,    ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr ParamSpec kRandomFrom =
    Value(kFrom, "from", Kind::kInt64, "a number of the type's range, below to");
inline constexpr ParamSpec kRandomTo =
    Value(kTo, "to", Kind::kInt64, "to - 1 is of the type's range");
inline constexpr ParamSpec kRandomParams[] = {Filled(kRandomTypes), kRandomFrom, kRandomTo,
                                              kSeedRow, kOffsetRow};
inline constexpr ParamSpec kRandomTensorParams[] = {
    Filled(kRandomTypes),      kRandomFrom,    kRandomTo, SeedTensor({ACL_INT64}),
    OffsetTensor({ACL_INT64}), kAddedOffsetRow};

inline constexpr DTypeSet kBernoulliTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE,
                                             ACL_INT8,  ACL_INT16,   ACL_INT32, ACL_INT64,
                                             ACL_UINT8, ACL_BOOL};
inline constexpr ParamSpec kBlockOffsetRow =
    Value(kOffset, "offset", Kind::kInt64, "a multiple of 4; chooses another sequence of the seed");
inline constexpr ParamSpec kProbScalar =
    Value(kProb, "prob", Kind::kScalar, "probability of 1: FLOAT, FLOAT16, BF16 or DOUBLE, 0 to 1");
constexpr ParamSpec ProbTensor() {
  ParamSpec row = In(kProbTensor, "prob", kReals);
  row.note =
      "probabilities of 1 in row-major order, or one for all; beyond their end the result is 0";
  return row;
}
inline constexpr ParamSpec kBernoulliOut = Like(kSelf, Out(kOut, "out", kBernoulliTypes, "A*"));
inline constexpr ParamSpec kBernoulliParams[] = {In(kSelf, "self", kBernoulliTypes, "A*"),
                                                 kProbScalar, kSeedRow, kBlockOffsetRow,
                                                 kBernoulliOut};
inline constexpr ParamSpec kBernoulliTensorParams[] = {In(kSelf, "self", kBernoulliTypes, "A*"),
                                                       ProbTensor(), kSeedRow, kBlockOffsetRow,
                                                       kBernoulliOut};
inline constexpr ParamSpec kInplaceBernoulliParams[] = {Filled(kBernoulliTypes), kProbScalar,
                                                        kSeedRow, kBlockOffsetRow};
inline constexpr ParamSpec kInplaceBernoulliTensorParams[] = {Filled(kBernoulliTypes), ProbTensor(),
                                                              kSeedRow, kBlockOffsetRow};

inline constexpr ParamSpec kMaskShape =
    Value(kShape, "shape", Kind::kIntArray, "sizes of the tensor that the mask is for");
inline constexpr ParamSpec kMaskProb =
    Value(kProb, "prob", Kind::kDouble, "probability of 0: 0 to 1");
inline constexpr ParamSpec kMaskProbType =
    Value(kProbType, "probDataType", Kind::kDataType, "FLOAT, FLOAT16 or BF16");
constexpr ParamSpec MaskOut(const char* name = "out") {
  return Noted(Out(kMask, name, {ACL_UINT8}, "M*"),
               "a bit for each element, the lowest first, in units of 128 bits");
}
constexpr ParamSpec MaskIn() {
  return Noted(In(kMask, "mask", {ACL_UINT8}, "M*"),
               "a bit for each element, the lowest first, in units of 128 bits");
}
inline constexpr ParamSpec kGenMaskParams[] = {kMaskShape, kMaskProb, kSeedRow, kOffsetRow,
                                               MaskOut()};
inline constexpr ParamSpec kGenMaskV2Params[] = {kMaskShape, kMaskProb,     kSeedRow,
                                                 kOffsetRow, kMaskProbType, MaskOut()};
inline constexpr ParamSpec kGenMaskV2TensorParams[] = {
    kMaskShape,    kMaskProb, SeedTensor({ACL_INT64}), OffsetTensor({ACL_INT64}), kAddedOffsetRow,
    kMaskProbType, MaskOut()};
inline constexpr ParamSpec kDoMaskParams[] = {In(kSelf, "self", kFloats, "A*"), MaskIn(),
                                              Value(kProb, "prob", Kind::kDouble, "0 to 1"),
                                              Out(kOut, "out", kFloats, "A*")};
inline constexpr ParamSpec kDropoutBackwardParams[] = {
    In(kSelf, "gradOutput", kFloats, "A*"), MaskIn(),
    Value(kScale, "scale", Kind::kDouble, "0, or 1 or more"), Out(kOut, "out", kFloats, "A*")};
inline constexpr ParamSpec kDropoutParams[] = {
    In(kSelf, "input", kFloats, "A*"),
    Value(kProb, "p", Kind::kDouble, "probability of 0: 0 to 1"),
    Value(kTrain, "train", Kind::kBool, "else out is input"),
    kSeedRow,
    kOffsetRow,
    Out(kOut, "out", kFloats, "A*"),
    MaskOut("maskOut")};

inline constexpr ParamSpec kNormalOut = Out(kOut, "out", kReals, "O*");
inline constexpr ParamSpec kMeanInput = Like(kOut, In(kMeanTensor, "mean", kReals));
inline constexpr ParamSpec kDeviationInput = Like(kOut, In(kDeviationTensor, "std", kReals));
inline constexpr ParamSpec kNormalFloatFloatParams[] = {kNormalMean, kNormalDeviation, kSeedRow,
                                                        kOffsetRow, kNormalOut};
inline constexpr ParamSpec kNormalFloatTensorParams[] = {kNormalMean, kDeviationInput, kSeedRow,
                                                         kOffsetRow, kNormalOut};
inline constexpr ParamSpec kNormalTensorFloatParams[] = {kMeanInput, kNormalDeviation, kSeedRow,
                                                         kOffsetRow, kNormalOut};
inline constexpr ParamSpec kNormalTensorTensorParams[] = {kMeanInput, kDeviationInput, kSeedRow,
                                                          kOffsetRow, kNormalOut};
inline constexpr ParamSpec kRandpermParams[] = {
    {.name = "n", .id = kRows, .kind = Kind::kInt64, .min = 0, .names_size = true},
    kSeedRow,
    kOffsetRow,
    Out(kOut, "out",
        {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64,
         ACL_UINT8},
        "n")};

inline constexpr ParamSpec kNoiseRow = {
    .name = "noise",
    .id = kMask,
    .direction = Direction::kInOut,
    .dtypes = kFloats,
    .same_dtype_as = kSelf,
    .note = "of self's shape; the slopes, 1 where self is above 0; unchanged without training",
    .const_handle = true};
inline constexpr ParamSpec kLowerRow = Value(kFrom, "lower", Kind::kScalar),
                           kUpperRow = Value(kTo, "upper", Kind::kScalar),
                           kTrainingRow = Value(kTrain, "training", Kind::kBool,
                                                "if not, the slope is (lower + upper) / 2");
inline constexpr ParamSpec kRReluParams[] = {In(kSelf, "self", kFloats),
                                             kNoiseRow,
                                             kLowerRow,
                                             kUpperRow,
                                             kTrainingRow,
                                             kSeedRow,
                                             kOffsetRow,
                                             Like(kSelf, Out(kOut, "out", kFloats))};
inline constexpr ParamSpec kInplaceRReluParams[] = {{.name = "self",
                                                     .id = kSelf,
                                                     .direction = Direction::kInOut,
                                                     .dtypes = kFloats,
                                                     .const_handle = true},
                                                    kNoiseRow,
                                                    kLowerRow,
                                                    kUpperRow,
                                                    kTrainingRow,
                                                    kSeedRow,
                                                    kOffsetRow};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"Arange">,
     .params = kArangeParams,
     .prepare = PrepareArange,
     .header = "aclnn_arange.h",
     .summary = "out[i] = start + i * step, from start to before end",
     .document = "ops-math: math/range/docs/aclnnArange.md"},
    {.op = kNames<"Range">,
     .params = kArangeParams,
     .prepare = PrepareRange,
     .header = "aclnn_range.h",
     .summary =
         "out[i] = start + i * step, from start to end, which is the last where a step meets it",
     .document = "ops-math: math/range/docs/aclnnRange.md"},
    {.op = kNames<"Linspace">,
     .params = kLinspaceParams,
     .prepare = PrepareLinspace,
     .header = "aclnn_linspace.h",
     .summary = "out[i] = start + i * (end - start) / (steps - 1)",
     .document = "ops-math: math/lin_space/docs/aclnnLinspace.md"},
    {.op = kNames<"LogSpace">,
     .params = kLogSpaceParams,
     .prepare = PrepareLogSpace,
     .header = "aclnn_logspace.h",
     .summary = "result[i] = base ^ (start + i * (end - start) / (steps - 1))",
     .document = "ops-math: math/logspace/docs/aclnnLogSpace.md",
     .codes = {.null = ACLNN_ERR_INNER_NULLPTR}},
    {.op = kNames<"Eye">,
     .params = kEyeParams,
     .prepare = PrepareEye,
     .header = "aclnn_eye.h",
     .summary = "out[i, j] = 1 where i = j, else 0",
     .document = "ops-math: math/eye/docs/aclnnEye.md"},
    {.op = kNames<"InplaceUniform">,
     .params = kUniformParams,
     .prepare = PrepareUniform,
     .header = "aclnn_uniform.h",
     .summary = "selfRef becomes numbers distributed evenly over [from, to)",
     .document = "ops-math: random/dsa_random_uniform/docs/aclnnInplaceUniform.md"},
    {.op = kNames<"InplaceUniformTensor">,
     .params = kUniformTensorParams,
     .prepare = PrepareUniform,
     .header = "aclnn_uniform.h",
     .summary = "selfRef becomes numbers distributed evenly over [from, to)",
     .document = "ops-math: random/dsa_random_uniform/docs/aclnnInplaceUniformTensor.md"},
    {.op = kNames<"InplaceNormal">,
     .params = kNormalParams,
     .prepare = PrepareNormal,
     .header = "aclnn_normal.h",
     .summary = "selfRef becomes numbers of a normal distribution",
     .document = "ops-math: random/dsa_random_normal/docs/aclnnInplaceNormal.md"},
    {.op = kNames<"InplaceNormalTensor">,
     .params = kNormalTensorParams,
     .prepare = PrepareNormal,
     .header = "aclnn_normal.h",
     .summary = "selfRef becomes numbers of a normal distribution",
     .document = "ops-math: random/dsa_random_normal/docs/aclnnInplaceNormalTensor.md"},
    {.op = kNames<"InplaceRandom">,
     .params = kRandomParams,
     .prepare = PrepareRandom,
     .header = "aclnn_random.h",
     .summary = "selfRef becomes integers distributed evenly over from to to - 1",
     .document = "ops-math: random/dsa_random_uniform/docs/aclnnInplaceRandom.md"},
    {.op = kNames<"InplaceRandomTensor">,
     .params = kRandomTensorParams,
     .prepare = PrepareRandom,
     .header = "aclnn_random.h",
     .summary = "selfRef becomes integers distributed evenly over from to to - 1",
     .document = "ops-math: random/dsa_random_uniform/docs/aclnnInplaceRandomTensor.md"},
    {.op = kNames<"Bernoulli">,
     .params = kBernoulliParams,
     .prepare = PrepareBernoulli,
     .header = "aclnn_bernoulli.h",
     .summary = "out is 1 with probability prob, else 0",
     .document =
         "ops-math: random/stateless_bernoulli/docs/aclnnBernoulli&aclnnInplaceBernoulli.md"},
    {.op = kNames<"InplaceBernoulli">,
     .params = kInplaceBernoulliParams,
     .prepare = PrepareBernoulli,
     .header = "aclnn_bernoulli.h",
     .summary = "selfRef becomes 1 with probability prob, else 0",
     .document =
         "ops-math: random/stateless_bernoulli/docs/aclnnBernoulli&aclnnInplaceBernoulli.md"},
    {.op = kNames<"BernoulliTensor">,
     .params = kBernoulliTensorParams,
     .prepare = PrepareBernoulliTensor,
     .header = "aclnn_bernoulli.h",
     .summary = "out is 1 with probability prob, else 0",
     .document =
         "ops-math: "
         "random/stateless_bernoulli/docs/aclnnBernoulliTensor&aclnnInplaceBernoulliTensor.md"},
    {.op = kNames<"InplaceBernoulliTensor">,
     .params = kInplaceBernoulliTensorParams,
     .prepare = PrepareBernoulliTensor,
     .header = "aclnn_bernoulli.h",
     .summary = "selfRef becomes 1 with probability prob, else 0",
     .document =
         "ops-math: "
         "random/stateless_bernoulli/docs/aclnnBernoulliTensor&aclnnInplaceBernoulliTensor.md"},
    {.op = kNames<"DropoutGenMask">,
     .params = kGenMaskParams,
     .prepare = PrepareDropoutGenMask,
     .header = "aclnn_dropout_gen_mask.h",
     .summary = "bits that are 0 with probability prob",
     .document = "ops-math: random/dsa_gen_bit_mask/docs/aclnnDropoutGenMask.md"},
    {.op = kNames<"DropoutGenMaskV2">,
     .params = kGenMaskV2Params,
     .prepare = PrepareDropoutGenMaskV2,
     .header = "aclnn_dropout_gen_mask.h",
     .summary = "bits that are 0 with probability prob",
     .document = "ops-math: random/dsa_gen_bit_mask/docs/aclnnDropoutGenMaskV2.md"},
    {.op = kNames<"DropoutGenMaskV2Tensor">,
     .params = kGenMaskV2TensorParams,
     .prepare = PrepareDropoutGenMaskV2,
     .header = "aclnn_dropout_gen_mask.h",
     .summary = "bits that are 0 with probability prob",
     .document = "ops-math: random/dsa_gen_bit_mask/docs/aclnnDropoutGenMaskV2Tensor.md"},
    {.op = kNames<"DropoutDoMask">,
     .params = kDoMaskParams,
     .prepare = PrepareDropoutDoMask,
     .header = "aclnn_dropout_do_mask.h",
     .summary = "self / (1 - prob) where the mask has ones, else 0",
     .document = "ops-math: random/drop_out_do_mask/docs/aclnnDropoutDoMask.md"},
    {.op = kNames<"DropoutBackward">,
     .params = kDropoutBackwardParams,
     .prepare = PrepareDropoutBackward,
     .header = "aclnn_dropout_backward.h",
     .summary = "gradOutput * scale where the mask has ones, else 0",
     .document = "ops-math: random/drop_out_do_mask/docs/aclnnDropoutBackward.md"},
    {.op = kNames<"Dropout">,
     .params = kDropoutParams,
     .prepare = PrepareDropout,
     .header = "aclnn_dropout.h",
     .summary = "input / (1 - p) where the mask that it makes has ones, else 0",
     .document = "ops-math: random/dsa_gen_bit_mask/docs/aclnnDropout.md"},
    {.op = kNames<"NormalFloatFloat">,
     .params = kNormalFloatFloatParams,
     .prepare = PrepareNormal,
     .header = "aclnn_normal_out.h",
     .summary = "numbers of a normal distribution",
     .document = "ops-math: random/stateless_random_normal_v2/docs/aclnnNormalFloatFloat.md"},
    {.op = kNames<"NormalFloatTensor">,
     .params = kNormalFloatTensorParams,
     .prepare = PrepareNormal,
     .header = "aclnn_normal_out.h",
     .summary = "numbers of normal distributions",
     .document = "ops-math: random/stateless_random_normal_v2/docs/aclnnNormalFloatTensor.md"},
    {.op = kNames<"NormalTensorFloat">,
     .params = kNormalTensorFloatParams,
     .prepare = PrepareNormal,
     .header = "aclnn_normal_out.h",
     .summary = "numbers of normal distributions",
     .document = "ops-math: random/stateless_random_normal_v2/docs/aclnnNormalTensorFloat.md"},
    {.op = kNames<"NormalTensorTensor">,
     .params = kNormalTensorTensorParams,
     .prepare = PrepareNormal,
     .header = "aclnn_normal_out.h",
     .summary = "numbers of normal distributions",
     .document = "ops-math: random/stateless_random_normal_v2/docs/aclnnNormalTensorTensor.md"},
    {.op = kNames<"Randperm">,
     .params = kRandpermParams,
     .prepare = PrepareRandperm,
     .header = "aclnn_randperm.h",
     .summary = "the integers from 0 to n - 1 in a random order",
     .document = "ops-math: random/stateless_randperm/docs/aclnnRandperm.md"},
    {.op = kNames<"RReluWithNoise">,
     .params = kRReluParams,
     .prepare = PrepareRandomRelu,
     .header = "aclnn_rrelu_with_noise.h",
     .summary = "out = self > 0 ? self : a * self, of random slopes a from lower to upper",
     .document =
         "ops-nn: activation/leaky_relu/docs/aclnnRReluWithNoise&aclnnInplaceRReluWithNoise.md"},
    {.op = kNames<"InplaceRReluWithNoise">,
     .params = kInplaceRReluParams,
     .prepare = PrepareRandomRelu,
     .header = "aclnn_rrelu_with_noise.h",
     .summary = "self = self > 0 ? self : a * self, of random slopes a from lower to upper",
     .document =
         "ops-nn: activation/leaky_relu/docs/aclnnRReluWithNoise&aclnnInplaceRReluWithNoise.md"},
};

// Called by name. `assist` holds the numbers from 0 to steps - 1, which are known.
inline constexpr DTypeSet kLogSpaceTypes = {ACL_FLOAT, ACL_FLOAT16};
inline constexpr ParamSpec kLogSpaceNodeParams[] = {
    In(kSelf, "assist", kLogSpaceTypes, "N"), Out(kOut, "y", kLogSpaceTypes, "N"),
    Value(kStart, "start", Kind::kDouble),    Value(kEnd, "end", Kind::kDouble),
    Value(kSteps, "steps", Kind::kInt64),     Value(kBase, "base", Kind::kDouble),
    Value(kType, "dtype", Kind::kInt64)};
inline constexpr ParamSpec kByteMaskParams[] = {In(kSelf, "x", kFloats, "A*"),
                                                In(kMask, "mask", {ACL_UINT8}, "A*"),
                                                Value(kProb, "keep_prob", Kind::kScalar, "above 0"),
                                                Like(kSelf, Out(kOut, "y", kFloats, "A*"))};
inline constexpr ParamSpec kChoiceParams[] = {
    In(kSelf, "x", {ACL_BOOL}),
    Noted(Out(kOut, "y", {ACL_INT32}, "K R"), "indices of elements that are true, in random order"),
    Noted(Out(kMask, "mask", {ACL_BOOL}, "K"), "whether there were as many"),
    Value(kCount, "count", Kind::kInt64, "K"),
    Value(kSeed, "seed", Kind::kInt64),
    Value(kOffset, "seed2", Kind::kInt64, "both 0: any seed")};
inline constexpr OpSpec kNodes[] = {{.op = {"LogSpaceD", "LogSpaceD"},
                                     .params = kLogSpaceNodeParams,
                                     .prepare = PrepareLogSpaceNode,
                                     .codes = kNodeCodes},
                                    {.op = {"DropOutDoMaskV3", "DropOutDoMaskV3"},
                                     .params = kByteMaskParams,
                                     .prepare = PrepareByteMask,
                                     .codes = kNodeCodes},
                                    {.op = {"RandomChoiceWithMask", "RandomChoiceWithMask"},
                                     .params = kChoiceParams,
                                     .prepare = PrepareChoice,
                                     .codes = kNodeCodes}};
inline constexpr Source kByteMaskSources[] = {Input{0}, Input{1}, InputScalar{2}, Output{0}};
inline constexpr auto kLogSpaceSources =
    InOrderOf<1, 1>({RealAttribute{"start", 0}, RealAttribute{"end", 1}, IntAttribute{"steps", 100},
                     RealAttribute{"base", 10}, IntAttribute{"dtype", 1}});
inline constexpr auto kChoiceSources =
    InOrderOf<1, 2>({IntAttribute{"count", 0}, IntAttribute{"seed", 0}, IntAttribute{"seed2", 0}});
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"LogSpaceD", &kNodes[0], kLogSpaceSources},
    {"DropOutDoMaskV3", &kNodes[1], kByteMaskSources},
    {"RandomChoiceWithMask", &kNodes[2], kChoiceSources}};

}  // namespace anyacl::generators
