// SPDX-License-Identifier: Apache-2.0
// Phase 1 of the operators that write to other ranks' windows. The communicator is looked up here;
// how large its windows are shows when the task runs: they may be made in between.
#include "aclnn/opdev/op_errno.h"
#include "ops/afd/operators.h"
#include "ops/afd/plans.h"
#include "ops/ranks/windows.h"

namespace anyacl::afd {
namespace {

constexpr int64_t kMaxMicroBatches = 64;
constexpr int64_t kMaxTokens = 512;
constexpr int64_t kMinHidden = 1024;
constexpr int64_t kMaxWindowHidden = 8192;
constexpr int64_t kMaxRow = 8320;  // elements, HS
constexpr int64_t kMaxChosen = 16;
constexpr int64_t kMaxShared = 4;

int ShapeCode(const Operands& operands) { return operands.spec().codes.shape; }

Status CheckRange(const Operands& operands, const char* what, int64_t value, int64_t min,
                  int64_t max) {
  if (value >= min && value <= max) return {};
  return Fail(ShapeCode(operands), "{} is {}, expected {} to {}", what, value, min, max);
}

Status CheckArray(const Operands& operands, int id, std::span<const int64_t> expected) {
  const std::span<const int64_t> given = operands.Ints(id);
  if (given.size() == expected.size() && std::equal(given.begin(), given.end(), expected.begin())) {
    return {};
  }
  return Fail(ShapeCode(operands), "{} is {}, expected {}", operands.NameOf(id),
              Dims(given.data(), given.size()).ToString(),
              Dims(expected.data(), expected.size()).ToString());
}

Status CheckLength(const Operands& operands, int id, size_t length) {
  const size_t given = operands.Ints(id).size();
  if (given == length) return {};
  return Fail(ShapeCode(operands), "{} has {} entries, expected {}", operands.NameOf(id), given,
              length);
}

// The three shapes agree with each other and with x and the experts.
Status CheckSendTables(const Operands& operands, int64_t experts, int64_t elements,
                       Tables* tables) {
  if (Status s = CheckLength(operands, kInfoShape, 3); !s.ok()) return s;
  if (Status s = CheckLength(operands, kDataShape, 5); !s.ok()) return s;
  const std::span<const int64_t> data = operands.Ints(kDataShape);
  const int64_t sessions = data[0], micro_batches = data[1], row = data[4];
  const int64_t tokens = operands.Size("Bs");
  if (Status s =
          CheckRange(operands, "ffnTokenDataShape[0]", sessions, 1, operands.Int(kWorldSize) - 1);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckRange(operands, "ffnTokenDataShape[1]", micro_batches, 1, kMaxMicroBatches);
      !s.ok()) {
    return s;
  }
  // A device sends 2 H or H + 128 bytes into rows of any length.
  if (Status s = CheckRange(operands, "ffnTokenDataShape[4]", row, elements, INT32_MAX); !s.ok()) {
    return s;
  }
  const int64_t data_shape[] = {sessions, micro_batches, tokens, experts, row};
  if (Status s = CheckArray(operands, kDataShape, data_shape); !s.ok()) return s;
  const int64_t info_shape[] = {sessions, micro_batches, 2 + tokens * experts};
  if (Status s = CheckArray(operands, kInfoShape, info_shape); !s.ok()) return s;
  const int64_t flag_shape[] = {micro_batches, tokens, experts};
  if (Status s = CheckArray(operands, kFlagShape, flag_shape); !s.ok()) return s;
  *tables = {sessions, micro_batches, tokens, experts, row};
  return {};
}

Status CheckQuantisation(const Operands& operands) {
  const int64_t mode = operands.Int(kQuantMode);
  if (mode == 1) return Fail(ShapeCode(operands), "quantMode is 1, expected 0 or 2");
  if (mode == 0 && operands.Given(kScales)) {
    return Fail(ShapeCode(operands), "scalesOptional is given, expected null as quantMode is 0");
  }
  // The scale is written at the next multiple of 32 bytes, and read right behind the row.
  if (mode == 2 && operands.Size("H") % 32 != 0) {
    return Fail(ShapeCode(operands),
                "x.shape = {}, expected a multiple of 32 columns as quantMode "
                "is 2",
                operands[kX].shape().ToString());
  }
  return {};
}

}  // namespace

Status PrepareSend(Operands& operands, PreparedCall* call) {
  SendParams params;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckRange(operands, "x.shape[1]", operands.Size("Bs"), 1, kMaxTokens); !s.ok()) {
    return s;
  }
  const int64_t hidden = operands.Size("H");
  if (Status s = CheckRange(operands, "x.shape[2]", hidden, kMinHidden, kMaxWindowHidden);
      !s.ok()) {
    return s;
  }
  const int64_t chosen = operands.Size("K"), routed = operands.Int(kMoeExpertNum);
  if (Status s =
          CheckRange(operands, "expertIds.shape[2]", chosen, 1, std::min(kMaxChosen, routed));
      !s.ok()) {
    return s;
  }
  const int64_t shared = operands.Size("E") - routed;
  if (Status s =
          CheckRange(operands, "expertRankTable.shape[1] - moeExpertNum", shared, 0, kMaxShared);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckQuantisation(operands); !s.ok()) return s;
  params.quantises = operands.Int(kQuantMode) == 2;
  constexpr int64_t kScaleBytes = 4;
  const int64_t elements = params.quantises ? hidden + kScaleBytes : hidden;
  if (Status s = CheckSendTables(operands, chosen + shared, elements, &params.tables); !s.ok()) {
    return s;
  }
  params.ffn_count = operands.Int(kWorldSize) - params.tables.sessions;
  if (Status s = CheckRange(operands, "ffnStartRankId", operands.Int(kFfnStartRankId), 0,
                            params.tables.sessions);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckRange(operands, "expertRankTable.shape[2]", operands.Size("M"), 3,
                            2 * params.ffn_count + 1);
      !s.ok()) {
    return s;
  }
  if (Status s = ranks::FindGroup(operands, kGroup, kWorldSize, &params.group); !s.ok()) return s;
  params.x = ViewOf(operands, kX);
  params.tables.row_bytes *= params.quantises ? 1 : BytesOf(params.x);
  params.session = ViewOf(operands, kSessionId);
  params.micro_batch = ViewOf(operands, kMicroBatchId);
  params.layer = ViewOf(operands, kLayerId);
  params.expert_ids = ViewOf(operands, kExpertIds);
  params.rank_table = ViewOf(operands, kRankTable);
  params.scales = ViewOf(operands, kScales);
  params.mask = ViewOf(operands, kActiveMask);
  params.chosen = chosen;
  params.routed = routed;
  params.hidden = hidden;
  params.first_ffn = operands.Int(kFfnStartRankId);
  params.tells_all = operands.Int(kSyncFlag) == 0;
  call->kind = TaskKind::kGraph;
  call->plan = MakeSendPlan(params);
  return {};
}

Status PrepareReturn(Operands& operands, PreparedCall* call) {
  ReturnParams params;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int64_t hidden = operands.Size("H");
  if (Status s = CheckRange(operands, "x.shape[1]", hidden, kMinHidden, kMaxWindowHidden);
      !s.ok()) {
    return s;
  }
  if (Status s = CheckLength(operands, kInfoShape, 3); !s.ok()) return s;
  if (Status s = CheckLength(operands, kDataShape, 4); !s.ok()) return s;
  const std::span<const int64_t> data = operands.Ints(kDataShape);
  const struct {
    const char* what;
    int64_t min, max;
  } limits[] = {{"tokenDataShape[0]", 1, kMaxMicroBatches},
                {"tokenDataShape[1]", 1, kMaxTokens},
                {"tokenDataShape[2]", 1, kMaxChosen + kMaxShared},
                {"tokenDataShape[3]", hidden, kMaxRow}};
  for (size_t i = 0; i < data.size(); ++i) {
    const auto& limit = limits[i];
    if (Status s = CheckRange(operands, limit.what, data[i], limit.min, limit.max); !s.ok()) {
      return s;
    }
  }
  if (Status s = CheckArray(operands, kInfoShape, data.first(3)); !s.ok()) return s;
  if (operands.Given(kRankTable)) {
    if (Status s = CheckRange(operands, "attnRankTableOptional.shape[0]", operands.Size("A"), 1,
                              operands.Int(kWorldSize) - 1);
        !s.ok()) {
      return s;
    }
  }
  if (Status s = ranks::FindGroup(operands, kGroup, kWorldSize, &params.group); !s.ok()) return s;
  params.x = ViewOf(operands, kX);
  params.tables = {1, data[0], data[1], data[2], data[3] * BytesOf(params.x)};
  params.sessions = ViewOf(operands, kSessionIds);
  params.micro_batches = ViewOf(operands, kMicroBatchIds);
  params.tokens = ViewOf(operands, kTokenIds);
  params.offsets = ViewOf(operands, kExpertOffsets);
  params.actual = ViewOf(operands, kActualTokenNum);
  params.rank_table = ViewOf(operands, kRankTable);
  params.hidden = hidden;
  call->kind = TaskKind::kGraph;
  call->plan = MakeReturnPlan(params);
  return {};
}

}  // namespace anyacl::afd
