// SPDX-License-Identifier: Apache-2.0
// The declarations of aclnnDynamicQuantV2, of its sub-case aclnnDynamicQuant and of V3 and V4,
// which have scales of channels and of whole tensors, too. Codes: the V2 document prints 561003 for
// dtypes and 561002 for formats; all others have 161002 for both (README.md).
#pragma once

#include "nnop/joined_rows.h"

namespace anyacl::dynamic_quant {

enum : int {
  kX,
  kSmoothScales,
  kGroupIndex,
  kDstType,
  kSymmetric,
  kMode,
  kDstTypeMax,
  kY,
  kScale,
  kOffset,
};

Status Prepare(Operands& operands, PreparedCall* call);

inline constexpr ParamSpec kParamX = {.name = "x",
                                      .id = kX,
                                      .dtypes = {ACL_FLOAT16, ACL_BF16},
                                      .dims = "B.. H",
                                      .note = "a row is the last dimension; rank 2 to 8"};
inline constexpr ParamSpec kParamY = {.name = "yOut",
                                      .id = kY,
                                      .direction = Direction::kOutput,
                                      .dtypes = {ACL_INT8, ACL_INT4, ACL_INT32},
                                      .dims = "B.. H",
                                      .packed_dims = "B.. H/8",
                                      .note = "INT32 packs eight INT4",
                                      .const_handle = true};
inline constexpr ParamSpec kParamScale = {.name = "scaleOut",
                                          .id = kScale,
                                          .direction = Direction::kOutput,
                                          .dtypes = {ACL_FLOAT},
                                          .dims = "B..",
                                          .const_handle = true};

inline constexpr ParamSpec kParamsV1[] = {
    kParamX,
    {.name = "smoothScalesOptional",
     .id = kSmoothScales,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT16, ACL_BF16},
     .dims = "H",
     .same_dtype_as = kX,
     .note = "multiplies the columns"},
    kParamY,
    kParamScale,
};

inline constexpr ParamSpec kParamsV2[] = {
    kParamX,
    {.name = "smoothScalesOptional",
     .id = kSmoothScales,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT16, ACL_BF16},
     .dims = "H | E H",
     .same_dtype_as = kX,
     .note = "multiplies the columns; with groups a row per expert"},
    {.name = "groupIndexOptional",
     .id = kGroupIndex,
     .need = Need::kOptional,
     .dtypes = {ACL_INT32},
     .dims = "E",
     .note = "the row after the last one of each expert"},
    {.name = "dstType",
     .id = kDstType,
     .kind = Kind::kInt64,
     .note = "number of the type of yOut; yOut itself decides"},
    kParamY,
    kParamScale,
    {.name = "offsetOut",
     .id = kOffset,
     .direction = Direction::kOutput,
     .need = Need::kOptional,
     .dtypes = {ACL_FLOAT},
     .dims = "B..",
     .note = "null asks for symmetric quantisation",
     .const_handle = true},
};

inline constexpr std::array kInputsV3 = {
    kParamX,
    Noted(Like(kX, In(kSmoothScales, "smoothScalesOptional", {ACL_FLOAT16, ACL_BF16}, "S | E S",
                      Need::kOptional)),
          "multiplies the columns, with groups by a row per expert; perchannel the rows"),
    Noted(In(kGroupIndex, "groupIndexOptional", {ACL_INT32}, "E", Need::kOptional),
          "the row after the last one of each expert; pertoken only"),
    Value(kDstType, "dstType", Kind::kInt64, "number of the type of yOut"),
    Value(kSymmetric, "isSymmetrical", Kind::kBool, "false asks for offsets"),
    Value(kMode, "quantMode", Kind::kText,
          "what shares a scale: pertoken a row, perchannel a column of the last two dimensions, "
          "pertensor all of x"),
};
inline constexpr std::array kOutputsV3 = {
    kParamY,
    Noted(ConstHandle(Out(kScale, "scaleOut", {ACL_FLOAT})),
          "pertoken x's shape without the last dimension, perchannel without the last but one, "
          "pertensor [1]"),
    ParamSpec{.name = "offsetOut",
              .id = kOffset,
              .direction = Direction::kOutput,
              .need = Need::kOptional,
              .dtypes = {ACL_FLOAT},
              .note = "of scaleOut's shape; null if isSymmetrical",
              .const_handle = true},
};
inline constexpr auto kParamsV3 = JoinRows(kInputsV3, kOutputsV3);
inline constexpr auto kParamsV4 =
    JoinRows(kInputsV3,
             std::array{Value(kDstTypeMax, "dstTypeMax", Kind::kFloat,
                              "0 to 32768; of HIFLOAT8 alone, other types have their own range")},
             kOutputsV3);
inline constexpr char kSummaryV3[] =
    "quantises x by a scale for each row, each column or all of it, symmetrically or not, with "
    "smooth scales";

inline constexpr OpInfo kNamesV2 = {kNames<"DynamicQuantV2">.phase_one,
                                    kNames<"DynamicQuantV2">.phase_two,
                                    // Its phase 2 has one code for whatever it refuses.
                                    ACLNN_ERR_INNER};

inline constexpr OpSpec kOperators[] = {
    {.op = kNamesV2,
     .params = kParamsV2,
     .prepare = Prepare,
     .header = "aclnn_dynamic_quant_v2.h",
     .summary = "quantises every row of x, symmetrically or not, with smooth scales per expert",
     .document = "ops-nn: quant/dynamic_quant_v2/docs/aclnnDynamicQuantV2.md",
     .codes = {.dtype = ACLNN_ERR_INNER_FIND_KERNEL_ERROR, .format = ACLNN_ERR_INNER_TILING_ERROR}},
    {.op = kNames<"DynamicQuant">,
     .params = kParamsV1,
     .prepare = Prepare,
     .header = "aclnn_dynamic_quant.h",
     .summary = "quantises every row of x symmetrically",
     .document = "ops-nn: quant/dynamic_quant/docs/aclnnDynamicQuant.md"},
    {.op = kNames<"DynamicQuantV3">,
     .params = kParamsV3,
     .prepare = Prepare,
     .header = "aclnn_dynamic_quant_v3.h",
     .summary = kSummaryV3,
     .document = "ops-nn: quant/dynamic_quant/docs/aclnnDynamicQuantV3.md"},
    {.op = kNames<"DynamicQuantV4">,
     .params = kParamsV4,
     .prepare = Prepare,
     .header = "aclnn_dynamic_quant_v4.h",
     .summary = kSummaryV3,
     .document = "ops-nn: quant/dynamic_quant/docs/aclnnDynamicQuantV4.md"},
};

}  // namespace anyacl::dynamic_quant
