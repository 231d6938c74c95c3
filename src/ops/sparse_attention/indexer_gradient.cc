// SPDX-License-Identifier: Apache-2.0
#include "ops/sparse_attention/indexer_gradient.h"

#include <algorithm>

#include "base/division.h"
#include "ops/blocks/blocks.h"
#include "runtime/parallel.h"

namespace anyacl::sparse_attention {
namespace {

constexpr int64_t kScoreWorth = 1 << 13;  // scores: 5 us

}  // namespace

IndexerGradient::IndexerGradient(const IndexerTensors& tensors, WorkspaceBook* book)
    : t_(tensors),
      scores_of_(t_.most,
                 [&](int64_t keys) {
                   return ScoresOf({type(), t_.heads, keys, kIndexerDim}, 1);
                 }),
      queries_of_(t_.most,
                  [&](int64_t keys) {
                    return QueriesOf({type(), t_.heads, keys, kIndexerDim});
                  }),
      keys_of_(t_.most,
               [&](int64_t keys) {
                 return KeysOf({type(), t_.heads, keys, kIndexerDim});
               }),
      key_sums_(book, t_.key.sizes[0], kIndexerDim) {
  const auto heads = static_cast<size_t>(t_.heads);
  const auto keys = static_cast<size_t>(Padded(t_.most));
  queries_ = book->Book<uint16_t>(heads * kIndexerDim);
  keys_ = book->Book<uint16_t>(keys * kIndexerDim);
  weights_ = book->Book<float>(heads);
  products_ = book->Book<float>(heads * keys);
  dweights_ = book->Book<float>(heads);
  dqueries_ = book->Book<float>(heads * kIndexerDim);
  parts_ = book->Book<float>(keys * kIndexerDim);
  scratch_ = book->Book<char>(std::max(
      {scores_of_.workspace_bytes(), queries_of_.workspace_bytes(), keys_of_.workspace_bytes()}));
}

void IndexerGradient::Multiply(const Bindings& bindings, int64_t token,
                               std::span<const int32_t> rows) const {
  const auto count = static_cast<int64_t>(rows.size());
  GatherHeads(t_.query, bindings, token, t_.heads, queries_.In(bindings), kIndexerDim);
  GatherKeys(t_.key, bindings, rows.data(), count, Padded(count), keys_.In(bindings), kIndexerDim);
  blocks::LoadRow(t_.weights.dtype, RowAt(t_.weights, bindings, token, 0), t_.weights.strides[1],
                  t_.heads, weights_.In(bindings));
  scores_of_.Run(Padded(count),
                 {.a = queries_.In(bindings), .b = keys_.In(bindings), .c = products_.In(bindings)},
                 scratch_.In(bindings));
}

void IndexerGradient::Add(const Bindings& bindings, int64_t token, std::span<const int32_t> rows,
                          const float* dscores) const {
  const auto count = static_cast<int64_t>(rows.size());
  const int64_t padded = Padded(count);
  ParallelFor(t_.heads, CeilDivide(kScoreWorth, count), [&](int64_t begin, int64_t end) {
    for (int64_t n = begin; n < end; ++n) Derive(bindings, n, count, padded, dscores);
  });
  const float* const ds = products_.In(bindings);
  queries_of_.Run(padded, {.a = ds, .b = keys_.In(bindings), .c = dqueries_.In(bindings)},
                  scratch_.In(bindings));
  keys_of_.Run(padded, {.a = ds, .b = queries_.In(bindings), .c = parts_.In(bindings)},
               scratch_.In(bindings));
  key_sums_.Add(bindings, rows, parts_.In(bindings), 0, kIndexerDim);
  Store(bindings, token);
}

// A head's products become ds. Behind `count` infinite and NaN queries made NaN of zeros.
void IndexerGradient::Derive(const Bindings& bindings, int64_t head, int64_t count, int64_t padded,
                             const float* dscores) const {
  float* const products = products_.In(bindings) + head * padded;
  const float weight = weights_.In(bindings)[head];
  double sum = 0;
  for (int64_t l = 0; l < count; ++l) {
    const float product = products[l];
    if (!(product <= 0)) sum += double{product} * dscores[l];
    products[l] = product <= 0 ? 0 : weight * dscores[l];
  }
  std::fill(products + count, products + padded, 0.0f);
  dweights_.In(bindings)[head] = static_cast<float>(sum);
}

void IndexerGradient::StoreZeros(const Bindings& bindings, int64_t token) const {
  std::fill_n(dweights_.In(bindings), t_.heads, 0.0f);
  std::fill_n(dqueries_.In(bindings), t_.heads * kIndexerDim, 0.0f);
  Store(bindings, token);
}

void IndexerGradient::Store(const Bindings& bindings, int64_t token) const {
  blocks::StoreRow(dweights_.In(bindings), t_.heads, t_.dweights.dtype,
                   RowAt(t_.dweights, bindings, token, 0), t_.dweights.strides[1]);
  for (int64_t n = 0; n < t_.heads; ++n) {
    blocks::StoreRow(dqueries_.In(bindings) + n * kIndexerDim, kIndexerDim, t_.dquery.dtype,
                     RowAt(t_.dquery, bindings, token, n), t_.dquery.strides[2]);
  }
}

}  // namespace anyacl::sparse_attention
