// SPDX-License-Identifier: Apache-2.0
// What the table cannot say. Null is 161001, everything else 161002.
#include <cstring>
#include <string_view>

#include "base/dtype.h"
#include "ops/matmul_collective/operators.h"
#include "ops/matmul_collective/plans.h"
#include "ops/ranks/windows.h"

namespace anyacl::matmul_collective {
namespace {

// PyTorch passes tensors without elements for what is left out.
Status CheckUnused(Operands& operands) {
  for (const ParamSpec& row : operands.spec().params) {
    if (!IsTensor(row.kind) || row.need != Need::kOptional || !operands.Given(row.id)) continue;
    const bool output = row.direction == Direction::kOutput;
    if (operands[row.id].IsEmpty() && (output || row.dims == std::string_view("*"))) {
      operands.Drop(row.id);
    } else if (row.dims == std::string_view("*")) {
      return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected {}", row.name,
                  operands[row.id].shape().ToString(), row.note);
    }
  }
  return {};
}

// aclnnAllGatherMatmulV2 and aclnnMatmulReduceScatterV2 take both kinds of products.
Status CheckFactors(const Operands& operands) {
  const aclDataType x1 = operands[kX1].dtype();
  const bool integers = x1 == ACL_INT8 || x1 == ACL_INT4;
  if (integers && !operands.Given(kX2Scale)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "x2Scale is null, expected factors beside x1 of {}",
                NameOf(x1));
  }
  for (int id : {kX1Scale, kX2Scale}) {
    if (integers || !operands.Given(id)) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID, "{} is given, expected null beside x1 of {}",
                operands.NameOf(id), NameOf(x1));
  }
  if (integers || !operands.Given(kOutput) || operands[kOutput].dtype() == x1) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{}.dtype = {}, expected {} as x1 has",
              operands.NameOf(kOutput), NameOf(operands[kOutput].dtype()), NameOf(x1));
}

}  // namespace

bool IsQuantised(const Operands& operands) {
  const aclDataType x1 = operands[kX1].dtype();
  return x1 == ACL_INT8 || x1 == ACL_INT4;
}

Status CheckCall(Operands& operands, std::shared_ptr<RankGroup>* group) {
  if (Status s = CheckUnused(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = operands.CheckText(kReduceOp, {"sum"}); !s.ok()) return s;
  if (Status s = operands.CheckText(kCpuMode, {"ai_cpu"}); !s.ok()) return s;
  if (Status s = operands.CheckText(kVectorMode, {"aiv"}); !s.ok()) return s;
  if (Status s = operands.CheckText(kAnyMode, {"ai_cpu", "aiv"}); !s.ok()) return s;
  if (operands[kX2].dtype() == operands[kX1].dtype()) {
    if (Status s = CheckFactors(operands); !s.ok()) return s;
  }
  return ranks::FindGroup(operands, kGroup, kWorldSize, group);
}

std::string Alike(const Operands& operands, int id) {
  return Format("{} {} {}", operands.NameOf(id), NameOf(operands[id].dtype()),
                operands[id].shape().ToString());
}

}  // namespace anyacl::matmul_collective
