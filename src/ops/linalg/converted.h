// SPDX-License-Identifier: Apache-2.0
// Two results of any type that self's converts to.
#pragma once

#include <optional>

#include "nnop/operands.h"
#include "ops/linalg/operators.h"
#include "ops/steps.h"

namespace anyacl::linalg {

inline Status CheckResultTypes(const Operands& operands) {
  for (int id : {kQ, kR}) {
    if (Status s = CheckResultCast(operands, id, operands[kSelf].dtype()); !s.ok()) return s;
  }
  return {};
}

inline bool HasOtherResults(const Operands& operands) {
  const aclDataType dtype = operands[kSelf].dtype();
  return operands[kQ].dtype() != dtype || operands[kR].dtype() != dtype;
}

// `api`, with `mode` behind self if it has one, to results of self's type, which are converted.
inline Status PrepareConverted(Operands& operands, PreparedCall* call, const char* api,
                               std::optional<int64_t> mode = {}) {
  Steps steps(operands);
  const InnerTensor self = TensorOf(operands, kSelf);
  const aclDataType dtype = self.layout.dtype;
  const InnerTensor q = steps.ResultAs(kQ, dtype), r = steps.ResultAs(kR, dtype);
  Status s = mode ? steps.Call(api, {self, *mode, q, r}) : steps.Call(api, {self, q, r});
  return s.ok() ? steps.Finish(call) : s;
}

}  // namespace anyacl::linalg
