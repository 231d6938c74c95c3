// SPDX-License-Identifier: Apache-2.0
// aclnnDynamicQuantV2 and its sub-case aclnnDynamicQuant.
#include "aclnnop/aclnn_dynamic_quant.h"
#define ANYACL_NO_OVERLOADS
#include "aclnnop/aclnn_dynamic_quant_v2.h"
#include "nnop/phases.h"
#include "ops/dynamic_quant/op.h"

namespace anyacl::dynamic_quant {
namespace {

aclnnStatus Prepare(const OpSpec& spec, const Args& args, uint64_t* workspace_size,
                    aclOpExecutor** executor) {
  return PhaseOne(*spec.op, workspace_size, executor, [&](PreparedCall& call) -> Status {
    Operands operands(spec);
    Params params;
    if (Status s = Check(spec, args, operands, &params); !s.ok()) return s;
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
  Args args;
  args.x = x;
  args.smooth_scales = smoothScalesOptional;
  args.y = yOut;
  args.scale = scaleOut;
  return Prepare(kSpecV1, args, workspaceSize, executor);
}

aclnnStatus aclnnDynamicQuant(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                              aclrtStream stream) {
  return anyaclRunExecutor(*kSpecV1.op, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnDynamicQuantV2GetWorkspaceSize(
    const aclTensor* x, const aclTensor* smoothScalesOptional, const aclTensor* groupIndexOptional,
    int64_t dstType, const aclTensor* yOut, const aclTensor* scaleOut, const aclTensor* offsetOut,
    uint64_t* workspaceSize, aclOpExecutor** executor) {
  const Args args{x, smoothScalesOptional, groupIndexOptional, dstType, yOut, scaleOut, offsetOut};
  return Prepare(kSpecV2, args, workspaceSize, executor);
}

aclnnStatus aclnnDynamicQuantV2(void* workspace, uint64_t workspaceSize, aclOpExecutor* executor,
                                aclrtStream stream) {
  return anyaclRunExecutor(*kSpecV2.op, workspace, workspaceSize, executor, stream);
}
}
