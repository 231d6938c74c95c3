// SPDX-License-Identifier: Apache-2.0
// Permuted rows added up by token: in fp32, in the order of a token's places or, of padded rows, of
// its experts, and rounded once.
#include <algorithm>
#include <utility>

#include "nnop/copy_runs.h"
#include "nnop/integers.h"
#include "nnop/ordered_plan.h"
#include "nnop/workspace.h"
#include "ops/moe/links.h"
#include "ops/moe/permute_checks.h"
#include "ops/moe/row_parts.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

struct TokenSumParams {
  Places places;
  TensorView permuted{}, probs{}, out{};
  // Results that the gradient of the sum is told.
  TensorView rows{}, token_ids{}, permuted_probs{};
};

class SumPlan final : public BookedPlan {
 public:
  explicit SumPlan(const TokenSumParams& params)
      : p_(params), tokens_(p_.out.sizes[0]), length_(p_.out.sizes[1]) {
    const auto count = static_cast<size_t>(p_.places.count());
    links_ = book_.Book<Link>(count);
    if (!padded()) return;
    sorted_ = book_.Book<Link>(count);
    begins_ = book_.Book<int64_t>(static_cast<size_t>(tokens_ + 1));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Link* const links = links_.In(bindings);
    if (Status s = ReadLinks(p_.places, bindings, links); !s.ok()) return s;
    if (p_.permuted_probs.given()) {
      GatherFactors(bindings, p_.probs, p_.permuted_probs, p_.places.count(),
                    [&](int64_t i) { return std::pair(links[i].token, links[i].expert); });
    }
    const Link* by_token = links;
    if (padded()) {
      SortByToken(links, p_.places.count(), tokens_, begins_.In(bindings), sorted_.In(bindings));
      by_token = sorted_.In(bindings);
    }
    if (p_.rows.given()) WriteOrder(bindings, by_token);
    const int64_t blocks = (length_ + kPartBlock - 1) / kPartBlock;
    constexpr int64_t kWorth = 1 << 14;  // elements: 5 us
    const int64_t each = p_.places.count() / std::max<int64_t>(1, tokens_);
    const int64_t work = std::min(length_, kPartBlock) * (each + 1);
    ParallelFor(tokens_ * blocks, std::max<int64_t>(1, kWorth / std::max<int64_t>(1, work)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    RunBlock(bindings, by_token, i / blocks, i % blocks * kPartBlock);
                  }
                });
    return {};
  }

 private:
  bool padded() const { return p_.places.per_expert > 0; }

  void WriteOrder(const Bindings& bindings, const Link* by_token) const {
    for (int64_t i = 0; i < p_.places.count(); ++i) {
      const int64_t row = padded() ? by_token[i].row : IntegerAt(bindings, p_.places.places, i);
      WriteInteger(bindings, p_.rows, i, row);
      WriteInteger(bindings, p_.token_ids, i, by_token[i].token);
    }
  }

  void RunBlock(const Bindings& bindings, const Link* by_token, int64_t token,
                int64_t first) const {
    alignas(64) float sum[kPartBlock];
    alignas(64) float numbers[kPartBlock];
    const int64_t count = std::min(kPartBlock, length_ - first);
    std::fill_n(sum, count, 0.0f);
    int64_t begin = token * p_.places.per_token, end = begin + p_.places.per_token;
    if (padded()) {
      begin = begins_.In(bindings)[token];
      end = begins_.In(bindings)[token + 1];
    }
    for (int64_t i = begin; i < end; ++i) {
      const Link link = by_token[i];
      if (link.row < 0 || (p_.probs.given() && link.expert < 0)) continue;
      const float factor =
          p_.probs.given() ? NumberAt(bindings, p_.probs, link.token, link.expert) : 1;
      LoadPart(bindings, p_.permuted, link.row, first, count, numbers);
      Compute(elementwise::Op::kAddScaled, sum, sum, numbers, count, factor);
    }
    StorePart(bindings, p_.out, token, first, count, sum);
  }

  const TokenSumParams p_;
  const int64_t tokens_, length_;
  WorkspaceSlot<Link> links_, sorted_;
  WorkspaceSlot<int64_t> begins_;
};

// The factors' gradient where a map's tokens and experts, or without a map places, have a row, else
// 0. Checks all data that the sum of the same places takes, so that it may run before that.
class SpreadPlan final : public BookedPlan {
 public:
  SpreadPlan(const Places& places, const TensorView& from, const TensorView& to)
      : places_(places), from_(from), to_(to) {
    begins_ = book_.Book<int64_t>(static_cast<size_t>(to.sizes[1]));
    links_ = book_.Book<Link>(static_cast<size_t>(places.count()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Link* const links = links_.In(bindings);
    const int64_t tokens = to_.sizes[0], experts = to_.sizes[1];
    if (Status s = ReadLinks(places_, bindings, links); !s.ok()) return s;
    static constexpr char kZeros[8] = {};
    for (int64_t t = 0; t < tokens; ++t) {
      for (int64_t e = 0; e < experts; ++e) Move(bindings, kZeros, t, e);
    }
    if (places_.per_expert > 0 || !places_.map.given()) {
      for (int64_t i = 0; i < places_.count(); ++i) {
        const auto& [token, row, expert] = links[i];
        if (row >= 0) Move(bindings, From(bindings, row), token, expert);
      }
      return {};
    }
    MapRows rows(places_.map, bindings, begins_.In(bindings));
    for (int64_t t = 0; t < tokens; ++t) {
      rows.ForExperts(
          t, [&](int64_t expert, int64_t row) { Move(bindings, From(bindings, row), t, expert); });
    }
    return {};
  }

 private:
  const char* From(const Bindings& bindings, int64_t row) const {
    return from_.Address(bindings) + row * from_.strides[0] * BytesOf(from_);
  }
  void Move(const Bindings& bindings, const char* from, int64_t token, int64_t expert) const {
    const int64_t at = token * to_.strides[0] + expert * to_.strides[1];
    std::copy_n(from, BytesOf(to_), to_.Address(bindings) + at * BytesOf(to_));
  }

  const Places places_;
  const TensorView from_, to_;
  WorkspaceSlot<int64_t> begins_;
  WorkspaceSlot<Link> links_;
};

Places PlacesOf(const Operands& operands, int64_t per_token, const RowRange& range = {}) {
  return {.places = ViewOf(operands, kSortedIndices),
          .name = operands.NameOf(kSortedIndices),
          .tokens = operands[kTokenOut].shape()[0],
          .rows = operands[kPermuted].shape()[0],
          .range = range,
          .per_token = per_token};
}

TokenSumParams ParamsOf(const Operands& operands, const Places& places) {
  return {.places = places,
          .permuted = ViewOf(operands, kPermuted),
          .probs = ViewOf(operands, kProbs),
          .out = ViewOf(operands, kTokenOut)};
}

// An expert's rows: as many for each.
Status CheckPerExpert(const Operands& operands, int64_t experts, int64_t* per_expert) {
  const int64_t places = operands[kSortedIndices].shape()[0], rows = operands[kPermuted].shape()[0];
  if (Status s = CheckPlaces(operands, kSortedIndices); !s.ok()) return s;
  if (rows != places) {
    return Fail(operands.spec().codes.shape, "{}.shape[0] = {}, expected {}: {}.shape[0]",
                operands.NameOf(kPermuted), rows, places, operands.NameOf(kSortedIndices));
  }
  *per_expert = std::max<int64_t>(1, experts > 0 ? places / experts : places);
  if (experts == 0 || places % experts == 0) return {};
  return Fail(operands.spec().codes.shape, "{}.shape[0] = {}, expected a multiple of {} experts",
              operands.NameOf(kSortedIndices), places, experts);
}

}  // namespace

Status PrepareTokenPermuteGrad(Operands& operands, PreparedCall* call) {
  if (Status s = CheckRangedFactors(operands, kPermutedProbs, kProbsOut); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckUnpadded(operands); !s.ok()) return s;
  RowRange range;
  if (Status s = CheckRange(operands, kPermuted, &range); !s.ok()) return s;
  const int64_t per_token = operands.Int(kTopK);
  if (Status s = CheckCount(operands, operands.Size("N"), per_token); !s.ok()) return s;
  const Places places = PlacesOf(operands, per_token, range);
  std::vector<std::shared_ptr<const Plan>> plans;
  if (operands.Given(kPermutedProbs)) {
    if (Status s = CheckRange(operands, kPermutedProbs, &range); !s.ok()) return s;
    Places factors = places;
    factors.rows = operands[kPermutedProbs].shape()[0];
    plans.push_back(std::make_shared<SpreadPlan>(factors, ViewOf(operands, kPermutedProbs),
                                                 ViewOf(operands, kProbsOut)));
  }
  if (!operands[kTokenOut].IsEmpty()) {
    plans.push_back(std::make_shared<SumPlan>(ParamsOf(operands, places)));
  }
  if (!plans.empty()) call->plan = InOrder(std::move(plans));
  return {};
}

Status PrepareInitRoutingV2Grad(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const bool pads = operands.Flag(kPadded);
  const Dims& permuted = operands[kPermuted].shape();
  if (permuted.rank() != (pads ? 3 : 2)) {
    return Fail(code, "gradExpandedX.shape = {}, expected rank {}: dropPadMode is {}",
                permuted.ToString(), pads ? 3 : 2, operands.Int(kPadded));
  }
  const int64_t active = operands.Int(kOutTokens), places = operands[kSortedIndices].shape()[0];
  if (!pads && permuted[0] != (active > 0 ? active : places)) {
    return Fail(code, "gradExpandedX.shape[0] = {}, expected {}: {}", permuted[0],
                active > 0 ? active : places, active > 0 ? "activeNum" : "expandedRowIdx.shape[0]");
  }
  const int64_t per_token = operands.Int(kTopK);
  if (Status s = CheckTokens(operands, operands.Size("N"), per_token); !s.ok()) return s;
  if (operands[kTokenOut].IsEmpty()) return {};
  TokenSumParams params = ParamsOf(operands, PlacesOf(operands, per_token));
  if (pads) {
    params.places.rows = params.permuted.elements() / params.out.sizes[1];
    params.places.named = params.places.rows;
    params.places.may_lack = true;
  }
  call->plan = std::make_shared<SumPlan>(params);
  return {};
}

Status PrepareTokenUnpermute(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckUnpadded(operands); !s.ok()) return s;
  RowRange range;
  if (Status s = CheckRange(operands, kPermuted, &range); !s.ok()) return s;
  const bool has_probs = operands.Given(kProbs);
  int64_t per_token = has_probs ? operands[kProbs].shape()[1] : 1;
  const char* name = "probsOptional.shape[1]";
  if (HasRange(operands)) {
    if (has_probs && operands.Int(kTopK) != per_token) {
      return Fail(operands.spec().codes.shape, "numTopk is {}, expected {}: {}",
                  operands.Int(kTopK), per_token, name);
    }
    per_token = operands.Int(kTopK);
    name = "numTopk";
  }
  if (Status s = CheckCount(operands, operands.Size("N"), per_token, name); !s.ok()) return s;
  if (operands[kTokenOut].IsEmpty()) return {};
  call->plan = std::make_shared<SumPlan>(ParamsOf(operands, PlacesOf(operands, per_token, range)));
  return {};
}

Status PrepareTokenPermuteWithMapGrad(Operands& operands, PreparedCall* call) {
  const CheckCodes& codes = operands.spec().codes;
  if (Status s = CheckBeside(operands, kMap, kPermutedProbs); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckProbTypes(operands, kPermutedProbs, kPermuted, codes.dtype); !s.ok()) {
    return s;
  }
  const int64_t tokens = operands.Int(kTokenCount), experts = operands.Int(kExpertCount);
  const bool pads = operands.Flag(kPadded);
  Places places = PlacesOf(operands, 0);
  places.may_lack = true;
  if (pads) {
    if (Status s = CheckPerExpert(operands, experts, &places.per_expert); !s.ok()) return s;
  } else {
    if (Status s = CheckPerToken(operands, kSortedIndices, tokens, codes.shape, &places.per_token);
        !s.ok()) {
      return s;
    }
  }
  std::vector<std::shared_ptr<const Plan>> plans;
  if (operands.Given(kPermutedProbs) && operands.Given(kProbsOut)) {
    Places mapped = places;
    mapped.map = ViewOf(operands, kMap);
    mapped.map_name = operands.NameOf(kMap);
    plans.push_back(std::make_shared<SpreadPlan>(mapped, ViewOf(operands, kPermutedProbs),
                                                 ViewOf(operands, kProbsOut)));
  }
  if (!operands[kTokenOut].IsEmpty()) {
    plans.push_back(std::make_shared<SumPlan>(ParamsOf(operands, places)));
  }
  if (!plans.empty()) call->plan = InOrder(std::move(plans));
  return {};
}

Status PrepareTokenUnpermuteWithMap(Operands& operands, PreparedCall* call) {
  const bool pads = operands.Flag(kPadded), has_probs = operands.Given(kProbs);
  const CheckCodes& codes = operands.spec().codes;
  if (!has_probs && !operands.Given(kRestored)) {
    return Fail(codes.null, "restoreShapeOptional is null, expected an array as probsOptional is");
  }
  if (has_probs) {
    if (Status s = CheckBeside(operands, kPermutedProbs, kProbs); !s.ok()) return s;
    if (!pads) {
      if (Status s = CheckBeside(operands, kMap, kProbs); !s.ok()) return s;
    }
  } else {
    // Without effect, as torch_npu passes it.
    operands.Drop(kMap);
    operands.Drop(kPermutedProbs);
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckProbTypes(operands, kProbs, kPermuted, codes.dtype); !s.ok()) return s;
  const Dims& out = operands[kTokenOut].shape();
  if (operands.Given(kRestored)) {
    const std::span<const int64_t> shape = operands.Ints(kRestored);
    if (shape.size() != 2) {
      return Fail(codes.shape, "restoreShapeOptional has size {}, expected 2", shape.size());
    }
    if (shape[0] != out[0] || shape[1] != out[1]) {
      return Fail(codes.shape,
                  "unpermutedTokens.shape = {}, expected restoreShapeOptional = [{}, {}]",
                  out.ToString(), shape[0], shape[1]);
    }
  }
  Places places = PlacesOf(operands, 0);
  places.may_lack = true;
  if (pads) {
    const int64_t experts = has_probs ? operands.Size("E") : 0;
    if (Status s = CheckPerExpert(operands, experts, &places.per_expert); !s.ok()) return s;
  } else {
    if (Status s = CheckRows(operands, kPermuted); !s.ok()) return s;
    const int code = operands.spec().constraint_code;
    if (Status s = CheckPerToken(operands, kSortedIndices, out[0], code, &places.per_token);
        !s.ok()) {
      return s;
    }
    if (has_probs) {
      places.map = ViewOf(operands, kMap);
      places.map_name = operands.NameOf(kMap);
    }
  }
  TokenSumParams params = ParamsOf(operands, places);
  params.rows = ViewOf(operands, kIndices);
  params.token_ids = ViewOf(operands, kTokenIds);
  params.permuted_probs = ViewOf(operands, kPermutedProbs);
  call->plan = std::make_shared<SumPlan>(params);
  return {};
}

}  // namespace anyacl::moe
