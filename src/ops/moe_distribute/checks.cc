// SPDX-License-Identifier: Apache-2.0
// Phase 1. What is in device memory, and what other ranks pass, shows when the task runs.
#include <cmath>
#include <cstring>

#include "aclnn/opdev/op_errno.h"
#include "ops/moe_distribute/operators.h"
#include "ops/moe_distribute/parcels.h"
#include "ops/moe_distribute/plans.h"
#include "ops/ranks/windows.h"

namespace anyacl::moe_distribute {
namespace {

constexpr int kValue = kCodes.shape;
constexpr int64_t kMaxReceived = 2048;  // local experts times ranks
constexpr int64_t kAssistWidth = 128;

int64_t MaxHidden(Operator op) {
  switch (op) {
    case Operator::kDispatch:
    case Operator::kCombine:
      return 7168;
    case Operator::kCombineNorm:
    case Operator::kCombineNormV2:
      return 8192;
    default:
      return kMaxHidden;
  }
}

Status CheckRange(const char* what, int64_t value, int64_t min, int64_t max) {
  if (value >= min && value <= max) return {};
  return Fail(kValue, "{} is {}, expected {} to {}", what, value, min, max);
}

Status CheckPlacement(const Operands& operands, Placement* placement) {
  placement->ranks = operands.Int(kEpWorldSize);
  placement->routed = operands.Int(kMoeExpertNum);
  const int64_t shared = operands.Int(kSharedExpertNum);
  const int64_t shared_ranks = operands.Int(kSharedExpertRankNum);
  if (Status s = CheckRange("sharedExpertRankNum", shared_ranks, 0, placement->ranks - 1);
      !s.ok()) {
    return s;
  }
  if (shared_ranks == 0 && shared > 1) {
    return Fail(kValue, "sharedExpertNum is {}, expected 0 or 1 as sharedExpertRankNum is 0",
                shared);
  }
  if (shared_ranks > 0 && (shared == 0 || shared_ranks % shared != 0)) {
    return Fail(kValue, "sharedExpertRankNum is {}, expected a multiple of sharedExpertNum, {}",
                shared_ranks, shared);
  }
  placement->shared_ranks = shared_ranks;
  placement->shared = shared_ranks == 0 ? 0 : shared;
  const int64_t others = placement->ranks - shared_ranks;
  if (placement->routed % others != 0) {
    return Fail(kValue,
                "moeExpertNum is {}, expected a multiple of the {} ranks without shared experts",
                placement->routed, others);
  }
  return CheckRange("moeExpertNum / (epWorldSize - sharedExpertRankNum) * epWorldSize",
                    placement->local() * placement->ranks, 1, kMaxReceived);
}

// Of versions that have such experts.
Status CheckSpecial(const Operands& operands, Common* common) {
  if (!operands.HasRow(kZeroExpertNum)) return {};
  if (operands.Given(kElasticInfo)) {
    return Fail(kValue,
                "elasticInfoOptional is given, expected null: ranks cannot leave a communicator");
  }
  SpecialExperts& special = common->special;
  special = {operands.Int(kZeroExpertNum), operands.Int(kCopyExpertNum),
             operands.Int(kConstExpertNum)};
  return CheckRange("moeExpertNum + zeroExpertNum + copyExpertNum + constExpertNum",
                    common->placement.routed + special.count(), 1, kMaxSpecial);
}

// What such experts compute with.
Status CheckSpecialTensors(const Operands& operands, CombineParams* params) {
  const SpecialExperts& special = params->special;
  if (special.copy + special.constant == 0) return {};
  if (!operands.Given(kOriginalX)) {
    return Fail(kCodes.null,
                "oriXOptional is null, expected a tensor as copyExpertNum is {} and "
                "constExpertNum {}",
                special.copy, special.constant);
  }
  params->original = ViewOf(operands, kOriginalX);
  if (special.constant == 0) return {};
  for (const int id : {kAlpha1, kAlpha2, kConstant}) {
    if (!operands.Given(id)) {
      return Fail(kCodes.null, "{} is null, expected a tensor as constExpertNum is {}",
                  operands.NameOf(id), special.constant);
    }
    if (operands[id].shape()[0] == special.constant) continue;
    return Fail(kValue, "{}.shape[0] is {}, expected constExpertNum, {}", operands.NameOf(id),
                operands[id].shape()[0], special.constant);
  }
  params->alphas[0] = ViewOf(operands, kAlpha1);
  params->alphas[1] = ViewOf(operands, kAlpha2);
  params->constants = ViewOf(operands, kConstant);
  return {};
}

Status CheckTokens(const Operands& operands, Common* common) {
  common->tokens = operands.Size("Bs");
  common->chosen = operands.Size("K");
  common->hidden = operands.Size("H");
  const int64_t experts = common->placement.routed + common->special.count();
  if (Status s = CheckRange("expertIds.shape[0]", common->tokens, 1, kMaxTokens); !s.ok()) return s;
  if (Status s = CheckRange("expertIds.shape[1]", common->chosen, 1, std::min(kMaxChosen, experts));
      !s.ok()) {
    return s;
  }
  if (Status s = CheckRange("the number of columns, H,", common->hidden, 1, MaxHidden(common->op));
      !s.ok()) {
    return s;
  }
  const int64_t global = operands.Int(kGlobalBs), ranks = common->placement.ranks;
  if (global % ranks != 0) {
    return Fail(kValue, "{} is {}, expected a multiple of epWorldSize, {}",
                operands.NameOf(kGlobalBs), global, ranks);
  }
  common->max_tokens = global == 0 ? common->tokens : global / ranks;
  if (common->tokens <= common->max_tokens && common->max_tokens <= kMaxTokens) return {};
  return Fail(kValue, "{} is {}, expected 0 or {} times the most tokens that a rank has, {} to {}",
              operands.NameOf(kGlobalBs), global, ranks, common->tokens, kMaxTokens);
}

// Of the first version alone.
Status CheckByCopy(const Operands& operands, const Common& common) {
  const int64_t ranks = common.placement.ranks, shared_ranks = common.placement.shared_ranks;
  if (shared_ranks > 0 && ranks % shared_ranks != 0) {
    return Fail(kValue, "sharedExpertRankNum is {}, expected a divisor of epWorldSize, {}",
                shared_ranks, ranks);
  }
  if (!operands.Given(kActiveMask)) return {};
  return Fail(kValue, "xActiveMask is given, expected null: this version has no mask");
}

Status CheckAlgorithm(const Operands& operands) {
  if (!operands.HasRow(kZeroExpertNum)) {
    return operands.CheckText(kCommAlg, {"", "fullmesh", "hierarchy"});
  }
  return operands.CheckText(kCommAlg, {"", "fullmesh", "fullmesh_v1", "fullmesh_v2", "hierarchy"});
}

Status CheckPerformance(const Operands& operands, Common* common) {
  common->performance = ViewOf(operands, kPerformance);
  if (!common->performance.given()) return {};
  return CheckShapeIs(operands, kPerformance, Dims{common->placement.ranks});
}

// Everything but what an operator has alone; `row_bytes` of what travels.
Status CheckCommon(const Operands& operands, int64_t row_bytes, Common* common) {
  if (Status s = common->by_copy() ? CheckByCopy(operands, *common) : CheckAlgorithm(operands);
      !s.ok()) {
    return s;
  }
  if (Status s = ranks::FindGroup(operands, kGroupEp, kEpWorldSize, &common->group); !s.ok())
    return s;
  if (operands.Int(kEpRankId) != common->group->rank()) {
    return Fail(kValue, "epRankId is {}, expected {}, this rank in \"{}\"", operands.Int(kEpRankId),
                common->group->rank(), common->group->name());
  }
  const uint64_t needed =
      ParcelTable(common->placement.ranks, common->capacity(), row_bytes).bytes();
  if (needed > common->group->exchange_size()) {
    return Fail(kValue, "HCCL_BUFFSIZE gives each rank {} bytes, expected at least {}",
                common->group->exchange_size(), needed);
  }
  common->expert_ids = ViewOf(operands, kExpertIds);
  common->mask = ViewOf(operands, kActiveMask);
  return CheckPerformance(operands, common);
}

// What dispatch writes and combine reads of the rows.
Status CheckRows(const Operands& operands, const Common& common) {
  const int64_t rank = operands.Int(kEpRankId);
  const Placement& at = common.placement;
  if (Status s = CheckRange("epRankId", rank, 0, at.ranks - 1); !s.ok()) return s;
  const auto check = [&](int id, int64_t least, const char* why) -> Status {
    const int64_t size = operands[id].shape()[0];
    if (size >= least) return {};
    return Fail(kValue, "{}.shape[0] = {}, expected at least {}: {}", operands.NameOf(id), size,
                least, why);
  };
  const int64_t least = rank < at.shared_ranks
                            ? common.max_tokens * ((at.ranks + at.copies() - 1) / at.copies())
                            : common.capacity() * at.ranks;
  if (Status s = check(kExpandX, least, "so many rows may come"); !s.ok()) return s;
  if (Status s = common.by_copy()
                     ? check(kExpandIdx, common.tokens * common.chosen, "one for each of expertIds")
                     : check(kAssistInfo, operands.Size("A") * kAssistWidth, "128 for each row");
      !s.ok()) {
    return s;
  }
  return check(kEpCounts, at.ranks * at.ExpertsOf(rank),
               "epWorldSize for each expert of this rank");
}

Status CheckQuantisation(const Operands& operands, const Common& common) {
  const int64_t mode = operands.Int(kQuantMode);
  if (mode == 1) return Fail(kValue, "quantMode is 1, expected 0 or 2");
  const aclDataType expected = mode == 2 ? ACL_INT8 : operands[kX].dtype();
  if (operands[kExpandX].dtype() != expected) {
    return Fail(kCodes.dtype, "{}.dtype = {}, expected {} as quantMode is {}",
                operands.NameOf(kExpandX), NameOf(operands[kExpandX].dtype()), NameOf(expected),
                mode);
  }
  if (mode == 0 && operands.Given(kScales)) {
    return Fail(kValue, "{} is given, expected null as quantMode is 0", operands.NameOf(kScales));
  }
  if (operands.Given(kScales)) {
    const int64_t experts = common.placement.shared + common.placement.routed;
    if (operands.Size("E") != experts) {
      return Fail(kValue, "{}.shape[0] is {}, expected a row for each of {} experts",
                  operands.NameOf(kScales), operands.Size("E"), experts);
    }
  }
  if (mode == 0) return {};
  if (Status s = operands.Require(kDynamicScales); !s.ok()) return s;
  return CheckShapeIs(operands, kDynamicScales, Dims{operands.Size("A")});
}

Status PrepareDispatchAs(Operator op, Operands& operands, PreparedCall* call) {
  DispatchParams params;
  params.op = op;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckPlacement(operands, &params.placement); !s.ok()) return s;
  if (Status s = CheckSpecial(operands, &params); !s.ok()) return s;
  if (Status s = CheckTokens(operands, &params); !s.ok()) return s;
  if (Status s = CheckQuantisation(operands, params); !s.ok()) return s;
  if (Status s = CheckRows(operands, params); !s.ok()) return s;
  const int64_t experts = params.placement.ExpertsOf(operands.Int(kEpRankId));
  if (operands.Size("L") != experts) {
    return Fail(kValue, "{}.shape[0] is {}, expected the {} experts of this rank",
                operands.NameOf(kExpertTokenNums), operands.Size("L"), experts);
  }
  params.weights = ViewOf(operands, kExpertScales);
  params.out_weights = ViewOf(operands, kExpandScales);
  if (params.weights.given() && params.out_weights.given()) {
    if (Status s = CheckShapeIs(operands, kExpandScales, Dims{operands.Size("A")}); !s.ok())
      return s;
  }
  params.quantises = operands.Int(kQuantMode) == 2;
  params.prefix_sums = operands.Int(kExpertTokenNumsType) == 0;
  params.x = ViewOf(operands, kX);
  if (Status s = CheckCommon(operands, DispatchRowBytes(params.hidden, params.quantises), &params);
      !s.ok()) {
    return s;
  }
  params.scales = ViewOf(operands, kScales);
  params.out = ViewOf(operands, kExpandX);
  params.out_scales = ViewOf(operands, kDynamicScales);
  params.assist = ViewOf(operands, params.by_copy() ? kExpandIdx : kAssistInfo);
  params.expert_counts = ViewOf(operands, kExpertTokenNums);
  params.counts = ViewOf(operands, kEpCounts);
  call->kind = TaskKind::kGraph;
  call->plan = MakeDispatchPlan(params);
  return {};
}

Status CheckNorm(const Operands& operands, CombineParams* params) {
  params->epsilon = static_cast<float>(operands.Real(kNormEps));
  // Below 0, too: torch_npu 2.8 passes a double, whose lower half for 1e-6 is -3e-19 as a float.
  if (!std::isfinite(params->epsilon)) {
    return Fail(kValue, "normEps is {}, expected a finite number", params->epsilon);
  }
  params->residual = ViewOf(operands, kResidual);
  params->gamma = ViewOf(operands, kGamma);
  params->norm = ViewOf(operands, kNormOut);
  params->rstd = ViewOf(operands, kRstd);
  return {};
}

Status PrepareCombineAs(Operator op, Operands& operands, PreparedCall* call) {
  CombineParams params;
  params.op = op;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckPlacement(operands, &params.placement); !s.ok()) return s;
  if (Status s = CheckSpecial(operands, &params); !s.ok()) return s;
  if (Status s = CheckTokens(operands, &params); !s.ok()) return s;
  if (Status s = CheckSpecialTensors(operands, &params); !s.ok()) return s;
  const int64_t mode = operands.Int(kCommQuantMode);
  if (mode == 1) return Fail(kValue, "commQuantMode is 1, expected 0 or 2");
  params.quantises = mode == 2;
  if (Status s = CheckRows(operands, params); !s.ok()) return s;
  if (operands.Given(kSharedExpertX)) {
    if (params.placement.shared_ranks != 0) {
      return Fail(kValue,
                  "sharedExpertXOptional is given, expected null as sharedExpertRankNum is {}",
                  params.placement.shared_ranks);
    }
    const Dims& shape = operands[kSharedExpertX].shape();
    if (shape.rank() == 3 &&
        (shape[0] > kMaxTokens || shape[1] > kMaxTokens || shape[0] * shape[1] != params.tokens)) {
      return Fail(kValue, "sharedExpertXOptional.shape = {}, expected {} rows", shape.ToString(),
                  params.tokens);
    }
  }
  if (Status s = CheckCommon(operands, CombineRowBytes(params.hidden, params.quantises), &params);
      !s.ok()) {
    return s;
  }
  if (operands.HasRow(kGamma)) {
    if (Status s = CheckNorm(operands, &params); !s.ok()) return s;
  }
  params.rows = ViewOf(operands, kExpandX);
  params.assist = ViewOf(operands, params.by_copy() ? kExpandIdx : kAssistInfo);
  params.counts = ViewOf(operands, kEpCounts);
  if (!operands[kExpertScales].IsEmpty()) {
    const Dims shape{params.tokens, params.chosen};
    if (Status s = CheckShapeIs(operands, kExpertScales, shape); !s.ok()) return s;
    params.weights = ViewOf(operands, kExpertScales);
  }
  params.shared_x = ViewOf(operands, kSharedExpertX);
  params.out = ViewOf(operands, kX);
  call->kind = TaskKind::kGraph;
  call->plan = MakeCombinePlan(params);
  return {};
}

}  // namespace

template <Operator op>
Status PrepareDispatch(Operands& operands, PreparedCall* call) {
  return PrepareDispatchAs(op, operands, call);
}
template Status PrepareDispatch<Operator::kDispatch>(Operands&, PreparedCall*);
template Status PrepareDispatch<Operator::kDispatchV2>(Operands&, PreparedCall*);
template Status PrepareDispatch<Operator::kDispatchV3>(Operands&, PreparedCall*);
template Status PrepareDispatch<Operator::kDispatchV4>(Operands&, PreparedCall*);

template <Operator op>
Status PrepareCombine(Operands& operands, PreparedCall* call) {
  return PrepareCombineAs(op, operands, call);
}
template Status PrepareCombine<Operator::kCombine>(Operands&, PreparedCall*);
template Status PrepareCombine<Operator::kCombineV2>(Operands&, PreparedCall*);
template Status PrepareCombine<Operator::kCombineNorm>(Operands&, PreparedCall*);
template Status PrepareCombine<Operator::kCombineV3>(Operands&, PreparedCall*);
template Status PrepareCombine<Operator::kCombineNormV2>(Operands&, PreparedCall*);
template Status PrepareCombine<Operator::kCombineV4>(Operands&, PreparedCall*);

}  // namespace anyacl::moe_distribute
