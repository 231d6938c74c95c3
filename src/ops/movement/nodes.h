// SPDX-License-Identifier: Apache-2.0
// The declarations of what is called by the names of graphs' nodes alone: slices of several
// dimensions, a transpose together with a change of shape, padding.
#pragma once

#include "nnop/single_op.h"
#include "ops/movement/operators.h"

namespace anyacl::movement {

Status PrepareSliceOfAll(Operands& operands, PreparedCall* call);
Status PreparePadNode(Operands& operands, PreparedCall* call);
Status PreparePadV3(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kSliceOfAllParams[] = {
    In(kSelf, "x", kAllAndFloat8), Array(kStart, "offsets", "of each dimension"),
    Array(kOutputSize, "size", "of each dimension; -1: all behind the offset"),
    Result(kAllAndFloat8)};
constexpr ParamSpec PadValue() {
  return Noted(Like(kSelf, In(kValue, "constant_values", kAll, "*", Need::kOptional)),
               "one number; 0 if it is left out");
}
inline constexpr ParamSpec kStridedSliceNodeParams[] = {
    In(kSelf, "x", kAllAndFloat8),
    Array(kStart, "begin", "of each dimension; counts from the end if negative, and is clamped"),
    Array(kEnd, "end", "as begin"),
    Array(kStep, "strides", "not 0"),
    Result(kAllAndFloat8),
    Value(kBeginMask, "begin_mask", Kind::kInt64, "bit i: begin[i] counts as left out"),
    Value(kEndMask, "end_mask", Kind::kInt64, "bit i: end[i] counts as left out"),
    Value(kEllipsisMask, "ellipsis_mask", Kind::kInt64, "bit i stands for all dimensions between"),
    Value(kNewAxisMask, "new_axis_mask", Kind::kInt64, "bit i is a new dimension of size 1"),
    Value(kShrinkAxisMask, "shrink_axis_mask", Kind::kInt64, "bit i takes begin[i] alone")};
inline constexpr ParamSpec kConfusionTransposeNodeParams[] = {
    {.name = "x", .id = kSelf, .dtypes = kAll, .strides = Strides::kContiguous},
    {.name = "y",
     .id = kOut,
     .direction = Direction::kOutput,
     .dtypes = kAll,
     .same_dtype_as = kSelf,
     .strides = Strides::kContiguous},
    Array(kDims, "perm", "the dimension that each one of the result is"),
    Array(kOutputSize, "shape", "that x gets before, or its transpose after"),
    Value(kTransposeFirst, "transpose_first", Kind::kBool)};
inline constexpr ParamSpec kPadNodeParams[] = {
    In(kSelf, "x", kAll),
    Array(kPad, "paddings", "before and after each dimension, from the first"), Result(kAll)};
inline constexpr ParamSpec kPadV3Params[] = {
    In(kSelf, "x", kAll),
    Array(kPad, "paddings", "before and after each dimension, from the first"), PadValue(),
    Result(kAll), Value(kMode, "mode", Kind::kText, "\"constant\"")};
inline constexpr OpSpec kNodes[] = {
    {.op = {"StridedSlice", "StridedSlice"},
     .params = kStridedSliceNodeParams,
     .prepare = PrepareStridedSlice,
     .codes = kNodeCodes},
    {.op = {"ConfusionTransposeD", "ConfusionTransposeD"},
     .params = kConfusionTransposeNodeParams,
     .prepare = PrepareConfusionTranspose,
     .codes = kNodeCodes},
    {.op = {"Slice", "Slice"},
     .params = kSliceOfAllParams,
     .prepare = PrepareSliceOfAll,
     .codes = kNodeCodes},
    {.op = {"Pad", "Pad"},
     .params = kPadNodeParams,
     .prepare = PreparePadNode,
     .codes = kNodeCodes},
    {.op = {"PadV3", "PadV3"},
     .params = kPadV3Params,
     .prepare = PreparePadV3,
     .codes = kNodeCodes},
};
inline constexpr Source kStridedSliceSources[] = {Input{0},
                                                  InputValues{1},
                                                  InputValues{2},
                                                  InputValues{3},
                                                  Output{0},
                                                  IntAttribute{"begin_mask", 0},
                                                  IntAttribute{"end_mask", 0},
                                                  IntAttribute{"ellipsis_mask", 0},
                                                  IntAttribute{"new_axis_mask", 0},
                                                  IntAttribute{"shrink_axis_mask", 0}};
inline constexpr Source kSliceOfAllSources[] = {Input{0}, InputValues{1}, InputValues{2},
                                                Output{0}};
inline constexpr auto kConfusionTransposeSources = InOrderOf<1, 1>(
    {ListAttribute{"perm"}, ListAttribute{"shape"}, IntAttribute{"transpose_first", 0}});
inline constexpr Source kPadSources[] = {Input{0}, InputValues{1}, Output{0}};
inline constexpr Source kPadV3Sources[] = {Input{0}, InputValues{1}, Input{2}, Output{0},
                                           TextAttribute{"mode", "constant"}};
inline constexpr const char* kEnginesIgnored[] = {"_exclude_engines"};
inline constexpr FixedAttribute kPadsContiguous[] = {{"paddings_contiguous", 1}};
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"StridedSlice", &kNodes[0], kStridedSliceSources},
    {"ConfusionTransposeD", &kNodes[1], kConfusionTransposeSources},
    {"Slice", &kNodes[2], kSliceOfAllSources},
    {"Pad", &kNodes[3], kPadSources},
    {"PadV3", &kNodes[4], kPadV3Sources, kEnginesIgnored, kPadsContiguous},
};

}  // namespace anyacl::movement
