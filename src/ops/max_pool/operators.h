// SPDX-License-Identifier: Apache-2.0
// The declarations of maximum pooling, of its gradients and of what undoes it (README.md).
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::max_pool {

enum : int {
  kSelf,  // or gradOutput
  kOut,
  kIndices,
  kForward,  // a gradient's forward input: its shape alone counts
  kKernelSize,
  kStride,
  kPadding,
  kDilation,
  kCeilMode,
  kOutputSize,
  kAutoPad,
};

// Who says where the largest element of a window is: nobody, its index, or a bit for each place in
// the window.
enum class Places { kNone, kIndex, kMask };

template <int kDims, Places kPlaces>
Status PrepareMaxPool(Operands& operands, PreparedCall* call);
// Without places, and with paddings of their own before and behind.
Status PreparePlainMaxPool(Operands& operands, PreparedCall* call);
template <int kDims>
Status PrepareAdaptiveMaxPool(Operands& operands, PreparedCall* call);
template <int kDims>
Status PrepareMaxPoolBackward(Operands& operands, PreparedCall* call);
template <int kDims>
Status PrepareMaxUnpool(Operands& operands, PreparedCall* call);
template <int kDims>
Status PrepareMaxUnpoolBackward(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kWithDouble = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
inline constexpr DTypeSet kUnpooled = {ACL_FLOAT, ACL_FLOAT16, ACL_INT16, ACL_INT32,
                                       ACL_INT64, ACL_INT8,    ACL_UINT8, ACL_DOUBLE};
inline constexpr DTypeSet kUnpooledPlanes = {ACL_FLOAT, ACL_FLOAT16, ACL_INT16, ACL_INT32,
                                             ACL_INT64, ACL_INT8,    ACL_UINT8, ACL_BOOL};
inline constexpr DTypeSet kIndexTypes = {ACL_INT32, ACL_INT64};
// torch_npu passes the indices of another device to the gradient by a mask.
inline constexpr DTypeSet kPlaceTypes = {ACL_INT8, ACL_INT32, ACL_INT64};

inline constexpr const char* kPlanes = "A* C H W";
inline constexpr const char* kOutPlanes = "A* C OH OW";
inline constexpr const char* kVolumes = "A* C D H W";
inline constexpr const char* kOutVolumes = "A* C OD OH OW";

constexpr ParamSpec Result(const char* name, DTypeSet dtypes, const char* dims) {
  return Like(kSelf, Out(kOut, name, dtypes, dims));
}
constexpr ParamSpec Forward(const char* dims) {
  return Like(kSelf, In(kForward, "self", kFloats, dims));
}
constexpr ParamSpec Array(int id, const char* name, const char* note) {
  return Value(id, name, Kind::kIntArray, note);
}
constexpr ParamSpec Mask(ParamSpec row) {
  return Noted(Dense(row), "a row of bits for each place in the window, a bit for each window");
}
inline constexpr ParamSpec kKernelRow =
    Array(kKernelSize, "kernelSize", "of each spatial dimension, or one for all");
inline constexpr ParamSpec kStrideRow =
    Array(kStride, "stride", "as kernelSize, or empty: kernelSize");
inline constexpr ParamSpec kPaddingRow =
    Array(kPadding, "padding", "as kernelSize; at most half of it");
inline constexpr ParamSpec kDilationRow = Array(kDilation, "dilation", "as kernelSize");
inline constexpr ParamSpec kCeilRow =
    Value(kCeilMode, "ceilMode", Kind::kBool, "a last window may be cut off");
inline constexpr ParamSpec kSizesRow =
    Array(kOutputSize, "outputSize", "spatial sizes of the result");

inline constexpr ParamSpec kMaxPoolParams[] = {
    In(kSelf, "self", kFloats, kPlanes),
    Array(kKernelSize, "kernelShape", "of both spatial dimensions, or one for both"),
    Array(kStride, "strides", "as kernelShape, or empty: 1"),
    {.name = "autoPad", .id = kAutoPad, .kind = Kind::kInt64, .min = 0, .max = 0},
    Array(kPadding, "pads",
          "[top, left, bottom, right], as kernelShape, or empty: 0; top + bottom and left + right "
          "are at most the window"),
    Array(kDilation, "dilations", "up to 4 times 1"),
    Value(kCeilMode, "ceilMode", Kind::kInt64, "not 0: a last window may be cut off"),
    Result("out", kFloats, kOutPlanes)};
inline constexpr ParamSpec kMaskParams[] = {In(kSelf, "self", kFloats, kPlanes),
                                            kKernelRow,
                                            kStrideRow,
                                            kPaddingRow,
                                            kDilationRow,
                                            kCeilRow,
                                            Result("out", kFloats, kOutPlanes),
                                            Mask(Out(kIndices, "indices", {ACL_INT8}, "A* C M B"))};
inline constexpr ParamSpec kMaskBackwardParams[] = {
    In(kSelf, "gradOutput", kFloats, kOutPlanes),
    Forward(kPlanes),
    Mask(In(kIndices, "indices", kPlaceTypes, "A* C M B")),
    kKernelRow,
    kStrideRow,
    kPaddingRow,
    kDilationRow,
    kCeilRow,
    Result("gradInput", kFloats, kPlanes)};
inline constexpr ParamSpec kIndices2dParams[] = {In(kSelf, "self", kFloats, kPlanes),
                                                 kKernelRow,
                                                 kStrideRow,
                                                 kPaddingRow,
                                                 kDilationRow,
                                                 kCeilRow,
                                                 Result("out", kFloats, kOutPlanes),
                                                 Out(kIndices, "indices", kIndexTypes, kOutPlanes)};
inline constexpr ParamSpec kIndices2dBackwardParams[] = {
    In(kSelf, "gradOutput", kFloats, kOutPlanes),
    Forward(kPlanes),
    In(kIndices, "indices", kIndexTypes, kOutPlanes),
    kKernelRow,
    kStrideRow,
    kPaddingRow,
    kDilationRow,
    kCeilRow,
    Result("gradInput", kFloats, kPlanes)};
inline constexpr ParamSpec kArgmax3dParams[] = {In(kSelf, "self", kFloats, kVolumes),
                                                kKernelRow,
                                                kStrideRow,
                                                kPaddingRow,
                                                kDilationRow,
                                                kCeilRow,
                                                Result("out", kFloats, kOutVolumes),
                                                Out(kIndices, "indices", kIndexTypes, kOutVolumes)};
inline constexpr ParamSpec kArgmax3dBackwardParams[] = {
    In(kSelf, "gradOutput", kFloats, kOutVolumes),
    Forward(kVolumes),
    In(kIndices, "indices", kIndexTypes, kOutVolumes),
    kKernelRow,
    kStrideRow,
    kPaddingRow,
    kDilationRow,
    kCeilRow,
    Result("gradInput", kFloats, kVolumes)};
inline constexpr ParamSpec kAdaptive2dParams[] = {
    In(kSelf, "self", kWithDouble, kPlanes), kSizesRow,
    Result("outputOut", kWithDouble, kOutPlanes),
    Out(kIndices, "indicesOut", {ACL_INT64}, kOutPlanes)};
inline constexpr ParamSpec kAdaptive2dBackwardParams[] = {
    In(kSelf, "gradOutput", kFloats, kOutPlanes), Forward(kPlanes),
    In(kIndices, "indices", kIndexTypes, kOutPlanes), Result("gradInput", kFloats, kPlanes)};
inline constexpr ParamSpec kAdaptive3dParams[] = {
    In(kSelf, "self", kFloats, kVolumes), kSizesRow, Result("outputOut", kFloats, kOutVolumes),
    Out(kIndices, "indicesOut", kIndexTypes, kOutVolumes)};
inline constexpr ParamSpec kAdaptive3dBackwardParams[] = {
    In(kSelf, "gradOutput", kFloats, kOutVolumes), Forward(kVolumes),
    In(kIndices, "indices", kIndexTypes, kOutVolumes), Result("gradInput", kFloats, kVolumes)};
inline constexpr ParamSpec kUnpool2dParams[] = {In(kSelf, "self", kUnpooled, kPlanes),
                                                In(kIndices, "indices", kIndexTypes, kPlanes),
                                                kSizesRow, Result("out", kUnpooled, kOutPlanes)};
inline constexpr ParamSpec kUnpool3dParams[] = {
    In(kSelf, "self", kUnpooled, kVolumes),
    In(kIndices, "indices", kIndexTypes, kVolumes),
    kSizesRow,
    Array(kStride, "stride", "three numbers above 0, not used"),
    Array(kPadding, "padding", "three numbers, not used"),
    Result("outRef", kUnpooled, kOutVolumes)};
constexpr ParamSpec ForwardOf(DTypeSet dtypes, const char* dims) {
  ParamSpec row = Forward(dims);
  row.dtypes = dtypes;
  return row;
}
inline constexpr ParamSpec kGradSizesRow =
    Array(kOutputSize, "outputSize", "spatial sizes of gradOutput");
inline constexpr ParamSpec kUnpool2dBackwardParams[] = {
    In(kSelf, "gradOutput", kUnpooledPlanes, kPlanes), ForwardOf(kUnpooledPlanes, kOutPlanes),
    In(kIndices, "indices", kIndexTypes, kOutPlanes), kGradSizesRow,
    Out(kOut, "out", kUnpooledPlanes, kOutPlanes)};
inline constexpr ParamSpec kUnpool3dBackwardParams[] = {
    In(kSelf, "gradOutput", kUnpooled, kVolumes),
    ForwardOf(kUnpooled, kOutVolumes),
    In(kIndices, "indices", {ACL_INT64}, kOutVolumes),
    kGradSizesRow,
    kUnpool3dParams[3],
    kUnpool3dParams[4],
    {.name = "out",
     .id = kOut,
     .direction = Direction::kOutput,
     .dtypes = kUnpooled,
     .dims = kOutVolumes,
     .same_dtype_as = kSelf,
     .strides = Strides::kContiguous}};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"MaxPool">,
     .params = kMaxPoolParams,
     .prepare = PreparePlainMaxPool,
     .header = "aclnn_max_pool.h",
     .summary = "the largest element of each window",
     .document = "ops-nn: pooling/max_pool_v3/docs/aclnnMaxPool.md",
     .max_rank = 4},
    {.op = kNames<"MaxPool2dWithMask">,
     .params = kMaskParams,
     .prepare = PrepareMaxPool<2, Places::kMask>,
     .header = "aclnn_max_pool2d_with_indices.h",
     .summary = "the largest element of each window, and where it is, as bits",
     .document = "ops-nn: pooling/max_pool3d_with_argmax_v2/docs/aclnnMaxPool2dWithMask.md",
     .max_rank = 4},
    {.op = kNames<"MaxPool2dWithMaskBackward">,
     .params = kMaskBackwardParams,
     .prepare = PrepareMaxPoolBackward<2>,
     .header = "aclnn_max_pool2d_with_indices_backward.h",
     .summary = "the gradient of aclnnMaxPool2dWithMask; indices of 32 or 64 bits are taken for "
                "those of aclnnMaxPool2dWithIndices",
     .document =
         "ops-nn: pooling/max_pool3d_grad_with_argmax/docs/aclnnMaxPool2dWithMaskBackward.md",
     .max_rank = 4},
    {.op = kNames<"MaxPool2dWithIndices">,
     .params = kIndices2dParams,
     .prepare = PrepareMaxPool<2, Places::kIndex>,
     .header = "aclnn_max_pool2d_with_indices.h",
     .summary = "the largest element of each window, and where it is: h * W + w",
     .document = "ops-nn: pooling/max_pool3d_with_argmax_v2/docs/aclnnMaxPool2dWithIndices.md",
     .max_rank = 4},
    {.op = kNames<"MaxPool2dWithIndicesBackward">,
     .params = kIndices2dBackwardParams,
     .prepare = PrepareMaxPoolBackward<2>,
     .header = "aclnn_max_pool2d_with_indices_backward.h",
     .summary = "the gradient of aclnnMaxPool2dWithIndices",
     .document =
         "ops-nn: pooling/max_pool3d_grad_with_argmax/docs/aclnnMaxPool2dWithIndicesBackward.md",
     .max_rank = 4},
    {.op = kNames<"MaxPool3dWithArgmax">,
     .params = kArgmax3dParams,
     .prepare = PrepareMaxPool<3, Places::kIndex>,
     .header = "aclnn_max_pool3d_with_argmax.h",
     .summary = "the largest element of each window, and where it is: (d * H + h) * W + w",
     .document = "ops-nn: pooling/max_pool3d_with_argmax_v2/docs/aclnnMaxPool3dWithArgmax.md",
     .max_rank = 5},
    {.op = kNames<"MaxPool3dWithArgmaxBackward">,
     .params = kArgmax3dBackwardParams,
     .prepare = PrepareMaxPoolBackward<3>,
     .header = "aclnn_max_pool3d_with_argmax_backward.h",
     .summary = "the gradient of aclnnMaxPool3dWithArgmax",
     .document =
         "ops-nn: pooling/max_pool3d_grad_with_argmax/docs/aclnnMaxPool3dWithArgmaxBackward.md",
     .max_rank = 5},
    {.op = kNames<"AdaptiveMaxPool2d">,
     .params = kAdaptive2dParams,
     .prepare = PrepareAdaptiveMaxPool<2>,
     .header = "aclnn_adaptive_max_pool2d.h",
     .summary = "the largest elements of windows of nearly equal sizes, and where they are",
     .document = "ops-nn: pooling/adaptive_max_pool2d/docs/aclnnAdaptiveMaxPool2d.md",
     .max_rank = 4},
    {.op = kNames<"AdaptiveMaxPool2dBackward">,
     .params = kAdaptive2dBackwardParams,
     .prepare = PrepareMaxPoolBackward<2>,
     .header = "aclnn_adaptive_max_pool2d_backward.h",
     .summary = "the gradient of aclnnAdaptiveMaxPool2d",
     .document = "ops-nn: pooling/adaptive_max_pool3d_grad/docs/aclnnAdaptiveMaxPool2dBackward.md",
     .max_rank = 4},
    {.op = kNames<"AdaptiveMaxPool3d">,
     .params = kAdaptive3dParams,
     .prepare = PrepareAdaptiveMaxPool<3>,
     .header = "aclnn_adaptive_max_pool3d.h",
     .summary = "the largest elements of windows of nearly equal sizes, and where they are",
     .document = "ops-nn: pooling/adaptive_max_pool3d/docs/aclnnAdaptiveMaxPool3d.md",
     .max_rank = 5},
    {.op = kNames<"AdaptiveMaxPool3dBackward">,
     .params = kAdaptive3dBackwardParams,
     .prepare = PrepareMaxPoolBackward<3>,
     .header = "aclnn_adaptive_max_pool3d_backward.h",
     .summary = "the gradient of aclnnAdaptiveMaxPool3d",
     .document = "ops-nn: pooling/adaptive_max_pool3d_grad/docs/aclnnAdaptiveMaxPool3dBackward.md",
     .max_rank = 5},
    {.op = kNames<"MaxUnpool2d">,
     .params = kUnpool2dParams,
     .prepare = PrepareMaxUnpool<2>,
     .header = "aclnn_max_unpool2d.h",
     .summary = "out[index] = self, the last one where an index repeats, and 0 elsewhere",
     .document = "ops-nn: index/scatter_elements/docs/aclnnMaxUnpool2d.md",
     .max_rank = 4},
    {.op = kNames<"MaxUnpool3d">,
     .params = kUnpool3dParams,
     .prepare = PrepareMaxUnpool<3>,
     .header = "aclnn_max_unpool3d.h",
     .summary = "outRef[index] = self, the last one where an index repeats, and 0 elsewhere",
     .document = "ops-nn: index/scatter_elements/docs/aclnnMaxUnpool3d.md",
     .max_rank = 5},
    {.op = kNames<"MaxUnpool2dBackward">,
     .params = kUnpool2dBackwardParams,
     .prepare = PrepareMaxUnpoolBackward<2>,
     .header = "aclnn_max_unpool2d_backward.h",
     .summary = "out = gradOutput[index]",
     .document = "ops-nn: index/gather_elements/docs/aclnnMaxUnpool2dBackward.md",
     .max_rank = 4},
    {.op = kNames<"MaxUnpool3dBackward">,
     .params = kUnpool3dBackwardParams,
     .prepare = PrepareMaxUnpoolBackward<3>,
     .header = "aclnn_max_unpool3d_backward.h",
     .summary = "out = gradOutput[index]",
     .document = "ops-nn: index/gather_elements/docs/aclnnMaxUnpool3dBackward.md",
     .max_rank = 5},
};

}  // namespace anyacl::max_pool
