// SPDX-License-Identifier: Apache-2.0
// The declarations of paddings that repeat elements, of windows as columns, and of their gradients
// (README.md).
#pragma once

#include "nnop/operator.h"

namespace anyacl::windows {

enum : int {
  kSelf,
  kPadding,
  kOut,
  kGrad,
  kKernel,
  kDilation,
  kStride,
  kInputSize,
  kDim,
  kSize,
  kStep
};

enum class Border { kReflect, kReplicate, kWrap };

Status PreparePad(Operands& operands, PreparedCall* call, Border border, int dims);
Status PreparePadBackward(Operands& operands, PreparedCall* call, Border border, int dims);
Status PrepareIm2col(Operands& operands, PreparedCall* call);
Status PrepareIm2colBackward(Operands& operands, PreparedCall* call);
Status PrepareUnfoldGrad(Operands& operands, PreparedCall* call);

template <Border kBorder, int kDims>
Status Pad(Operands& operands, PreparedCall* call) {
  return PreparePad(operands, call, kBorder, kDims);
}
template <Border kBorder, int kDims>
Status PadBackward(Operands& operands, PreparedCall* call) {
  return PreparePadBackward(operands, call, kBorder, kDims);
}

inline constexpr DTypeSet kAll = {
    ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,       ACL_DOUBLE,   ACL_INT8,        ACL_INT16,
    ACL_INT32, ACL_INT64,     ACL_UINT8,      ACL_UINT16,   ACL_UINT32,      ACL_UINT64,
    ACL_BOOL,  ACL_COMPLEX64, ACL_COMPLEX128, ACL_HIFLOAT8, ACL_FLOAT8_E5M2, ACL_FLOAT8_E4M3FN};
inline constexpr DTypeSet kColumns = {ACL_FLOAT, ACL_FLOAT16,   ACL_BF16,     ACL_DOUBLE,
                                      ACL_INT8,  ACL_INT16,     ACL_INT32,    ACL_INT64,
                                      ACL_UINT8, ACL_UINT16,    ACL_UINT32,   ACL_UINT64,
                                      ACL_BOOL,  ACL_COMPLEX32, ACL_COMPLEX64};
inline constexpr DTypeSet kGradients = {ACL_FLOAT,  ACL_FLOAT16,   ACL_BF16,
                                        ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128};
inline constexpr DTypeSet kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

constexpr ParamSpec Array(int id, const char* name, const char* note) {
  return Value(id, name, Kind::kIntArray, note);
}
constexpr ParamSpec PaddingRow() {
  return Array(kPadding, "padding", "before and after each dimension, from the last one");
}
constexpr ParamSpec Pair(int id, const char* name) {
  return Array(id, name, "of height and width");
}

inline constexpr ParamSpec kPadParams[] = {In(kSelf, "self", kAll), PaddingRow(),
                                           Like(kSelf, Out(kOut, "out", kAll))};
inline constexpr ParamSpec kPadBackwardParams[] = {
    In(kGrad, "gradOutput", kGradients), Like(kGrad, In(kSelf, "self", kGradients, "A*")),
    PaddingRow(), Like(kGrad, Out(kOut, "gradInput", kGradients, "A*"))};
inline constexpr DTypeSet kCircular = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32};
inline constexpr DTypeSet kCircularGradients = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
inline constexpr ParamSpec kCircularPadParams[] = {In(kSelf, "self", kCircular), PaddingRow(),
                                                   Like(kSelf, Out(kOut, "out", kCircular))};
inline constexpr ParamSpec kCircularPadBackwardParams[] = {
    In(kGrad, "gradOutput", kCircularGradients),
    Like(kGrad, In(kSelf, "self", kCircularGradients, "A*")), PaddingRow(),
    Like(kGrad, Out(kOut, "gradInput", kCircularGradients, "A*"))};
inline constexpr ParamSpec kIm2colParams[] = {
    In(kSelf, "self", kColumns, "C H W | N C H W"),
    Pair(kKernel, "kernelSize"),
    Pair(kDilation, "dilation"),
    Pair(kPadding, "padding"),
    Pair(kStride, "stride"),
    ConstHandle(Like(kSelf, Out(kOut, "out", kColumns, "K L | N K L")))};
inline constexpr ParamSpec kIm2colBackwardParams[] = {
    In(kGrad, "gradOutput", kFloats, "K L | N K L"),
    Pair(kInputSize, "inputSize"),
    Pair(kKernel, "kernelSize"),
    Pair(kDilation, "dilation"),
    Pair(kPadding, "padding"),
    Pair(kStride, "stride"),
    Out(kOut, "out", kFloats, "C H W | N C H W")};
inline constexpr ParamSpec kUnfoldGradParams[] = {
    In(kGrad, "gradOut", kFloats, "A.."),
    Array(kInputSize, "inputSizes", "the shape of gradIn"),
    Value(kDim, "dim", Kind::kInt64, "counts from the end if negative"),
    {.name = "size", .id = kSize, .kind = Kind::kInt64, .min = 1},
    {.name = "step", .id = kStep, .kind = Kind::kInt64, .min = 1},
    ConstHandle(Like(kGrad, Out(kOut, "gradIn", kFloats)))};

inline constexpr const char* kReflected = "self continued beyond its borders as in a mirror";
inline constexpr const char* kReplicated = "self continued beyond its borders by what is there";
inline constexpr const char* kWrapped = "self continued beyond its borders from its other end";
inline constexpr const char* kFolded =
    "gradInput = sums of gradOutput over what came of an element";

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"ReflectionPad1d">,
     .params = kPadParams,
     .prepare = Pad<Border::kReflect, 1>,
     .header = "aclnn_reflection_pad1d.h",
     .summary = kReflected,
     .document = "ops-math: conversion/mirror_pad/docs/aclnnReflectionPad1d.md"},
    {.op = kNames<"ReflectionPad2d">,
     .params = kPadParams,
     .prepare = Pad<Border::kReflect, 2>,
     .header = "aclnn_reflection_pad2d.h",
     .summary = kReflected,
     .document = "ops-math: conversion/mirror_pad/docs/aclnnReflectionPad2d.md"},
    {.op = kNames<"ReflectionPad3d">,
     .params = kPadParams,
     .prepare = Pad<Border::kReflect, 3>,
     .header = "aclnn_reflection_pad3d.h",
     .summary = kReflected,
     .document = "ops-math: conversion/mirror_pad/docs/aclnnReflectionPad3d.md"},
    {.op = kNames<"ReplicationPad1d">,
     .params = kPadParams,
     .prepare = Pad<Border::kReplicate, 1>,
     .header = "aclnn_replication_pad1d.h",
     .summary = kReplicated,
     .document = "ops-math: conversion/pad_v3/docs/aclnnReplicationPad1d.md"},
    {.op = kNames<"ReplicationPad2d">,
     .params = kPadParams,
     .prepare = Pad<Border::kReplicate, 2>,
     .header = "aclnn_replication_pad2d.h",
     .summary = kReplicated,
     .document = "ops-math: conversion/pad_v3/docs/aclnnReplicationPad2d.md"},
    {.op = kNames<"ReplicationPad3d">,
     .params = kPadParams,
     .prepare = Pad<Border::kReplicate, 3>,
     .header = "aclnn_replication_pad3d.h",
     .summary = kReplicated,
     .document = "ops-math: conversion/pad_v3/docs/aclnnReplicationPad3d.md"},
    {.op = kNames<"ReflectionPad1dBackward">,
     .params = kPadBackwardParams,
     .prepare = PadBackward<Border::kReflect, 1>,
     .header = "aclnn_reflection_pad1d_backward.h",
     .summary = kFolded,
     .document = "ops-math: conversion/pad_v4_grad/docs/aclnnReflectionPad1dBackward.md"},
    {.op = kNames<"ReflectionPad2dBackward">,
     .params = kPadBackwardParams,
     .prepare = PadBackward<Border::kReflect, 2>,
     .header = "aclnn_pad2d_backward.h",
     .summary = kFolded,
     .document = "ops-math: conversion/pad_v3_grad_replicate/docs/aclnnReflectionPad2dBackward.md"},
    {.op = kNames<"ReflectionPad3dBackward">,
     .params = kPadBackwardParams,
     .prepare = PadBackward<Border::kReflect, 3>,
     .header = "aclnn_reflection_pad3d_backward.h",
     .summary = kFolded,
     .document = "ops-math: conversion/reflection_pad3d_grad/docs/aclnnReflectionPad3dBackward.md"},
    {.op = kNames<"ReplicationPad1dBackward">,
     .params = kPadBackwardParams,
     .prepare = PadBackward<Border::kReplicate, 1>,
     .header = "aclnn_replication_pad1d_backward.h",
     .summary = kFolded,
     .document =
         "ops-math: conversion/pad_v3_grad_replicate/docs/aclnnReplicationPad1dBackward.md"},
    {.op = kNames<"ReplicationPad2dBackward">,
     .params = kPadBackwardParams,
     .prepare = PadBackward<Border::kReplicate, 2>,
     .header = "aclnn_pad2d_backward.h",
     .summary = kFolded,
     .document =
         "ops-math: conversion/pad_v3_grad_replicate/docs/aclnnReplicationPad2dBackward.md"},
    {.op = kNames<"ReplicationPad3dBackward">,
     .params = kPadBackwardParams,
     .prepare = PadBackward<Border::kReplicate, 3>,
     .header = "aclnn_replication_pad3d_backward.h",
     .summary = kFolded,
     .document =
         "ops-math: conversion/pad_v3_grad_replication/docs/aclnnReplicationPad3dBackward.md"},
    {.op = kNames<"CircularPad2d">,
     .params = kCircularPadParams,
     .prepare = Pad<Border::kWrap, 2>,
     .header = "aclnn_circular_pad2d.h",
     .summary = kWrapped,
     .document = "ops-math: conversion/circular_pad/docs/aclnnCircularPad2d.md"},
    {.op = kNames<"CircularPad3d">,
     .params = kCircularPadParams,
     .prepare = Pad<Border::kWrap, 3>,
     .header = "aclnn_circular_pad3d.h",
     .summary = kWrapped,
     .document = "ops-math: conversion/circular_pad/docs/aclnnCircularPad3d.md"},
    {.op = kNames<"CircularPad2dBackward">,
     .params = kCircularPadBackwardParams,
     .prepare = PadBackward<Border::kWrap, 2>,
     .header = "aclnn_circular_pad2d_backward.h",
     .summary = kFolded,
     .document = "ops-math: conversion/circular_pad_grad/docs/aclnnCircularPad2dBackward.md"},
    {.op = kNames<"CircularPad3dBackward">,
     .params = kCircularPadBackwardParams,
     .prepare = PadBackward<Border::kWrap, 3>,
     .header = "aclnn_circular_pad3d_backward.h",
     .summary = kFolded,
     .document = "ops-math: conversion/circular_pad_grad/docs/aclnnCircularPad3dBackward.md",
     .codes = {.null = ACLNN_ERR_INNER_NULLPTR}},
    {.op = kNames<"Im2col">,
     .params = kIm2colParams,
     .prepare = PrepareIm2col,
     .header = "aclnn_im2col.h",
     .summary = "out[n, (c, i, j), (y, x)] = self[n, c, y * stride + i * dilation - padding, ...]",
     .document = "ops-math: conversion/im2col/docs/aclnnIm2col.md"},
    {.op = kNames<"Im2colBackward">,
     .params = kIm2colBackwardParams,
     .prepare = PrepareIm2colBackward,
     .header = "aclnn_im2col_backward.h",
     .summary = "out = sums of gradOutput over the windows that an element is in",
     .document = "ops-cv: image/col2im/docs/aclnnIm2colBackward.md"},
    {.op = kNames<"UnfoldGrad">,
     .params = kUnfoldGradParams,
     .prepare = PrepareUnfoldGrad,
     .header = "aclnn_unfold_grad.h",
     .summary = "gradIn = sums of gradOut over the windows that an element is in",
     .document = "ops-math: conversion/unfold_grad/docs/aclnnUnfoldGrad.md",
     .constraint_code = ACLNN_ERR_INNER_TILING_ERROR},
};

}  // namespace anyacl::windows
