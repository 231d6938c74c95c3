// SPDX-License-Identifier: Apache-2.0
// The declarations of sampling at positions that a tensor gives (README.md).
#pragma once

#include "nnop/dtype_sets.h"

namespace anyacl::grid_sample {

enum : int {
  kInput,
  kGrid,
  kGradOutput,
  kInterpolationMode,
  kPaddingMode,
  kAlignCorners,
  kOutputMask,
  kOut,
  kInputGrad,
  kGridGrad,
  kSize,
};

Status PrepareSample(Operands& operands, PreparedCall* call);
Status PrepareSampleBackward(Operands& operands, PreparedCall* call);
Status PrepareAffineGrid(Operands& operands, PreparedCall* call);

inline constexpr DTypeSet kWithDouble = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

constexpr ParamSpec Gradient(int id, const char* name, const char* dims, const char* needed_if) {
  return NeededIf(Like(kInput, Out(id, name, kWithDouble, dims)), needed_if);
}
inline constexpr ParamSpec kInterpolationRow = {.name = "interpolationMode",
                                                .id = kInterpolationMode,
                                                .kind = Kind::kInt64,
                                                .min = 0,
                                                .max = 2,
                                                .note = "0 bilinear, 1 nearest, 2 bicubic"};
inline constexpr ParamSpec kPaddingRow = {.name = "paddingMode",
                                          .id = kPaddingMode,
                                          .kind = Kind::kInt64,
                                          .min = 0,
                                          .max = 2,
                                          .note = "outside: 0 zeros, 1 the border, 2 reflected"};
inline constexpr ParamSpec kAlignRow =
    Value(kAlignCorners, "alignCorners", Kind::kBool, "-1 and 1 are centres, not edges");

inline constexpr ParamSpec kSampleParams[] = {
    In(kInput, "input", kWithDouble, "N C H W"),
    Like(kInput, In(kGrid, "grid", kWithDouble, "N OH OW 2")),
    kInterpolationRow,
    kPaddingRow,
    kAlignRow,
    Like(kInput, Out(kOut, "out", kWithDouble, "N C OH OW"))};
inline constexpr ParamSpec kBackwardParams[] = {
    In(kGradOutput, "gradOutput", kWithDouble, "N C OH OW"),
    Like(kGradOutput, In(kInput, "input", kWithDouble, "N C H W")),
    Like(kGradOutput, In(kGrid, "grid", kWithDouble, "N OH OW 2")),
    kInterpolationRow,
    kPaddingRow,
    kAlignRow,
    Value(kOutputMask, "outputMask", Kind::kBoolArray, "which of the two gradients to write"),
    Gradient(kInputGrad, "inputGrad", "N C H W", "outputMask[0]"),
    Gradient(kGridGrad, "gridGrad", "N OH OW 2", "outputMask[1]")};
// Of volumes, without the bicubic mode.
constexpr ParamSpec kLinearRow = {.name = "interpolationMode",
                                  .id = kInterpolationMode,
                                  .kind = Kind::kInt64,
                                  .min = 0,
                                  .max = 1,
                                  .note = "0 trilinear, 1 nearest"};
inline constexpr ParamSpec kSample3DParams[] = {
    In(kInput, "input", kWithDouble, "N C D H W"),
    Like(kInput, In(kGrid, "grid", kWithDouble, "N OD OH OW 3")),
    kLinearRow,
    kPaddingRow,
    kAlignRow,
    Like(kInput, Out(kOut, "out", kWithDouble, "N C OD OH OW"))};
inline constexpr ParamSpec kBackward3DParams[] = {
    In(kGradOutput, "gradOutput", kWithDouble, "N C OD OH OW"),
    Like(kGradOutput, In(kInput, "input", kWithDouble, "N C D H W")),
    Like(kGradOutput, In(kGrid, "grid", kWithDouble, "N OD OH OW 3")),
    kLinearRow,
    kPaddingRow,
    kAlignRow,
    Value(kOutputMask, "outputMask", Kind::kBoolArray, "which of the two gradients to write"),
    Gradient(kInputGrad, "inputGrad", "N C D H W", "outputMask[0]"),
    Gradient(kGridGrad, "gridGrad", "N OD OH OW 3", "outputMask[1]")};
inline constexpr ParamSpec kAffineParams[] = {
    In(kInput, "theta", kFloats, "N K L"),
    Value(kSize, "size", Kind::kIntArray, "of the images: [N, C, H, W] or [N, C, D, H, W]"),
    kAlignRow, Like(kInput, Out(kOut, "out", kFloats, "N P.."))};

inline constexpr OpSpec kOperators[] = {
    {.op = kNames<"GridSampler2D">,
     .params = kSampleParams,
     .prepare = PrepareSample,
     .header = "aclnn_grid_sampler2d.h",
     .summary = "out[n, c, i, j] = input[n, c] at the position grid[n, i, j] = (x, y)",
     .document = "ops-cv: image/grid_sample/docs/aclnnGridSampler2D.md"},
    {.op = kNames<"GridSampler2DBackward">,
     .params = kBackwardParams,
     .prepare = PrepareSampleBackward,
     .header = "aclnn_grid_sampler2d_backward.h",
     .summary = "the gradients of aclnnGridSampler2D by its input and its positions",
     .document = "ops-cv: image/grid_sampler2_d_grad/docs/aclnnGridSampler2DBackward.md"},
    {.op = kNames<"GridSampler3D">,
     .params = kSample3DParams,
     .prepare = PrepareSample,
     .header = "aclnn_grid_sampler3d.h",
     .summary = "out[n, c, k, i, j] = input[n, c] at the position grid[n, k, i, j] = (x, y, z)",
     .document = "ops-cv: image/grid_sample/docs/aclnnGridSampler3D.md"},
    {.op = kNames<"GridSampler3DBackward">,
     .params = kBackward3DParams,
     .prepare = PrepareSampleBackward,
     .header = "aclnn_grid_sampler3d_backward.h",
     .summary = "the gradients of aclnnGridSampler3D by its input and its positions",
     .document = "ops-cv: image/grid_sampler3_d_grad/docs/aclnnGridSampler3DBackward.md"},
    {.op = kNames<"AffineGrid">,
     .params = kAffineParams,
     .prepare = PrepareAffineGrid,
     .header = "aclnn_affine_grid.h",
     .summary = "out[n, i, j] = theta[n] times the position (x, y, 1) of element (i, j)",
     .document = "ops-math: math/affine_grid/docs/aclnnAffineGrid.md",
     .max_rank = 5},
};

}  // namespace anyacl::grid_sample
