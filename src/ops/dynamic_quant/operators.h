// SPDX-License-Identifier: Apache-2.0
// The declarations of aclnnDynamicQuantV2 and of its sub-case aclnnDynamicQuant. Codes: the V2
// document prints 561003 for dtypes and 561002 for formats; V1 has 161002 for both (README.md).
#pragma once

#include "nnop/operator.h"

namespace anyacl::dynamic_quant {

enum : int { kX, kSmoothScales, kGroupIndex, kDstType, kY, kScale, kOffset };

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
};

}  // namespace anyacl::dynamic_quant
