// SPDX-License-Identifier: Apache-2.0
// aclnnGroupedMatmulSwigluQuant and aclnnGroupedMatmulSwigluQuantWeightNZ.
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant.h"
#include "aclnnop/aclnn_grouped_matmul_swiglu_quant_weight_nz.h"
#include "nnop/phases.h"
#include "ops/grouped_matmul/op.h"

namespace anyacl::grouped_matmul {
namespace {

aclnnStatus Prepare(const OpInfo& op, Variant variant, std::span<const aclTensor* const> tensors,
                    uint64_t* workspace_size, aclOpExecutor** executor) {
  return PhaseOne(op, workspace_size, executor, [&](PreparedCall& call) -> Status {
    Operands operands(SpecOf(tensors[1]));
    Params params;
    if (Status s = Check(variant, tensors, operands, &params); !s.ok()) return s;
    call.slots = operands.Slots();
    if (!params.empty) call.plan = MakePlan(params, &call.workspace_size);
    return {};
  });
}

}  // namespace
}  // namespace anyacl::grouped_matmul

using namespace anyacl;
using namespace anyacl::grouped_matmul;

extern "C" {

aclnnStatus aclnnGroupedMatmulSwigluQuantGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* bias, const aclTensor* offset,
    const aclTensor* weightScale, const aclTensor* xScale, const aclTensor* groupList,
    aclTensor* output, aclTensor* outputScale, aclTensor* outputOffset, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  const aclTensor* tensors[] = {x,      weight,    bias,   offset,      weightScale,
                                xScale, groupList, output, outputScale, outputOffset};
  return Prepare(kOpPlain, Variant::kPlain, tensors, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulSwigluQuant(void* workspace, uint64_t workspaceSize,
                                          aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(kOpPlain, workspace, workspaceSize, executor, stream);
}

aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNZGetWorkspaceSize(
    const aclTensor* x, const aclTensor* weight, const aclTensor* bias, const aclTensor* offset,
    const aclTensor* weightScale, const aclTensor* xScale, const aclTensor* groupList,
    aclTensor* output, aclTensor* outputScale, aclTensor* outputOffset, uint64_t* workspaceSize,
    aclOpExecutor** executor) {
  const aclTensor* tensors[] = {x,      weight,    bias,   offset,      weightScale,
                                xScale, groupList, output, outputScale, outputOffset};
  return Prepare(kOpWeightNz, Variant::kWeightNz, tensors, workspaceSize, executor);
}

aclnnStatus aclnnGroupedMatmulSwigluQuantWeightNZ(void* workspace, uint64_t workspaceSize,
                                                  aclOpExecutor* executor, aclrtStream stream) {
  return anyaclRunExecutor(kOpWeightNz, workspace, workspaceSize, executor, stream);
}
}
