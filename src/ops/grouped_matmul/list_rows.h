// SPDX-License-Identifier: Apache-2.0
// The rows of the versions that take lists of weights, which have one member, and say how groups
// are counted. The types of x and weight decide between three tables.
#pragma once

#include "nnop/operator.h"

namespace anyacl::grouped_matmul {

// In the order of the rows; those of the plain versions are among them.
enum : int {
  kX,
  kWeight,
  kBias,
  kOffset,
  kWeightScale,
  kXScale,
  kGroupList,
  kOutput,
  kOutputScale,
  kOutputOffset,
  kNoBias,
  kSmoothScale,
  kDequantMode,
  kDequantDtype,
  kQuantMode,
  kGroupListType,
  kTuningConfig
};

constexpr ParamSpec ListOf(int id, const char* name, DTypeSet dtypes, const char* dims) {
  return {.name = name, .id = id, .kind = Kind::kTensorList, .dtypes = dtypes, .dims = dims};
}
// Of the tables that have no use for it.
constexpr ParamSpec Absent(int id, const char* name, Kind kind = Kind::kTensor) {
  return {.name = name,
          .id = id,
          .kind = kind,
          .need = Need::kOptional,
          .dtypes = {ACL_FLOAT},
          .note = "null"};
}
constexpr ParamSpec Mode(int id, const char* name, int64_t min, int64_t max, const char* note) {
  return {.name = name, .id = id, .kind = Kind::kInt64, .min = min, .max = max, .note = note};
}

inline constexpr ParamSpec kInt8Weights = {.name = "weight",
                                           .id = kWeight,
                                           .kind = Kind::kTensorList,
                                           .dtypes = {ACL_INT8},
                                           .dims = "E N/32 K/16 16 32",
                                           .formats = Formats::kFractalNz};
inline constexpr ParamSpec kInt4Weights = {.name = "weight",
                                           .id = kWeight,
                                           .kind = Kind::kTensorList,
                                           .dtypes = {ACL_INT4, ACL_INT32},
                                           .dims = "E K N | E N/64 K/16 16 64",
                                           .packed_dims = "E K N/8 | E N/64 K/16 16 8",
                                           .formats = Formats::kPlainOrFractalNz,
                                           .note = "INT32 packs eight INT4"};
inline constexpr ParamSpec kInt4X = {.name = "x",
                                     .id = kX,
                                     .dtypes = {ACL_INT4, ACL_INT32},
                                     .dims = "M K",
                                     .packed_dims = "M K/8",
                                     .note = "INT32 packs eight INT4"};
inline constexpr ParamSpec kWordScales =
    ListOf(kWeightScale, "weightScale", {ACL_UINT64, ACL_INT64}, "E N | E G N");
inline constexpr ParamSpec kAssist = {.name = "weightAssistMatrix",
                                      .id = kBias,
                                      .kind = Kind::kTensorList,
                                      .dtypes = {ACL_FLOAT},
                                      .dims = "E N",
                                      .note = "8 times the scaled sums of weight's columns"};
inline constexpr ParamSpec kSmooth = {.name = "smoothScale",
                                      .id = kSmoothScale,
                                      .need = Need::kOptional,
                                      .dtypes = {ACL_FLOAT},
                                      .dims = "E | E N/2"};
inline constexpr ParamSpec kNoAssist = Absent(kBias, "weightAssistMatrix", Kind::kTensorList);
inline constexpr ParamSpec kNoSmooth = Absent(kSmoothScale, "smoothScale");
inline constexpr ParamSpec kReservedBias = Absent(kNoBias, "bias");
inline constexpr ParamSpec kXScales = In(kXScale, "xScale", {ACL_FLOAT}, "M");
inline constexpr ParamSpec kGroups = In(kGroupList, "groupList", {ACL_INT64}, "L");
inline constexpr ParamSpec kDequant = Mode(
    kDequantMode, "dequantMode", 0, 1, "0: weightScale is [E, N], 1: of groups of k, [E, G, N]");
inline constexpr ParamSpec kDequantType =
    Value(kDequantDtype, "dequantDtype", Kind::kInt64, "not used");
inline constexpr ParamSpec kQuant = Mode(kQuantMode, "quantMode", 0, 0, "0: a scale for each row");
inline constexpr ParamSpec kGroupsType =
    Mode(kGroupListType, "groupListType", 0, 1,
         "groupList has: 0: where groups end, 1: how many rows they have");
inline constexpr ParamSpec kTuning = {.name = "tuningConfigOptional",
                                      .id = kTuningConfig,
                                      .kind = Kind::kIntArray,
                                      .need = Need::kOptional,
                                      .note = "not used"};
inline constexpr ParamSpec kRows = Out(kOutput, "output", {ACL_INT8}, "M N/2");
inline constexpr ParamSpec kRowScales = Out(kOutputScale, "outputScale", {ACL_FLOAT}, "M");

inline constexpr ParamSpec kListParamsInt8[] = {
    In(kX, "x", {ACL_INT8}, "M K"),
    kInt8Weights,
    ListOf(kWeightScale, "weightScale", {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}, "E N"),
    kNoAssist,
    kReservedBias,
    kXScales,
    kNoSmooth,
    kGroups,
    Mode(kDequantMode, "dequantMode", 0, 0, "0: weightScale is [E, N]"),
    kDequantType,
    kQuant,
    kGroupsType,
    kTuning,
    kRows,
    kRowScales};
inline constexpr ParamSpec kListParamsInt4[] = {In(kX, "x", {ACL_INT8}, "M K"),
                                                kInt4Weights,
                                                kWordScales,
                                                kAssist,
                                                kReservedBias,
                                                kXScales,
                                                kNoSmooth,
                                                kGroups,
                                                kDequant,
                                                kDequantType,
                                                kQuant,
                                                kGroupsType,
                                                kTuning,
                                                kRows,
                                                kRowScales};
inline constexpr ParamSpec kListParamsInt4X[] = {
    kInt4X,   kInt4Weights, kWordScales, kNoAssist,   kReservedBias, kXScales, kSmooth,   kGroups,
    kDequant, kDequantType, kQuant,      kGroupsType, kTuning,       kRows,    kRowScales};

inline constexpr TableVariant kListVariants[] = {{"INT8 weights", kListParamsInt8},
                                                 {"INT4 weights", kListParamsInt4},
                                                 {"INT4 x", kListParamsInt4X}};

}  // namespace anyacl::grouped_matmul
