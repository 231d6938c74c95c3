// SPDX-License-Identifier: Apache-2.0
// Tokens' rows in the order of their experts, which are numbers or a map. One thread says which
// token a row is; all threads copy rows.
#include <algorithm>
#include <string>
#include <utility>

#include "nnop/copy.h"
#include "nnop/copy_runs.h"
#include "nnop/integers.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/moe/links.h"
#include "ops/moe/permute_checks.h"
#include "ops/moe/sorted_places.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

struct PermuteParams {
  TensorView tokens{}, permuted{}, indices{}, map{}, probs{}, permuted_probs{}, places{};
  int64_t rows = 0;        // of permuted
  int64_t first = 0;       // which of the sorted places its first row is
  int64_t per_token = 1;   // places of a token
  int64_t per_expert = 0;  // rows of an expert; above 0: padded
};

// A row of `view` as dimensions that do not merge.
TensorView RowOf(const TensorView& view) {
  TensorView row = WithoutDim(view, 0);
  row.offset = 0;
  CoalesceInOrder({&row, 1});
  return row;
}

// From a row of one tensor to one of another, or zeros.
class RowCopy {
 public:
  RowCopy(const TensorView& to, const TensorView& from)
      : to_(to),
        from_(from),
        copy_(CopyOf(to, from)),
        zeros_(FillLoopsOf(RowOf(to))),
        dense_(RowOf(to).IsContiguous() && RowOf(from).IsContiguous()),
        bytes_(RowOf(to).elements() * BytesOf(to)) {}

  int64_t bytes() const { return bytes_; }
  void Copy(const Bindings& bindings, int64_t row, int64_t from_row) const {
    char* const to = At(bindings, to_, row);
    const char* const from = At(bindings, from_, from_row);
    if (dense_) return CopyRun(to, from, bytes_);
    copy_.Run(to, from);
  }
  void Clear(const Bindings& bindings, int64_t row) const {
    static constexpr char kZeros[8] = {};
    zeros_.Run(At(bindings, to_, row), kZeros);
  }

 private:
  static char* At(const Bindings& bindings, const TensorView& view, int64_t row) {
    return view.Address(bindings) + row * view.strides[0] * BytesOf(view);
  }
  // Rows of several steps have equal shapes (CheckRowShapes); those of one may be cut differently.
  static CopyLoops CopyOf(const TensorView& to, const TensorView& from) {
    TensorView views[] = {WithoutDim(to, 0), WithoutDim(from, 0)};
    for (TensorView& view : views) view.offset = 0;
    if (ShapeOf(views[0]) == ShapeOf(views[1])) return LoopsOf(views[0], views[1]);
    return LoopsOf(RowOf(to), RowOf(from));
  }

  const TensorView to_, from_;
  const StridedCopy copy_, zeros_;
  const bool dense_;
  const int64_t bytes_;
};

class PermutePlan final : public BookedPlan {
 public:
  explicit PermutePlan(const PermuteParams& params) : p_(params), copy_(p_.permuted, p_.tokens) {
    const auto places = static_cast<size_t>(p_.places.sizes[0]);
    if (p_.indices.given()) {
      placed_ = book_.Book<Placed>(places);
      other_ = book_.Book<Placed>(places);
    } else {
      begins_ = book_.Book<int64_t>(static_cast<size_t>(p_.map.sizes[1]));
    }
    if (p_.map.given() || p_.probs.given()) {
      experts_ = book_.Book<int32_t>(static_cast<size_t>(p_.rows));
    }
    tokens_ = book_.Book<int32_t>(static_cast<size_t>(p_.rows));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    int32_t* const tokens = tokens_.In(bindings);
    if (Status s = p_.indices.given()  ? SortIndices(bindings, tokens)
                   : p_.per_expert > 0 ? FillExperts(bindings, tokens)
                                       : FollowMap(bindings, tokens);
        !s.ok()) {
      return s;
    }
    if (p_.probs.given()) {
      const int32_t* const experts = experts_.In(bindings);
      GatherFactors(bindings, p_.probs, p_.permuted_probs, p_.rows,
                    [&](int64_t i) { return std::pair(tokens[i], experts[i]); });
    }
    constexpr int64_t kWorth = 1 << 16;  // bytes: 5 us
    ParallelFor(p_.rows, std::max<int64_t>(1, kWorth / std::max<int64_t>(1, copy_.bytes())),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; ++i) {
                    tokens[i] < 0 ? copy_.Clear(bindings, i) : copy_.Copy(bindings, i, tokens[i]);
                  }
                });
    return {};
  }

 private:
  Status SortIndices(const Bindings& bindings, int32_t* tokens) const {
    Placed* const placed = placed_.In(bindings);
    const int64_t count = p_.places.sizes[0];
    for (int64_t i = 0; i < count; ++i) {
      const char* const at =
          p_.indices.Address(bindings) + p_.indices.OffsetOf(i) * BytesOf(p_.indices);
      const int64_t expert = p_.indices.dtype == ACL_INT64 ? LoadElement<int64_t>(at)
                                                           : int64_t{LoadElement<int32_t>(at)};
      if (expert < INT32_MIN || expert > INT32_MAX) {
        return Fail(ACL_ERROR_RT_AICORE_EXCEPTION, "indices[{}] = {}, expected {} to {}", i, expert,
                    INT32_MIN, INT32_MAX);
      }
      placed[i] = Placed::Of(static_cast<int32_t>(expert), i);
    }
    SortPlaced(placed, other_.In(bindings), count);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t place = placed[i].place(), row = i - p_.first;
      WriteInteger(bindings, p_.places, place, i);
      if (row < 0 || row >= p_.rows) continue;
      tokens[row] = static_cast<int32_t>(place / p_.per_token);
      // The column of its factor.
      if (p_.probs.given()) experts_.In(bindings)[row] = static_cast<int32_t>(place % p_.per_token);
    }
    return {};
  }

  // An expert's rows: the tokens that go to it, then the others, as many as there is room for.
  Status FillExperts(const Bindings& bindings, int32_t* tokens) const {
    int32_t* const experts = experts_.In(bindings);
    const int64_t most = p_.per_expert;
    int64_t* const filled = begins_.In(bindings);
    std::fill_n(filled, p_.map.sizes[1], int64_t{0});
    const ExpertMap map(p_.map, bindings);
    for (const bool wanted : {true, false}) {
      for (int64_t t = 0; t < map.tokens(); ++t) {
        for (int64_t e = 0; e < map.experts(); ++e) {
          if (map.At(t, e) != wanted || filled[e] == most) continue;
          tokens[e * most + filled[e]++] = static_cast<int32_t>(t);
        }
      }
    }
    for (int64_t i = 0; i < p_.rows; ++i) {
      experts[i] = static_cast<int32_t>(i / most);
      WriteInteger(bindings, p_.places, i, tokens[i]);
    }
    return {};
  }

  Status FollowMap(const Bindings& bindings, int32_t* tokens) const {
    int32_t* const experts = experts_.In(bindings);
    if (Status s = CheckExperts(ExpertMap(p_.map, bindings), "routingMap", p_.per_token); !s.ok()) {
      return s;
    }
    MapRows rows(p_.map, bindings, begins_.In(bindings));
    std::fill_n(tokens + rows.rows(), p_.rows - rows.rows(), -1);
    for (int64_t t = 0; t < p_.map.sizes[0]; ++t) {
      int64_t place = t * p_.per_token;
      rows.ForExperts(t, [&](int64_t expert, int64_t row) {
        WriteInteger(bindings, p_.places, place++, row);
        tokens[row] = static_cast<int32_t>(t);
        experts[row] = static_cast<int32_t>(expert);
      });
      while (place < (t + 1) * p_.per_token) WriteInteger(bindings, p_.places, place++, -1);
    }
    return {};
  }

  const PermuteParams p_;
  const RowCopy copy_;
  WorkspaceSlot<Placed> placed_, other_;
  WorkspaceSlot<int64_t> begins_;
  WorkspaceSlot<int32_t> tokens_, experts_;
};

// A row has as many elements as a token. Where the two are cut into different dimensions each must
// have one step.
Status CheckRowShapes(const Operands& operands) {
  const Dims& tokens = operands[kToken].shape();
  const Dims& rows = operands[kPermutedOut].shape();
  const int code = operands.spec().codes.shape;
  bool alike = tokens.rank() == rows.rank();
  for (size_t i = 1; alike && i < tokens.rank(); ++i) alike = tokens[i] == rows[i];
  // Nothing where a tensor has no rows and those it would have are too long.
  const auto elements = [](const Dims& shape) {
    Dims row;
    for (size_t i = 1; i < shape.rank(); ++i) row.push_back(shape[i]);
    return ElementCount(row);
  };
  const auto count = elements(tokens);
  if (!alike && (!count || elements(rows) != count)) {
    return Fail(code,
                "permuteTokensOut.shape = {}, expected {} elements in a row: tokens.shape = {}",
                rows.ToString(), count ? std::to_string(*count) : "as many", tokens.ToString());
  }
  for (int id : {kToken, kPermutedOut}) {
    if (alike || RowOf(ViewOf(operands, id)).rank <= 1) continue;
    return Fail(code, "{}.strides = {}, expected contiguous rows: {}.shape = {}, {}.shape = {}",
                operands.NameOf(id), operands[id].strides().ToString(), operands.NameOf(kToken),
                tokens.ToString(), operands.NameOf(kPermutedOut), rows.ToString());
  }
  return {};
}

Status CheckRowCount(const Operands& operands, int64_t rows, const char* reason) {
  const Dims& shape = operands[kPermutedOut].shape();
  if (shape[0] == rows) return {};
  return Fail(operands.spec().codes.shape, "permuteTokensOut.shape[0] = {}, expected {}: {}",
              shape[0], rows, reason);
}

}  // namespace

Status PrepareTokenPermute(Operands& operands, PreparedCall* call) {
  if (Status s = CheckRangedFactors(operands, kProbs, kPermutedProbs); !s.ok()) return s;
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  if (Status s = CheckUnpadded(operands); !s.ok()) return s;
  const int code = operands.spec().codes.shape;
  const Dims& indices = operands[kIndices].shape();
  const int64_t tokens = indices[0], per_token = indices.rank() == 2 ? indices[1] : 1;
  if (per_token > kMostPerToken) {
    return Fail(code, "indices.shape[1] = {}, expected at most {}", per_token, kMostPerToken);
  }
  const int64_t places = tokens * per_token, most = operands.Int(kOutTokens);
  RowRange range = {0, most > 0 ? std::min(most, places) : std::max<int64_t>(0, most + places)};
  const char* reason = "of numOutTokens and indices.shape";
  if (HasRange(operands)) {
    if (Status s = ReadRange(operands, places, &range); !s.ok()) return s;
    reason = "of rangeOptional";
  }
  const int64_t rows = range.end - range.begin;
  if (Status s = CheckRowCount(operands, rows, reason); !s.ok()) return s;
  if (operands.Given(kProbs)) {
    if (Status s = CheckShapeIs(operands, kProbs, indices); !s.ok()) return s;
  }
  if (Status s = CheckRowShapes(operands); !s.ok()) return s;
  if (Status s = CheckShapeIs(operands, kSortedIndices, {places}); !s.ok()) return s;
  if (Status s = CheckPlaces(operands, kSortedIndices); !s.ok()) return s;
  if (places == 0) return {};
  call->plan = std::make_shared<PermutePlan>(
      PermuteParams{.tokens = ViewOf(operands, kToken),
                    .permuted = ViewOf(operands, kPermutedOut),
                    .indices = ViewOf(operands, kIndices),
                    .probs = ViewOf(operands, kProbs),
                    .permuted_probs = ViewOf(operands, kPermutedProbs),
                    .places = ViewOf(operands, kSortedIndices),
                    .rows = rows,
                    .first = range.begin,
                    .per_token = per_token});
  return {};
}

Status PrepareTokenPermuteWithMap(Operands& operands, PreparedCall* call) {
  const bool has_probs = operands.Given(kProbs);
  if (has_probs != operands.Given(kPermutedProbs)) {
    return Fail(operands.spec().codes.null, "{} is {}null, expected {}: probsOptional is {}",
                operands.NameOf(kPermutedProbs), has_probs ? "" : "not ",
                has_probs ? "a tensor" : "null", has_probs ? "given" : "null");
  }
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const auto& codes = operands.spec().codes;
  if (Status s = CheckProbTypes(operands, kProbs, kToken, codes.dtype); !s.ok()) return s;
  const int code = codes.shape;
  const int64_t tokens = operands.Size("N"), experts = operands.Size("E");
  const int64_t wanted = operands.Int(kOutTokens);
  const bool pads = operands.Flag(kPadded);
  for (int dim : {0, 1}) {
    const int64_t size = operands[kMap].shape()[static_cast<size_t>(dim)];
    if (size < kMostSorted) continue;
    return Fail(code, "routingMap.shape[{}] = {}, expected less than {}", dim, size, kMostSorted);
  }
  if (wanted > tokens * experts) {
    return Fail(code, "numOutTokens is {}, expected at most {}: routingMap.shape = {}", wanted,
                tokens * experts, operands[kMap].shape().ToString());
  }
  const int64_t groups = std::max<int64_t>(1, pads ? experts : tokens);
  const int64_t each = wanted / groups, rows = each * groups;
  if (!pads && each > kMostPerToken) {
    return Fail(code, "numOutTokens is {}, expected at most {} for each of {} tokens", wanted,
                kMostPerToken, tokens);
  }
  if (Status s = CheckRowCount(operands, rows, "of numOutTokens and routingMap.shape"); !s.ok()) {
    return s;
  }
  if (Status s = CheckPlaces(operands, kSortedIndices); !s.ok()) return s;
  if (rows == 0) return {};
  PermuteParams params = {.tokens = ViewOf(operands, kToken),
                          .permuted = ViewOf(operands, kPermutedOut),
                          .map = ViewOf(operands, kMap),
                          .places = ViewOf(operands, kSortedIndices),
                          .rows = rows,
                          .per_token = each,
                          .per_expert = pads ? each : 0};
  if (has_probs) {
    params.probs = ViewOf(operands, kProbs);
    params.permuted_probs = ViewOf(operands, kPermutedProbs);
  }
  call->plan = std::make_shared<PermutePlan>(params);
  return {};
}

}  // namespace anyacl::moe
