// SPDX-License-Identifier: Apache-2.0
// Gradients of sums of permuted rows: of each row its token's gradient times its factor, and of
// each factor the sum of the gradient times the row, in fp32 by blocks and in double over them.
#include <algorithm>
#include <vector>

#include "nnop/integers.h"
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
  // What was added to rows: of each place's expert, beside probs alone.
  TensorView bias{}, expert{};
};

class GradientPlan final : public BookedPlan {
 public:
  explicit GradientPlan(const TokenGradientParams& params)
      : p_(params), rows_(p_.places.rows), length_(p_.tokens.sizes[1]) {
    links_ = book_.Book<Link>(static_cast<size_t>(p_.places.count()));
    by_row_ = book_.Book<int64_t>(static_cast<size_t>(rows_));
    if (p_.bias.given()) experts_ = book_.Book<int32_t>(static_cast<size_t>(p_.places.count()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    Link* const links = links_.In(bindings);
    int64_t* const by_row = by_row_.In(bindings);
    if (Status s = ReadLinks(p_.places, bindings, links); !s.ok()) return s;
    if (Status s = IndexByRow(p_.places, links, by_row); !s.ok()) return s;
    if (Status s = CheckFactors(links, by_row); !s.ok()) return s;
    if (Status s = ReadExperts(bindings); !s.ok()) return s;
    if (p_.probs_out.given()) ClearProbs(bindings);
    constexpr int64_t kWorth = 1 << 14;  // elements: 5 us
    const int64_t grain = std::max<int64_t>(1, kWorth / std::max<int64_t>(1, length_));
    ParallelFor(rows_, grain, [&](int64_t begin, int64_t end) {
      for (int64_t row = begin; row < end; ++row) {
        RunRow(bindings, row, by_row[row] < 0 ? Link{-1, -1, -1} : links[by_row[row]], by_row[row]);
      }
    });
    if (!p_.bias.given()) return {};
    ParallelFor(p_.places.count(), grain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        if (links[i].row < 0) RunLacking(bindings, links[i], i);
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

  // Whose bias each place had: data that is read once, for results may lie there.
  Status ReadExperts(const Bindings& bindings) const {
    for (int64_t i = 0; p_.bias.given() && i < p_.places.count(); ++i) {
      const int32_t expert = IntegerAt(bindings, p_.expert, i);
      if (expert < 0 || expert >= p_.bias.sizes[0]) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "expert {} of token {} is {}, expected 0 to {}",
                    i % p_.places.per_token, i / p_.places.per_token, expert, p_.bias.sizes[0] - 1);
      }
      experts_.In(bindings)[i] = expert;
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

  // Link: of the row, from `place`; without a token it takes no part in any sum.
  void RunRow(const Bindings& bindings, int64_t row, const Link& link, int64_t place) const {
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
        if (p_.bias.given()) {
          alignas(64) float bias[kPartBlock];
          LoadPart(bindings, p_.bias, experts_.In(bindings)[place], first, count, bias);
          Compute(elementwise::Op::kAdd, numbers, numbers, bias, count, 1);
        }
        sum += Kernels().rowwise.fp32.dot(gradient, numbers, count);
        Compute(elementwise::Op::kMulScalar, gradient, gradient, nullptr, count, factor);
      }
      StorePart(bindings, p_.permuted_out, row, first, count, gradient);
    }
    if (!has_factor) return;
    blocks::StoreOne(sum, p_.probs_out.dtype, ProbsAt(bindings, link.token, link.expert));
  }

  // The factor of a place whose row was dropped had the bias alone.
  void RunLacking(const Bindings& bindings, const Link& link, int64_t place) const {
    alignas(64) float gradient[kPartBlock], bias[kPartBlock];
    double sum = 0;
    for (int64_t first = 0; first < length_; first += kPartBlock) {
      const int64_t count = std::min(kPartBlock, length_ - first);
      LoadPart(bindings, p_.tokens, link.token, first, count, gradient);
      LoadPart(bindings, p_.bias, experts_.In(bindings)[place], first, count, bias);
      sum += Kernels().rowwise.fp32.dot(gradient, bias, count);
    }
    blocks::StoreOne(sum, p_.probs_out.dtype, ProbsAt(bindings, link.token, link.expert));
  }

  const TokenGradientParams p_;
  const int64_t rows_, length_;
  WorkspaceSlot<Link> links_;
  WorkspaceSlot<int64_t> by_row_;
  WorkspaceSlot<int32_t> experts_;  // by place
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
  if (params.permuted_out.rank == 2) params.places.rows = params.permuted_out.sizes[0];
  call->plan = std::make_shared<GradientPlan>(params);
  return {};
}

// What the gradient of a factor, and that of a bias in it, needs; nothing else has any effect.
Status CheckFinalizeFactors(Operands& operands) {
  const int code = operands.spec().codes.shape;
  const auto needed = [&](int id, int beside) {
    return Fail(code, "{} is null, expected a tensor as {} is given", operands.NameOf(id),
                operands.NameOf(beside));
  };
  if (!operands.Given(kProbs)) {
    for (int id : {kPermuted, kIndices, kRowBias, kProbsOut}) operands.Drop(id);
    return {};
  }
  if (!operands.Given(kPermuted)) return needed(kPermuted, kProbs);
  if (!operands.Given(kRowBias)) {
    operands.Drop(kIndices);
  } else if (!operands.Given(kIndices)) {
    return needed(kIndices, kRowBias);
  }
  return CheckBeside(operands, kProbsOut, kProbs);
}

// The gradient's shape: as many rows as are left, or so many for each expert.
Status CheckFinalizeRows(const Operands& operands, int64_t* rows) {
  const int code = operands.spec().codes.shape;
  const int64_t places = operands[kSortedIndices].shape()[0], active = operands.Int(kOutTokens);
  const int64_t length = operands.Size("H");
  *rows = active > 0 ? std::min(active, places) : places;
  Dims expected = {*rows, length};
  if (operands.Flag(kPadded)) {
    const int64_t experts = operands.Int(kExpertCount), each = operands.Int(kRowsPerExpert);
    for (int id : {kExpertCount, kRowsPerExpert}) {
      if (operands.Int(id) > 0) continue;
      return Fail(code, "{} is {}, expected at least 1: dropPadMode is 1", operands.NameOf(id),
                  operands.Int(id));
    }
    if (each > kMostPlaces / experts) {
      return Fail(code, "expertNum is {} and expertCapacity is {}, expected at most {} rows",
                  experts, each, kMostPlaces);
    }
    *rows = experts * each;
    expected = {experts, each, length};
    if (operands.Given(kRowBias)) {
      if (Status s = CheckShapeIs(operands, kRowBias, {experts, length}); !s.ok()) return s;
    }
  }
  if (operands.Given(kPermuted)) {
    if (Status s = CheckShapeIs(operands, kPermuted, expected); !s.ok()) return s;
  }
  return CheckShapeIs(operands, kPermutedOut, expected);
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
  int64_t per_token = has_probs ? operands[kProbs].shape()[1] : 1;
  const char* name = "probsOptional.shape[1]";
  if (!has_probs && operands.HasRow(kTopK)) {
    per_token = operands.Int(kTopK);
    name = operands.NameOf(kTopK);
  }
  if (Status s = CheckCount(operands, operands.Size("N"), per_token, name); !s.ok()) return s;
  RowRange range;
  if (Status s = CheckRange(operands, kPermutedOut, &range); !s.ok()) return s;
  if (has_probs) {
    if (Status s = CheckShapeIs(operands, kProbsOut, operands[kProbs].shape()); !s.ok()) return s;
  }
  if (operands[kPermutedOut].shape()[0] == 0 && operands[kSortedIndices].IsEmpty()) return {};
  return MakePlan(operands,
                  {.places = {.places = ViewOf(operands, kSortedIndices),
                              .name = operands.NameOf(kSortedIndices),
                              .range = range,
                              .per_token = per_token}},
                  call);
}

Status PrepareFinalizeRoutingV2Grad(Operands& operands, PreparedCall* call) {
  if (Status s = CheckFinalizeFactors(operands); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const bool has_probs = operands.Given(kProbs), pads = operands.Flag(kPadded);
  const int64_t per_token = has_probs ? operands[kProbs].shape()[1] : 1;
  if (Status s = CheckTokens(operands, operands.Size("N"), per_token); !s.ok()) return s;
  int64_t rows = 0;
  if (Status s = CheckFinalizeRows(operands, &rows); !s.ok()) return s;
  if (operands[kPermutedOut].IsEmpty() && operands[kSortedIndices].IsEmpty()) return {};
  return MakePlan(operands,
                  {.places = {.places = ViewOf(operands, kSortedIndices),
                              .name = operands.NameOf(kSortedIndices),
                              .rows = rows,
                              .named = pads ? rows : -1,
                              .per_token = per_token,
                              .may_lack = pads},
                   .bias = ViewOf(operands, kRowBias),
                   .expert = ViewOf(operands, kIndices)},
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
