// SPDX-License-Identifier: Apache-2.0
// Gradients of sums of permuted rows: of each row its token's gradient times its factor, and of
// each factor the sum of the gradient times the row, in fp32 by blocks and in double over them.
#include <algorithm>
#include <vector>

#include "nnop/workspace.h"
#include "ops/moe/links.h"
#include "ops/moe/permute_checks.h"
#include "ops/moe/row_parts.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

struct TokenGradientParams {
  Places places;
  TensorView tokens{}, permuted{}, probs{}, permuted_out{}, probs_out{};
};

class GradientPlan final : public BookedPlan {
 public:
  explicit GradientPlan(const TokenGradientParams& params)
      : p_(params), rows_(p_.permuted_out.sizes[0]), length_(p_.permuted_out.sizes[1]) {
    links_ = book_.Book<Link>(static_cast<size_t>(p_.places.count()));
    by_row_ = book_.Book<int64_t>(static_cast<size_t>(rows_));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Link* const links = links_.In(bindings);
    int64_t* const by_row = by_row_.In(bindings);
    if (Status s = ReadLinks(p_.places, bindings, links); !s.ok()) return s;
    if (Status s = IndexByRow(p_.places, links, by_row); !s.ok()) return s;
    if (Status s = CheckFactors(links, by_row); !s.ok()) return s;
    if (p_.probs_out.given()) ClearProbs(bindings);
    constexpr int64_t kWorth = 1 << 14;  // elements: 5 us
    ParallelFor(rows_, std::max<int64_t>(1, kWorth / std::max<int64_t>(1, length_)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row) {
                    RunRow(bindings, row, by_row[row] < 0 ? Link{-1, -1, -1} : links[by_row[row]]);
                  }
                });
    return {};
  }

 private:
  // A token that an expert has twice would have two gradients of one factor.
  Status CheckFactors(const Link* links, const int64_t* by_row) const {
    if (!p_.probs_out.given() || p_.places.per_expert == 0) return {};
    std::vector<int32_t> tokens;
    for (int64_t begin = 0; begin < rows_; begin += p_.places.per_expert) {
      tokens.clear();
      for (int64_t row = begin; row < begin + p_.places.per_expert; ++row) {
        if (by_row[row] >= 0) tokens.push_back(links[by_row[row]].token);
      }
      std::sort(tokens.begin(), tokens.end());
      const auto twice = std::adjacent_find(tokens.begin(), tokens.end());
      if (twice == tokens.end()) continue;
      return Fail(ACL_ERROR_RT_AICORE_EXCEPTION,
                  "{} has token {} twice for expert {}, expected once", p_.places.token_name,
                  *twice, begin / p_.places.per_expert);
    }
    return {};
  }

  void ClearProbs(const Bindings& bindings) const {
    const int64_t bytes = BytesOf(p_.probs_out);
    for (int64_t t = 0; t < p_.probs_out.sizes[0]; ++t) {
      for (int64_t e = 0; e < p_.probs_out.sizes[1]; ++e) {
        std::fill_n(ProbsAt(bindings, t, e), bytes, char{0});
      }
    }
  }
  char* ProbsAt(const Bindings& bindings, int64_t token, int64_t expert) const {
    const int64_t at = token * p_.probs_out.strides[0] + expert * p_.probs_out.strides[1];
    return p_.probs_out.Address(bindings) + at * BytesOf(p_.probs_out);
  }

  // Link: of the row; without a token it takes no part in any sum.
  void RunRow(const Bindings& bindings, int64_t row, const Link& link) const {
    alignas(64) float gradient[kPartBlock];
    alignas(64) float numbers[kPartBlock];
    const bool weighs = p_.probs.given();
    const bool has_factor = weighs && link.token >= 0 && link.expert >= 0;
    const float factor = has_factor ? NumberAt(bindings, p_.probs, link.token, link.expert)
                         : weighs   ? 0.0f
                                    : 1.0f;
    double sum = 0;
    for (int64_t first = 0; first < length_; first += kPartBlock) {
      const int64_t count = std::min(kPartBlock, length_ - first);
      if (link.token < 0 || (weighs && !has_factor)) {
        std::fill_n(numbers, count, 0.0f);
        StorePart(bindings, p_.permuted_out, row, first, count, numbers);
        continue;
      }
      LoadPart(bindings, p_.tokens, link.token, first, count, gradient);
      if (has_factor) {
        LoadPart(bindings, p_.permuted, row, first, count, numbers);
        sum += Kernels().rowwise.fp32.dot(gradient, numbers, count);
        Compute(elementwise::Op::kMulScalar, gradient, gradient, nullptr, count, factor);
      }
      StorePart(bindings, p_.permuted_out, row, first, count, gradient);
    }
    if (!has_factor) return;
    blocks::StoreOne(sum, p_.probs_out.dtype, ProbsAt(bindings, link.token, link.expert));
  }

  const TokenGradientParams p_;
  const int64_t rows_, length_;
  WorkspaceSlot<Link> links_;
  WorkspaceSlot<int64_t> by_row_;
};

Status MakePlan(const Operands& operands, TokenGradientParams params, PreparedCall* call) {
  params.tokens = ViewOf(operands, kToken);
  params.permuted_out = ViewOf(operands, kPermutedOut);
  if (operands.Given(kProbs)) {
    params.permuted = ViewOf(operands, kPermuted);
    params.probs = ViewOf(operands, kProbs);
    params.probs_out = ViewOf(operands, kProbsOut);
  }
  params.places.tokens = params.tokens.sizes[0];
  params.places.rows = params.permuted_out.sizes[0];
  call->plan = std::make_shared<GradientPlan>(params);
  return {};
}

}  // namespace

Status PrepareTokenUnpermuteGrad(Operands& operands, PreparedCall* call) {
  const bool has_probs = operands.Given(kProbs);
  if (has_probs) {
    for (int id : {kPermuted, kProbsOut}) {
      if (Status s = CheckBeside(operands, id, kProbs); !s.ok()) return s;
    }
  } else {
    // torch_npu passes a number.
    operands.Drop(kProbsOut);
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckUnpadded(operands); !s.ok()) return s;
  const int64_t per_token = has_probs ? operands[kProbs].shape()[1] : 1;
  if (Status s = CheckCount(operands, operands.Size("N"), per_token); !s.ok()) return s;
  if (Status s = CheckRows(operands, kPermutedOut); !s.ok()) return s;
  if (has_probs) {
    if (Status s = CheckShapeIs(operands, kProbsOut, operands[kProbs].shape()); !s.ok()) return s;
  }
  if (operands[kSortedIndices].shape()[0] == 0) return {};
  return MakePlan(operands,
                  {.places = {.places = ViewOf(operands, kSortedIndices),
                              .name = operands.NameOf(kSortedIndices),
                              .per_token = per_token}},
                  call);
}

Status PrepareTokenUnpermuteWithMapGrad(Operands& operands, PreparedCall* call) {
  const bool has_probs = operands.Given(kProbs), pads = operands.Flag(kPadded);
  const int code = operands.spec().codes.shape;
  if (has_probs) {
    for (int id : {kMap, kPermuted, kProbsOut}) {
      if (operands.Given(id)) continue;
      return Fail(id == kProbsOut ? operands.spec().codes.null : code,
                  "{} is null, expected a tensor as probsOptional is given", operands.NameOf(id));
    }
  } else {
    for (int id : {kMap, kPermuted, kProbsOut}) operands.Drop(id);
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckProbTypes(operands, kProbs, kToken, code); !s.ok()) return s;
  const int64_t tokens = operands.Size("N"), places = operands[kIndices].shape()[0];
  TokenGradientParams params = {.places = {.places = ViewOf(operands, kIndices),
                                           .name = operands.NameOf(kIndices),
                                           .may_lack = true}};
  if (pads) {
    if (Status s = CheckPlaces(operands, kIndices); !s.ok()) return s;
    const int64_t experts = has_probs ? operands.Size("E") : 1;
    if (experts == 0 || places % experts != 0) {
      return Fail(code, "outIndex.shape[0] = {}, expected a multiple of {} experts", places,
                  experts);
    }
    const int64_t capacity = places / experts;
    if (has_probs && capacity > tokens) {
      return Fail(code, "outIndex.shape[0] = {}, expected at most {} for each of {} experts",
                  places, tokens, experts);
    }
    params.places.per_expert = std::max<int64_t>(1, capacity);
    params.places.token_ids = ViewOf(operands, kTokenIds);
    params.places.token_name = operands.NameOf(kTokenIds);
  } else {
    if (Status s = CheckPerToken(operands, kIndices, tokens, code, &params.places.per_token);
        !s.ok()) {
      return s;
    }
    if (has_probs) {
      const int64_t experts = operands.Size("E");
      if (params.places.per_token > experts) {
        return Fail(code, "outIndex.shape[0] = {}, expected at most {} for each of {} tokens",
                    places, experts, tokens);
      }
      params.places.map = ViewOf(operands, kMap);
      params.places.map_name = operands.NameOf(kMap);
    }
  }
  if (places == 0 && !has_probs) return {};
  return MakePlan(operands, params, call);
}

}  // namespace anyacl::moe
