// SPDX-License-Identifier: Apache-2.0
// What phase 1 can know: the tensor and the attributes. What the context holds is checked when the
// task runs (context.cc).
#include "aclnn/opdev/op_errno.h"
#include "ops/ffn_worker_scheduler/op.h"

namespace anyacl::ffn_worker_scheduler {
namespace {

constexpr OpInfo kFfnOp = {"aclnnInplaceFfnWorkerSchedulerGetWorkspaceSize",
                           "aclnnInplaceFfnWorkerScheduler"};
constexpr OpInfo kAttentionOp = {"aclnnInplaceAttentionWorkerSchedulerGetWorkspaceSize",
                                 "aclnnInplaceAttentionWorkerScheduler"};

constexpr ParamSpec kParams[] = {
    {.name = kContext,
     .direction = Direction::kInOut,
     .need = Need::kRequired,
     .dtypes = {ACL_INT8},
     .dims = "bytes",
     .strides = Strides::kContiguous},
};

constexpr CheckCodes kCodes = {ACLNN_ERR_PARAM_NULLPTR, ACLNN_ERR_PARAM_INVALID,
                               ACLNN_ERR_PARAM_INVALID, ACLNN_ERR_PARAM_INVALID};

}  // namespace

const OpSpec kFfnSpec = {&kFfnOp, kParams, kCodes};
const OpSpec kAttentionSpec = {&kAttentionOp, kParams, kCodes};

Status CheckTensor(const aclTensor* context, Operands& operands) {
  const aclTensor* handles[] = {context};
  if (Status s = operands.Resolve(handles); !s.ok()) return s;
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  // The document says [1024]; longer tensors work upstream, and so here.
  constexpr auto kBytes = static_cast<int64_t>(sizeof(ScheduleContext));
  if (operands.Size("bytes") < kBytes) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected [{}]", kContext,
                operands[kContext].shape().ToString(), kBytes);
  }
  return operands.CheckStrides();
}

Status CheckAttributes(int32_t sync_group_size, int32_t execute_mode) {
  if (execute_mode != 0) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "executeMode is {}, expected 0 (run once)", execute_mode);
  }
  if (sync_group_size < 1) {
    return Fail(ACLNN_ERR_PARAM_INVALID,
                "syncGroupSize is {}, expected 1 to the number of sessions in the context",
                sync_group_size);
  }
  return {};
}

}  // namespace anyacl::ffn_worker_scheduler
