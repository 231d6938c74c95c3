// SPDX-License-Identifier: Apache-2.0
// Rules that operators on permuted tokens share.
#pragma once

#include "nnop/operands.h"
#include "ops/moe/links.h"
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
// Whether the call has a range of rows.
bool HasRange(const Operands& operands);
// Where operators have ranges: the factors of rows and the result that comes of them, which are
// without effect unless the range and the factors are given.
Status CheckRangedFactors(Operands& operands, int factors, int result);
// The range within the places.
Status ReadRange(const Operands& operands, int64_t places, RowRange* range);
// Permuted rows: those of the range at least or, without one, at most as many as there are places.
Status CheckRange(const Operands& operands, int rows, RowRange* range);
// All places are of the tokens.
Status CheckTokens(const Operands& operands, int64_t tokens, int64_t per_token);
// The same of as many places of a token as `name` tells.
Status CheckCount(const Operands& operands, int64_t tokens, int64_t per_token,
                  const char* name = "probsOptional.shape[1]");
// The places of a token: as many for each, at most kMostPerToken.
Status CheckPerToken(const Operands& operands, int places, int64_t tokens, int code,
                     int64_t* per_token);

}  // namespace anyacl::moe
