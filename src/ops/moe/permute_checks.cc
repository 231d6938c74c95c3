// SPDX-License-Identifier: Apache-2.0
#include "ops/moe/permute_checks.h"

namespace anyacl::moe {

Status CheckUnpadded(const Operands& operands) {
  if (!operands.Flag(kPadded)) return {};
  return Fail(operands.spec().codes.shape, "{} is true, expected false", operands.NameOf(kPadded));
}

Status CheckProbTypes(const Operands& operands, int probs, int tokens) {
  if (!operands.Given(probs)) return {};
  const aclDataType type = operands[probs].dtype(), other = operands[tokens].dtype();
  if (type == other || (type == ACL_FLOAT && other == ACL_BF16)) return {};
  return Fail(operands.spec().codes.dtype, "{}.dtype = {}, expected {}{} as {}.dtype",
              operands.NameOf(probs), NameOf(type), NameOf(other),
              other == ACL_BF16 ? " or FLOAT" : "", operands.NameOf(tokens));
}

Status CheckBeside(const Operands& operands, int id, int other) {
  if (!operands.Given(other) || operands.Given(id)) return {};
  return Fail(operands.spec().codes.null, "{} is null, expected a tensor as {} is given",
              operands.NameOf(id), operands.NameOf(other));
}

Status CheckPerToken(const Operands& operands, int places, int64_t tokens, int code,
                     int64_t* per_token) {
  const int64_t count = operands[places].shape()[0];
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
