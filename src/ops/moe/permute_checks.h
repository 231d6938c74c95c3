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
// probsOptional, or what stands for it, has the tokens' type or is FLOAT beside BF16, else `code`.
Status CheckProbTypes(const Operands& operands, int probs, int tokens, int code);
// An argument beside another one that is given.
Status CheckBeside(const Operands& operands, int id, int other);
// Places and tokens have numbers in INT32.
Status CheckPlaces(const Operands& operands, int id);
// Permuted rows: at most as many as there are places.
Status CheckRows(const Operands& operands, int rows);
// The places of a token are those that an argument tells.
Status CheckCount(const Operands& operands, int64_t tokens, int64_t per_token);
// The places of a token: as many for each, at most kMostPerToken.
Status CheckPerToken(const Operands& operands, int places, int64_t tokens, int code,
                     int64_t* per_token);

}  // namespace anyacl::moe
