// SPDX-License-Identifier: Apache-2.0
// Tokens that ranks sent, each rank's by expert, brought into the order of the experts, an expert's
// by rank. One thread says where each row comes from; all threads copy rows.
#include <algorithm>

#include "nnop/copy_runs.h"
#include "nnop/integers.h"
#include "nnop/workspace.h"
#include "ops/blocks/blocks.h"
#include "ops/moe/operators.h"
#include "ops/moe/routed_rows.h"
#include "runtime/parallel.h"

namespace anyacl::moe {
namespace {

struct ReRoutingParams {
  TensorView counts, place, totals;
  RoutedRows rows;
};

class ReRoutingPlan final : public BookedPlan {
 public:
  explicit ReRoutingPlan(const ReRoutingParams& params) : p_(params) {
    counts_ = book_.Book<int64_t>(static_cast<size_t>(ranks() * experts()));
    next_ = book_.Book<int64_t>(static_cast<size_t>(experts()));
    from_ = book_.Book<int64_t>(static_cast<size_t>(tokens()));
  }

  Status Run(const Bindings& bindings, const StopToken&) const override {
    const int64_t rows = ReadCounts(bindings);
    int64_t* const from = from_.In(bindings);
    int64_t* const next = next_.In(bindings);
    const int64_t* count = counts_.In(bindings);
    for (int64_t token = 0, rank = 0; rank < ranks(); ++rank) {
      for (int64_t expert = 0; expert < experts(); ++expert, ++count) {
        for (const int64_t end = next[expert] + *count; next[expert] < end; ++token) {
          from[next[expert]++] = token;
        }
      }
    }
    const int64_t bytes = p_.rows.length() * BytesOf(p_.rows.x);
    constexpr int64_t kWorth = 1 << 16;  // bytes: 5 us
    ParallelFor(rows, std::max<int64_t>(1, kWorth / std::max<int64_t>(1, bytes)),
                [&](int64_t begin, int64_t end, int64_t slot) {
                  for (int64_t row = begin; row < end; ++row) {
                    p_.rows.Write(bindings, row, from[row], 0, slot);
                    WriteInteger(bindings, p_.place, row, from[row]);
                  }
                });
    return {};
  }

 private:
  int64_t ranks() const { return p_.counts.sizes[0]; }
  int64_t experts() const { return p_.counts.sizes[1]; }
  int64_t tokens() const { return p_.rows.x.sizes[0]; }

  // Numbers of the client's, which may be anything: they end with the tokens. Leaves where each
  // expert's rows begin, and returns where the last ones end.
  int64_t ReadCounts(const Bindings& bindings) const {
    int64_t* const counts = counts_.In(bindings);
    int64_t* const totals = next_.In(bindings);
    std::fill_n(totals, experts(), 0);
    int64_t left = tokens();
    bool moved = false;
    for (int64_t i = 0; i < ranks() * experts(); ++i) {
      const char* const at =
          p_.counts.Address(bindings) + p_.counts.OffsetOf(i) * BytesOf(p_.counts);
      const auto given = blocks::LoadOne<int64_t>(p_.counts.dtype, at);
      counts[i] = std::clamp<int64_t>(given, 0, left);
      moved |= counts[i] != given;
      left -= counts[i];
      totals[i % experts()] += counts[i];
    }
    if (moved || left > 0) {
      Warn(
          "expertTokenNumPerRank tells {} tokens than the {} there are; {}",
          moved ? "other" : "fewer", tokens(),
          moved ? "what is below 0 or too many is cut off" : "the rest of the rows is not written");
    }
    int64_t begin = 0;
    for (int64_t expert = 0; expert < experts(); ++expert) {
      const int64_t total = totals[expert];
      blocks::StoreOne(
          total, p_.totals.dtype,
          p_.totals.Address(bindings) + p_.totals.OffsetOf(expert) * BytesOf(p_.totals));
      totals[expert] = begin;
      begin += total;
    }
    return begin;
  }

  const ReRoutingParams p_;
  WorkspaceSlot<int64_t> counts_, next_, from_;
};

}  // namespace

Status PrepareReRouting(Operands& operands, PreparedCall* call) {
  if (Status s = operands.CheckTable(); !s.ok()) return s;
  const Dims& tokens = operands[kX].shape();
  const int code = operands.spec().codes.shape;
  constexpr int64_t kMostNumbers = 16384;
  if (tokens[1] < 1 || tokens[1] > kMostNumbers) {
    return Fail(code, "tokens.shape[1] = {}, expected 1 to {}", tokens[1], kMostNumbers);
  }
  if (tokens[0] > INT32_MAX) {
    return Fail(code, "tokens.shape[0] = {}, expected at most {}", tokens[0], INT32_MAX);
  }
  ReRoutingParams p;
  p.counts = ViewOf(operands, kCounts);
  p.place = ViewOf(operands, kExpandedRow);
  p.totals = ViewOf(operands, kBefore);
  p.rows.x = ViewOf(operands, kX);
  p.rows.expanded = ViewOf(operands, kExpandedX);
  if (operands.Given(kScales)) {
    p.rows.scale = ViewOf(operands, kScales);
    p.rows.row_scale = ViewOf(operands, kExpandedScale);
  }
  if (p.counts.sizes[1] == 0) return {};
  call->plan = std::make_shared<ReRoutingPlan>(p);
  return {};
}

}  // namespace anyacl::moe
