// SPDX-License-Identifier: Apache-2.0
#include "ops/moe/permute_checks.h"

namespace anyacl::moe {

Status CheckUnpadded(const Operands& operands) {
  if (!operands.Flag(kPadded)) return {};
  return Fail(operands.spec().codes.shape, "{} is true, expected false", operands.NameOf(kPadded));
}

Status CheckProbTypes(const Operands& operands, int probs, int tokens, int code) {
  if (!operands.Given(probs)) return {};
  const aclDataType type = operands[probs].dtype(), other = operands[tokens].dtype();
  if (type == other || (type == ACL_FLOAT && other == ACL_BF16)) return {};
  return Fail(code, "{}.dtype = {}, expected {}{} as {}.dtype", operands.NameOf(probs),
              NameOf(type), NameOf(other), other == ACL_BF16 ? " or FLOAT" : "",
              operands.NameOf(tokens));
}

Status CheckBeside(const Operands& operands, int id, int other) {
  if (!operands.Given(other) || operands.Given(id)) return {};
  return Fail(operands.spec().codes.null, "{} is null, expected a tensor as {} is given",
              operands.NameOf(id), operands.NameOf(other));
}

Status CheckPlaces(const Operands& operands, int id) {
  const int64_t count = operands[id].shape()[0];
  if (count <= kMostPlaces) return {};
  return Fail(operands.spec().codes.shape, "{}.shape[0] = {}, expected at most {}",
              operands.NameOf(id), count, kMostPlaces);
}

Status CheckRows(const Operands& operands, int rows) {
  const int64_t count = operands[rows].shape()[0], places = operands[kSortedIndices].shape()[0];
  if (count <= places) return {};
  return Fail(operands.spec().codes.shape, "{}.shape[0] = {}, expected at most {}: {}.shape[0]",
              operands.NameOf(rows), count, places, operands.NameOf(kSortedIndices));
}

bool HasRange(const Operands& operands) {
  return operands.HasRow(kRange) && operands.Given(kRange) && !operands.Ints(kRange).empty();
}

Status CheckRangedFactors(Operands& operands, int factors, int result) {
  if (!operands.HasRow(kRange)) return {};
  if (HasRange(operands) && operands.Given(factors)) {
    return CheckBeside(operands, result, factors);
  }
  operands.Drop(factors);
  operands.Drop(result);
  return {};
}

Status ReadRange(const Operands& operands, int64_t places, RowRange* range) {
  const std::span<const int64_t> ends = operands.Ints(kRange);
  const int code = operands.spec().codes.shape;
  if (ends.size() != 2) return Fail(code, "rangeOptional has {} numbers, expected 2", ends.size());
  *range = {ends[0], ends[1]};
  if (ends[0] >= 0 && ends[0] <= ends[1] && ends[1] <= places) return {};
  return Fail(code, "rangeOptional = {{{}, {}}}, expected 0 <= begin <= end <= {}", ends[0],
              ends[1], places);
}

Status CheckRange(const Operands& operands, int rows, RowRange* range) {
  if (!HasRange(operands)) return CheckRows(operands, rows);
  const int64_t places = operands[kSortedIndices].shape()[0], count = operands[rows].shape()[0];
  if (Status s = ReadRange(operands, places, range); !s.ok()) return s;
  if (count >= range->end - range->begin) return {};
  return Fail(operands.spec().codes.shape,
              "{}.shape[0] = {}, expected at least {}: rangeOptional = {{{}, {}}}",
              operands.NameOf(rows), count, range->end - range->begin, range->begin, range->end);
}

Status CheckTokens(const Operands& operands, int64_t tokens, int64_t per_token) {
  const int64_t places = operands[kSortedIndices].shape()[0];
  if (Status s = CheckPlaces(operands, kSortedIndices); !s.ok()) return s;
  if (per_token > 0 ? places % per_token == 0 && places / per_token == tokens : places == 0) {
    return {};
  }
  return Fail(operands.spec().codes.shape, "{}.shape[0] = {}, expected {} * {}",
              operands.NameOf(kSortedIndices), places, tokens, per_token);
}

Status CheckCount(const Operands& operands, int64_t tokens, int64_t per_token, const char* name) {
  if (per_token < 1 || per_token > kMostPerToken) {
    return Fail(operands.spec().codes.shape, "{} = {}, expected 1 to {}", name, per_token,
                kMostPerToken);
  }
  return CheckTokens(operands, tokens, per_token);
}

Status CheckPerToken(const Operands& operands, int places, int64_t tokens, int code,
                     int64_t* per_token) {
  const int64_t count = operands[places].shape()[0];
  if (Status s = CheckPlaces(operands, places); !s.ok()) return s;
  const int64_t each = tokens == 0 ? 0 : count / tokens;
  if (each * tokens != count) {
    return Fail(code, "{}.shape[0] = {}, expected a multiple of {} tokens", operands.NameOf(places),
                count, tokens);
  }
  if (each > kMostPerToken) {
    return Fail(code, "{}.shape[0] = {}, expected at most {} for each of {} tokens",
                operands.NameOf(places), count, kMostPerToken, tokens);
  }
  *per_token = each;
  return {};
}

}  // namespace anyacl::moe
