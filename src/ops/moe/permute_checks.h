// SPDX-License-Identifier: Apache-2.0
// Rules that operators on permuted tokens share.
#pragma once

#include "nnop/operands.h"
#include "ops/moe/rows_permute.h"

namespace anyacl::moe {

inline constexpr int64_t kMostSorted = 16777215;  // tokens or experts of a map, exclusive
inline constexpr int64_t kMostPlaces = INT32_MAX;

// paddedMode must be false where only that is offered.
Status CheckUnpadded(const Operands& operands);
// probsOptional, or what stands for it, has the tokens' type, or is FLOAT beside BF16 or, of
// gradients, anything but FLOAT16.
Status CheckProbTypes(const Operands& operands, int probs, int tokens);
// An argument beside another one that is given.
Status CheckBeside(const Operands& operands, int id, int other);
// The places of a token: as many for each, at most kMostPerToken.
Status CheckPerToken(const Operands& operands, int places, int64_t tokens, int code,
                     int64_t* per_token);

}  // namespace anyacl::moe
