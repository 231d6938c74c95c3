// SPDX-License-Identifier: Apache-2.0
// The declaration of what is called by the name of a graph's node alone: MaskedFillRange.
#pragma once

#include "nnop/single_op.h"
#include "ops/indexing/operators.h"

namespace anyacl::indexing {

Status PrepareFillRange(Operands& operands, PreparedCall* call);

enum : int { kRangeStart = kSize + 1, kRangeEnd };

// R ranges of each of N rows, or of all.
inline constexpr DTypeSet kFillTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8};
inline constexpr ParamSpec kFillRangeParams[] = {
    Noted(In(kSelf, "x", kFillTypes, "X*"), "up to 3 dimensions"),
    In(kRangeStart, "start", {ACL_INT32}, "R N"),
    In(kRangeEnd, "end", {ACL_INT32}, "R N"),
    AsSelf(In(kValue, "value", kFillTypes, "R")),
    AsSelf(Out(kOut, "y", kFillTypes, "X*")),
    Value(kAxis, "axis", Kind::kInt64)};
inline constexpr OpSpec kNodes[] = {{.op = {"MaskedFillRange", "MaskedFillRange"},
                                     .params = kFillRangeParams,
                                     .prepare = PrepareFillRange,
                                     .codes = kNodeCodes}};
inline constexpr auto kFillRangeSources = InOrderOf<4, 1>({IntAttribute{"axis", -1}});
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"MaskedFillRange", &kNodes[0], kFillRangeSources}};

}  // namespace anyacl::indexing
