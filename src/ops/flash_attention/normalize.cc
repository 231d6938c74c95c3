// SPDX-License-Identifier: Apache-2.0
// Layouts as views and sparse modes as windows: the problem of the attention engine.
#include <algorithm>

#include "attention/plan.h"
#include "ops/flash_attention/op.h"

namespace anyacl::flash_attention {
namespace {

using attention::Params;
using attention::TokensOf;
using attention::Window;

void MapColumns(const Operands& operands, Params& params) {
  if (!Has(operands, kAttenMask)) return;
  const int64_t mode = operands.Int(kSparseMode);
  // The other modes' masks say nothing that their windows do not.
  if (mode < 2 || mode == 5) params.mask = LastDims(operands, kAttenMask);
  params.window = WindowOf(operands, mode);
  if (mode == 5 || mode == 6) params.first_columns = operands.IntArrayAt(kPrefix);
}

void MapPse(const Operands& operands, Params& params) {
  if (!Has(operands, kPse)) return;
  const Pse pse = PseOf(operands);
  if (!HasSlopes(operands)) {
    params.pse = LastDims(operands, kPse);
    params.pse_scale = pse == Pse::kAddedToScaled ? 1 : params.scale;
    return;
  }
  params.slopes = ViewOf(operands, kPse);
  if (params.slopes.rank == 1) params.slopes = WithDim(params.slopes, 0);
  for (int dim : {2, 3}) params.slopes = WithDim(params.slopes, dim);
  params.slope_roots = pse == Pse::kRootSlopes;
  params.slope_shift = StartShift(operands);
}

}  // namespace

Window WindowOf(const Operands& operands, int64_t mode) {
  const auto tokens = [&](int id) {
    return std::clamp<int64_t>(operands.Int(id), -INT32_MAX, INT32_MAX);
  };
  switch (mode) {
    case 0:
      return {true, true, false, -tokens(kPreTokens), tokens(kNextTokens)};
    case 2:
      return {false, true, false, 0, 0};
    case 4:
      return {true, true, true, -tokens(kPreTokens), tokens(kNextTokens)};
    case 1:
      return {};
    default:
      return {false, true, true, 0, 0};
  }
}

int64_t StartShift(const Operands& operands) {
  const auto query = operands.Ints(kQueryStart), key = operands.Ints(kKeyStart);
  return query.empty() || key.empty() ? 0 : query[0] - key[0];
}

TensorView LastDims(const Operands& operands, int id) {
  TensorView view = attention::Repeating(ViewOf(operands, id));
  while (view.rank < 4) view = WithDim(view, 0);
  return view;
}

TensorView RowsOf(const Operands& operands, int id, const Sizes& sizes, int64_t dim) {
  return attention::ByHead(ViewOf(operands, id), AxesOf(sizes.layout), dim);
}

Params CommonParams(const Operands& operands, const Sizes& sizes) {
  const aclDataType type = operands[kQuery].dtype();
  Params params;
  params.batch = sizes.batch;
  params.query_size = sizes.query;
  params.kv_heads = std::max<int64_t>(1, sizes.kv_heads);
  params.group = sizes.heads / params.kv_heads;
  params.dim = std::max<int64_t>(1, sizes.dim);
  params.value_dim = sizes.value_dim;
  params.kv_size = params.max_kv_length = sizes.key;
  params.no_columns = sizes.no_columns();
  params.scale = static_cast<float>(operands.Real(kScaleValue));
  params.masked_score = -__builtin_inff();
  params.correct_rows = true;
  params.query_type = params.cache_type = params.pse_type = params.out_type = ElementOf(type);
  params.query = RowsOf(operands, kQuery, sizes, sizes.dim);
  for (const auto& [id, view] : {std::pair{kSoftmaxMax, &params.max}, {kSoftmaxSum, &params.sum}}) {
    const bool by_row = sizes.layout == Layout::kTnd && !sizes.statistics_by_head;
    *view = by_row ? RowsOf(operands, id, sizes, Params::kStatistics) : LastDims(operands, id);
  }
  MapPse(operands, params);
  if (Has(operands, kSink)) params.sink = ViewOf(operands, kSink);
  if (Has(operands, kDropMask)) {
    params.drop = attention::Repeating(ViewOf(operands, kDropMask));
    params.keep_scale = static_cast<float>(1 / operands.Real(kKeepProb));
  }
  MapColumns(operands, params);
  return params;
}

Status PrepareForward(Operands& operands, PreparedCall* call) {
  Sizes sizes;
  bool nothing_to_do = false;
  if (Status s = CheckForward(operands, &sizes, &nothing_to_do); !s.ok() || nothing_to_do) {
    return s;
  }
  Params params = CommonParams(operands, sizes);
  params.out = RowsOf(operands, kAttention, sizes, sizes.value_dim);
  params.keys = {TokensOf(RowsOf(operands, kKey, sizes, sizes.dim))};
  params.values = {TokensOf(RowsOf(operands, kValue, sizes, sizes.value_dim))};
  call->plan = attention::MakePlan(std::move(params));
  return {};
}

}  // namespace anyacl::flash_attention
