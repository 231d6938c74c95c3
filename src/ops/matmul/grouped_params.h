// SPDX-License-Identifier: Apache-2.0
// The tables of products of groups.
#pragma once

#include "ops/matmul/params.h"

namespace anyacl::matmul {

constexpr ParamSpec Tensors(int id, const char* name, DTypeSet dtypes, const char* note,
                            Need need = Need::kRequired) {
  return {.name = name,
          .id = id,
          .kind = Kind::kTensorList,
          .need = need,
          .dtypes = dtypes,
          .note = note};
}
constexpr ParamSpec OfColumns(int id, const char* name, DTypeSet dtypes,
                              const char* note = "as weight: [groups, N], or [N] for each") {
  return Tensors(id, name, dtypes, note, Need::kOptional);
}
constexpr ParamSpec Weights(DTypeSet dtypes, const char* note) {
  return PlainOrFractalNz(Tensors(kRight, "weight", dtypes, note));
}
constexpr ParamSpec Results(const char* name, DTypeSet dtypes) {
  ParamSpec row = Tensors(kOut, name, dtypes, "as splitItem says");
  row.direction = Direction::kOutput;
  return row;
}
// Reserved by the documents.
constexpr ParamSpec Reserved(int id, const char* name, Direction direction = Direction::kInput) {
  ParamSpec row = Tensors(id, name, {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8},
                          "null, or an empty list", Need::kOptional);
  row.direction = direction;
  return row;
}
constexpr ParamSpec Choice(int id, const char* name, int64_t min, int64_t max, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = min, .max = max, .note = note};
}

inline constexpr DTypeSet kGroupedTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8};
inline constexpr ParamSpec kGroupListParam =
    Noted(Optional(In(kGroupList, "groupListOptional", {ACL_INT64}, "L")),
          "where each group ends; null where the tensors' sizes say it");
inline constexpr ParamSpec kSplitItemParam = Choice(
    kSplitItem, "splitItem", 0, 3, "0 and 1: the result has a tensor for each group, 2 and 3: one");
inline constexpr ParamSpec kGroupTypeParam =
    Choice(kGroupType, "groupType", -1, 2,
           "-1: every tensor is a group, 0: groups are rows, 2: parts of K");

inline constexpr ParamSpec kGroupEndsParam =
    Noted(Optional(Value(kGroupList, "groupListOptional", Kind::kIntArray)),
          "where each group ends; null where the tensors' sizes say it");
inline constexpr ParamSpec kGroupedXParam =
    Tensors(kLeft, "x", kGroupedTypes, "one tensor for all groups, or one for each");
inline constexpr ParamSpec kGroupedWParam =
    Weights(kGroupedTypes, "[groups, K, N], or [K, N] for each; groups of K: [K, N]");
inline constexpr ParamSpec kGroupedBiasParam =
    OfColumns(kSummand, "biasOptional", {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32});
inline constexpr ParamSpec kCodedScaleParam =
    OfColumns(kQuantScale, "scaleOptional", {ACL_UINT64, ACL_INT64});
inline constexpr ParamSpec kNoOffsetParam =
    Tensors(kQuantOffset, "offsetOptional", {ACL_FLOAT}, "null", Need::kOptional);
inline constexpr ParamSpec kAntiquantScalesParam =
    OfColumns(kScale, "antiquantScaleOptional", kHalves);
inline constexpr ParamSpec kAntiquantOffsetsParam =
    OfColumns(kOffset, "antiquantOffsetOptional", kHalves);
inline constexpr ParamSpec kGroupedYParam = ConstHandle(Results("y", kGroupedTypes));

inline constexpr ParamSpec kGroupedParams[] = {
    kGroupedXParam,  kGroupedWParam,        kGroupedBiasParam,      kCodedScaleParam,
    kNoOffsetParam,  kAntiquantScalesParam, kAntiquantOffsetsParam, kGroupEndsParam,
    kSplitItemParam, kGroupedYParam};
inline constexpr ParamSpec kGroupedV2Params[] = {
    kGroupedXParam,  kGroupedWParam,        kGroupedBiasParam,      kCodedScaleParam,
    kNoOffsetParam,  kAntiquantScalesParam, kAntiquantOffsetsParam, kGroupEndsParam,
    kSplitItemParam, kGroupTypeParam,       kGroupedYParam};
inline constexpr ParamSpec kGroupedV3Params[] = {
    kGroupedXParam,  kGroupedWParam,        kGroupedBiasParam,      kCodedScaleParam,
    kNoOffsetParam,  kAntiquantScalesParam, kAntiquantOffsetsParam, kGroupListParam,
    kSplitItemParam, kGroupTypeParam,       kGroupedYParam};

inline constexpr DTypeSet kGroupedLeft = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,
                                          ACL_INT8,  ACL_INT4,    ACL_INT32};
inline constexpr DTypeSet kGroupedResults = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32};
inline constexpr ParamSpec kGroupedLeftParam = Tensors(
    kLeft, "x", kGroupedLeft, "one tensor for all groups, or one for each; INT32 packs eight INT4");
inline constexpr ParamSpec kGroupedRightParam =
    Weights(kGroupedLeft,
            "[groups, K, N], or [K, N] for each; groups of K: [K, N]; INT32 packs eight INT4");
inline constexpr ParamSpec kGroupedScaleParam =
    OfColumns(kQuantScale, "scaleOptional", {ACL_UINT64, ACL_INT64, ACL_FLOAT, ACL_BF16},
              "[groups, N], or [N] for each; beside INT4 also [.., groups of K, N]; of 64 bits the "
              "lower half is fp32");
inline constexpr ParamSpec kGroupedOffsetParam =
    OfColumns(kQuantOffset, "offsetOptional", {ACL_FLOAT},
              "of INT8 by INT4: [groups, 1, N], or [1, N] for each; else null");
inline constexpr ParamSpec kAntiquantScaleParam = OfColumns(
    kScale, "antiquantScaleOptional", kHalves,
    "of x's type: [groups, N] or [groups, groups of K, N], or [N] or [groups of K, N] for "
    "each");
inline constexpr ParamSpec kAntiquantOffsetParam =
    OfColumns(kOffset, "antiquantOffsetOptional", kHalves, "shaped as antiquantScaleOptional");
inline constexpr ParamSpec kPerTokenParam = Tensors(kRowScale, "perTokenScaleOptional", {ACL_FLOAT},
                                                    "one tensor, [M] or [M, 1]", Need::kOptional);
inline constexpr ParamSpec kGroupListOfTypeParam =
    Noted(Optional(In(kGroupList, "groupListOptional", {ACL_INT64}, "L | L 2")),
          "as groupListType says; null where the tensors' sizes say it");
inline constexpr ParamSpec kGroupListTypeParam =
    Choice(kGroupListType, "groupListType", 0, 2,
           "groupListOptional has: 0: where groups end, 1: their sizes, 2: [group, size] of each");
inline constexpr ParamSpec kActTypeParam =
    Choice(kActType, "actType", 0, 5,
           "of INT8 by INT8 with 16-bit results: 0 none, 1 relu, 2 gelu with tanh, 4 fast gelu, 5 "
           "silu");
inline constexpr ParamSpec kActivationInputParam =
    Reserved(kActivationInput, "activationInputOptional");
inline constexpr ParamSpec kActivationScaleParam =
    Reserved(kActivationScale, "activationQuantScaleOptional");
inline constexpr ParamSpec kActivationOffsetParam =
    Reserved(kActivationOffset, "activationQuantOffsetOptional");
inline constexpr ParamSpec kTuningParam =
    Noted(Optional(Value(kTuning, "tuningConfigOptional", Kind::kIntArray)),
          "{rows that are expected of a group, 1 for INT4 weights [groups, N, K], bytes}");
inline constexpr ParamSpec kFeaturesParam =
    Reserved(kFeatures, "activationFeatureOutOptional", Direction::kOutput);
inline constexpr ParamSpec kDynamicScaleParam =
    Reserved(kDynamicScale, "dynQuantScaleOutOptional", Direction::kOutput);

inline constexpr ParamSpec kGroupedV4Params[] = {kGroupedLeftParam,
                                                 kGroupedRightParam,
                                                 kGroupedBiasParam,
                                                 kGroupedScaleParam,
                                                 kGroupedOffsetParam,
                                                 kAntiquantScaleParam,
                                                 kAntiquantOffsetParam,
                                                 kPerTokenParam,
                                                 kGroupListOfTypeParam,
                                                 kActivationInputParam,
                                                 kActivationScaleParam,
                                                 kActivationOffsetParam,
                                                 kSplitItemParam,
                                                 kGroupTypeParam,
                                                 kGroupListTypeParam,
                                                 kActTypeParam,
                                                 Results("out", kGroupedResults),
                                                 kFeaturesParam,
                                                 kDynamicScaleParam};
inline constexpr ParamSpec kGroupedV5Params[] = {
    kGroupedLeftParam,     kGroupedRightParam,    kGroupedBiasParam,
    kGroupedScaleParam,    kGroupedOffsetParam,   kAntiquantScaleParam,
    kAntiquantOffsetParam, kPerTokenParam,        kGroupListOfTypeParam,
    kActivationInputParam, kActivationScaleParam, kActivationOffsetParam,
    kSplitItemParam,       kGroupTypeParam,       kGroupListTypeParam,
    kActTypeParam,         kTuningParam,          Results("out", kGroupedResults),
    kFeaturesParam,        kDynamicScaleParam};
inline constexpr ParamSpec kGroupedNzParams[] = {
    kGroupedLeftParam,
    kGroupedRightParam,
    kGroupedBiasParam,
    kGroupedScaleParam,
    kGroupedOffsetParam,
    kAntiquantScaleParam,
    kAntiquantOffsetParam,
    kPerTokenParam,
    kGroupListOfTypeParam,
    kActivationInputParam,
    kActivationScaleParam,
    kActivationOffsetParam,
    kSplitItemParam,
    kGroupTypeParam,
    kGroupListTypeParam,
    kActTypeParam,
    kTuningParam,
    Choice(kGroupSize, "quantGroupSize", 0, INT64_MAX,
           "0, or how many k have a factor, of INT8 by INT4"),
    Results("out", kGroupedResults),
    kFeaturesParam,
    kDynamicScaleParam};

}  // namespace anyacl::matmul
