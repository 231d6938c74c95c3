// SPDX-License-Identifier: Apache-2.0
// What phase 1 can know of the operators that work on a context: tensors and attributes. What the
// context holds is checked when the task runs (context.cc).
#include "aclnn/opdev/op_errno.h"
#include "ops/afd/context.h"
#include "ops/afd/operators.h"
#include "ops/afd/plans.h"

namespace anyacl::afd {
namespace {

// The document says [1024]; longer tensors work upstream, and so here.
Status CheckContextSize(const Operands& operands) {
  constexpr auto kBytes = static_cast<int64_t>(sizeof(ScheduleContext));
  if (operands.Size("bytes") >= kBytes) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "{}.shape = {}, expected [{}]", operands.NameOf(kContext),
              operands[kContext].shape().ToString(), kBytes);
}

Status CheckTensor(Operands& operands) {
  if (Status s = operands.CheckDTypes(); !s.ok()) return s;
  if (Status s = operands.CheckFormats(); !s.ok()) return s;
  if (Status s = operands.CheckShapes(); !s.ok()) return s;
  if (Status s = CheckContextSize(operands); !s.ok()) return s;
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

// tokenDtype says what y says.
Status CheckTokenType(const Operands& operands) {
  constexpr aclDataType kTypes[] = {ACL_FLOAT16, ACL_BF16, ACL_INT8};
  const aclDataType expected = kTypes[operands.Int(kTokenDtype)];
  if (operands[kY].dtype() == expected) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "y.dtype = {}, expected {} as tokenDtype is {}",
              NameOf(operands[kY].dtype()), NameOf(expected), operands.Int(kTokenDtype));
}

// maxOutShape is {A, BS, K, H}, and A * BS * K and H are y's shape.
Status CheckMaxOutShape(const Operands& operands) {
  const std::span<const int64_t> shape = operands.Ints(kMaxOutShape);
  if (shape.size() != 4) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "maxOutShape has {} entries, expected 4: {{A, BS, K, H}}",
                shape.size());
  }
  // Rows are counted in 32 bits.
  constexpr int64_t kLimits[] = {1024, INT32_MAX, 64, INT32_MAX};
  for (size_t i = 0; i < 4; ++i) {
    if (shape[i] >= 1 && shape[i] <= kLimits[i]) continue;
    return Fail(ACLNN_ERR_PARAM_INVALID, "maxOutShape[{}] is {}, expected 1 to {}", i, shape[i],
                kLimits[i]);
  }
  const int64_t rows = shape[0] * shape[1] * shape[2];  // below 2^47
  if (rows > INT32_MAX) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "maxOutShape has A * BS * K = {}, expected at most {}",
                rows, INT32_MAX);
  }
  if (operands.Size("Y") == rows && operands.Size("H") == shape[3]) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "y.shape = {}, expected [{}, {}] as maxOutShape says",
              operands[kY].shape().ToString(), rows, shape[3]);
}

// Clients allocate it for every type, or leave it empty where it is not used.
Status CheckDynamicScale(const Operands& operands) {
  const int64_t size = operands.Size("S"), rows = operands.Size("Y");
  if (size == rows || (size == 0 && operands.Int(kTokenDtype) != 2)) return {};
  return Fail(ACLNN_ERR_PARAM_INVALID, "dynamicScale.shape = [{}], expected [{}]", size, rows);
}

}  // namespace

Status PrepareFfn(Operands& operands, PreparedCall* call) {
  const auto group_size = static_cast<int32_t>(operands.Int(kSyncGroupSize));
  if (Status s = CheckTensor(operands); !s.ok()) return s;
  if (Status s = CheckAttributes(group_size, static_cast<int32_t>(operands.Int(kExecuteMode)));
      !s.ok()) {
    return s;
  }
  call->kind = TaskKind::kPoll;
  call->plan = MakeFfnPlan(operands[kContext].layout->offset, group_size);
  return {};
}

Status PrepareAttention(Operands& operands, PreparedCall* call) {
  if (Status s = CheckTensor(operands); !s.ok()) return s;
  call->kind = TaskKind::kPoll;
  call->plan = MakeAttentionPlan(operands[kContext].layout->offset);
  return {};
}

Status PrepareBatching(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckContextSize(operands); !s.ok()) return s;
  if (Status s = CheckMaxOutShape(operands); !s.ok()) return s;
  if (Status s = CheckTokenType(operands); !s.ok()) return s;
  if (Status s = CheckDynamicScale(operands); !s.ok()) return s;
  if (operands.Int(kLayerNum) > operands.Int(kExpertNum)) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "layerNum is {}, expected 0 to expertNum = {}",
                operands.Int(kLayerNum), operands.Int(kExpertNum));
  }
  BatchingParams params;
  params.context_offset = operands[kContext].layout->offset;
  params.experts = operands.Int(kExpertNum);
  params.rows = operands.Size("Y");
  params.quantised = operands.Int(kTokenDtype) == 2;
  params.receives = operands.Int(kNeedSchedule) == 1;
  params.y = ViewOf(operands, kY);
  params.row_bytes = operands.Size("H") * BytesOf(params.y);
  params.group_list = ViewOf(operands, kGroupList);
  params.sessions = ViewOf(operands, kSessionIds);
  params.micro_batches = ViewOf(operands, kMicroBatchIds);
  params.tokens = ViewOf(operands, kTokenIds);
  params.offsets = ViewOf(operands, kExpertOffsets);
  params.scales = ViewOf(operands, kDynamicScale);
  params.actual = ViewOf(operands, kActualTokenNum);
  if (params.receives) call->kind = TaskKind::kGraph;
  call->plan = MakeBatchingPlan(params);
  return {};
}

Status PrepareCombine(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckContextSize(operands); !s.ok()) return s;
  if (Status s = CheckTokenType(operands); !s.ok()) return s;
  constexpr int64_t kMaxChosen = 64;
  if (operands.Size("K") > kMaxChosen) {
    return Fail(ACLNN_ERR_PARAM_INVALID, "expertScales.shape = {}, expected at most {} columns",
                operands[kExpertScales].shape().ToString(), kMaxChosen);
  }
  CombineParams params;
  params.context_offset = operands[kContext].layout->offset;
  params.tokens = operands.Size("BS");
  params.chosen = operands.Size("K");
  params.hidden = operands.Int(kHiddenSize);
  params.waits = operands.Int(kNeedSchedule) == 1;
  params.scales = ViewOf(operands, kExpertScales);
  params.layer = ViewOf(operands, kLayerId);
  params.y = ViewOf(operands, kY);
  params.next_layer = ViewOf(operands, kNextLayerId);
  if (params.waits) call->kind = TaskKind::kGraph;
  call->plan = MakeCombinePlan(params);
  return {};
}

}  // namespace anyacl::afd
