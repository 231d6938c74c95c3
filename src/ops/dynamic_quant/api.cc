// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2 and its sub-case aclnnDynamicQuant.
#include "aclnnop/aclnn_dynamic_quant.h"
#define ANYACL_NO_OVERLOADS
#include <optional>

#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "nnop/phases.h"
#include "ops/dynamic_quant/op.h"

namespace anyacl::dynamic_quant {
namespace {

// The type of yOut decides; a dstType that says otherwise is probably a slip.
void WarnOfOtherType(int64_t dst_type, const Operands& operands) {
  const aclDataType dtype = operands["yOut"].dtype();
  if (dst_type == dtype) return;
  Warn("dstType = {} and yOut.dtype = {} disagree; yOut.dtype decides", dst_type, NameOf(dtype));
}

aclnnStatus Prepare(const OpSpec& spec, std::span<const aclTensor* const> tensors,
                    std::optional<int64_t> dst_type, uint64_t* workspace_size,
                    aclOpExecutor** executor) {
  return PhaseOne(*spec.op, workspace_size, executor, [&](PreparedCall& call) -> Status {
    Operands operands(spec);
    Params params;
    if (Status s = Check(tensors, operands, &params); !s.ok()) return s;
    if (dst_type) WarnOfOtherType(*dst_type, operands);
    call.slots = operands.Slots();
    if (!params.empty) call.plan = MakePlan(params, &call.workspace_size);
    return {};
  });
}

}  // namespace
}  // namespace anyacl::dynamic_quant

using namespace anyacl;
using namespace anyacl::dynamic_quant;

extern "C" {

aclnnStatus aclnnDynamicQuantGetWorkspaceSize(const aclTensor* x,
                                              const aclTensor* smoothScalesOptional,
                                              const aclTensor* yOut, const aclTensor* scaleOut,
                                              uint64_t* workspaceSize, aclOpExecutor** executor) {
  const aclTensor* tensors[] = {x, smoothScalesOptional, yOut, scaleOut};
  return Prepare(kSpecV1, tensors, std::nullopt, workspaceSize, executor);
}

aclnnStatus aclnnDynamicQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(*kSpecV1.op, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnDynamicQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* groupIndexOptional,
    int64_t dstType, const aclTensor* yOut, const aclTensor* scaleOut, const aclTensor* offsetOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  const aclTensor* tensors[] = {x,        smoothScalesOptional, groupIndexOptional, yOut, scaleOut,
                                offsetOut};
  return Prepare(kSpecV2, tensors, dstType, workspaceSize, executor);
}

aclnnStatus aclnnDynamicQuantV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(*kSpecV2.op, workspace, workspaceSize, executor, stream);
}
}
