// SPDX-License-Identifier: Apache-2.0
// The declaration of what is called by the name of a graph's node alone: LpNormReduceV2.
#pragma once

#include "nnop/single_op.h"
#include "ops/reduction/operators.h"

namespace anyacl::reduction {

Status PrepareLpNormReduce(Operands& operands, PreparedCall* call);

// The sum of |x|^p, of an infinite p the largest or smallest |x|, of 0 the number
// of elements that are not 0. LpNormUpdateV2 takes the root.
inline constexpr DTypeSet kSingle = {ACL_FLOAT};
inline constexpr ParamSpec kLpNormReduceParams[] = {
    In(kSelf, "x", kSingle),
    Result(kSingle),
    Value(kPower, "p", Kind::kDouble, "2147483648 and above, or -2147483648, are infinite"),
    Value(kDims, "axes", Kind::kIntArray, "empty: all dimensions"),
    KeepDims("keepdim"),
    Value(kEpsilon, "epsilon", Kind::kDouble, "0")};
inline constexpr OpSpec kNodes[] = {{.op = {"LpNormReduceV2", "LpNormReduceV2"},
                                     .params = kLpNormReduceParams,
                                     .prepare = PrepareLpNormReduce,
                                     .codes = kNodeCodes}};
inline constexpr auto kLpNormReduceSources =
    InOrderOf<1, 1>({RealAttribute{"p", 2}, ListAttribute{"axes"}, IntAttribute{"keepdim", 0},
                     RealAttribute{"epsilon", 0}});
inline constexpr SingleOpSpec kSingleOperators[] = {
    {"LpNormReduceV2", &kNodes[0], kLpNormReduceSources}};

}  // namespace anyacl::reduction
