// SPDX-License-Identifier: Apache-2.0
// The named rules of hyper-connections.
#pragma once

#include "nnop/operands.h"
#include "ops/mhc/operators.h"

namespace anyacl::mhc {

inline constexpr int64_t kMostStreams = 64;  // CANN has 8; threads hold matrices of so many

// The table, and that tensors have elements and tokens not too many streams.
Status CheckTensors(Operands& operands);

// What aclnnMhcSinkhorn keeps for its gradient has as many numbers as it must, where it is given.
Status CheckKept(const Operands& operands, int64_t iterations);
// How many iterations are kept.
Status CountKept(const Operands& operands, int64_t* iterations);

// Sizes that follow from the streams, and what is given together.
Status CheckMixture(const Operands& operands);

// Of tokens in one row.
int64_t TokensOf(const Operands& operands);

}  // namespace anyacl::mhc
