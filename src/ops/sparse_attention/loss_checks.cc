// SPDX-License-Identifier: Apache-2.0
#include "ops/sparse_attention/loss_checks.h"

namespace anyacl::sparse_attention {

Status CheckRopes(const Operands& operands, const Geometry& g) {
  if (operands.Given(kQueryRope) != operands.Given(kKeyRope)) {
    return Fail(operands.spec().codes.null,
                "one of queryRope and keyRope is null, expected both or neither");
  }
  if (!operands.Given(kKeyRope)) return {};
  Dims rope = operands[kKey].shape();
  rope[rope.rank() - 1] = kRopeDim;
  if (Status s = CheckShapeIs(operands, kKeyRope, rope); !s.ok()) return s;
  return CheckTokenShape(operands, g, kQueryRope, {g.heads, kRopeDim});
}

// The indexer's own heads and keys.
Status CheckIndexer(const Operands& operands, const Geometry& g, int64_t* heads) {
  const int code = operands.spec().codes.shape;
  const Dims& query = operands[kQueryIndex].shape();
  *heads = query.rank() >= 2 ? query[query.rank() - 2] : 0;
  if (*heads < 1 || *heads > kMostIndexerHeads) {
    return Fail(code, "queryIndex.shape = {}, expected 1 to {} heads", query.ToString(),
                kMostIndexerHeads);
  }
  const aclDataType type = operands[kQuery].dtype(), weights = operands[kWeights].dtype();
  if (weights != type && weights != ACL_FLOAT) {
    return Fail(operands.spec().codes.dtype, "weights.dtype = {}, expected {} as query, or FLOAT",
                NameOf(weights), NameOf(type));
  }
  Dims key = operands[kKey].shape();
  key[key.rank() - 2] = 1;
  key[key.rank() - 1] = kIndexerDim;
  for (int id : {kKeyIndex, kDKey}) {
    if (Status s = CheckShapeIs(operands, id, key); !s.ok()) return s;
  }
  for (int id : {kQueryIndex, kDQuery}) {
    if (Status s = CheckTokenShape(operands, g, id, {*heads, kIndexerDim}); !s.ok()) return s;
  }
  for (int id : {kWeights, kDWeights}) {
    if (Status s = CheckTokenShape(operands, g, id, {*heads}); !s.ok()) return s;
  }
  return CheckShapeIs(operands, kLoss, {1});
}

}  // namespace anyacl::sparse_attention
