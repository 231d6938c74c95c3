// SPDX-License-Identifier: Apache-2.0
// From gradients of a token's scores, score[l] = sum over n of w[n] * max(0, q[n] . k[l]), those of
// its weights, of its queries and of keys:
//   dw[n] = sum over l of max(0, q[n] . k[l]) * dscore[l]
//   ds[n][l] = q[n] . k[l] > 0 ? w[n] * dscore[l] : 0,   dq = ds k,   dk += ds' q
#pragma once

#include "ops/sparse_attention/chosen.h"

namespace anyacl::sparse_attention {

// Rows of tokens, [T][N1] or [T][N1][D], and of keys, [T2][1][D].
struct IndexerTensors {
  SplitRows query, weights, dquery, dweights;
  SplitRows key, dkey;
  int64_t heads = 0;
  int64_t most = 0;  // keys of a token
};

class IndexerGradient {
 public:
  IndexerGradient(const IndexerTensors& tensors, WorkspaceBook* book);

  int64_t Padded(int64_t count) const { return ProductsOfKeys::Padded(count, t_.most); }
  void Clear(const Bindings& bindings) const { key_sums_.Clear(bindings); }
  // Brings together what a token and its keys have; then products [N1][Padded(count)] and weights
  // are there.
  void Multiply(const Bindings& bindings, int64_t token, std::span<const int32_t> rows) const;
  const float* products(const Bindings& bindings) const { return products_.In(bindings); }
  const float* weights(const Bindings& bindings) const { return weights_.In(bindings); }
  // The products are gone then.
  void Add(const Bindings& bindings, int64_t token, std::span<const int32_t> rows,
           const float* dscores) const;
  // Of a token without keys.
  void StoreZeros(const Bindings& bindings, int64_t token) const;
  // When all tokens are done.
  void StoreKeys(const Bindings& bindings) const { StoreSums(key_sums_, bindings, 0, t_.dkey); }

 private:
  Element type() const { return ElementOf(t_.query.dtype); }
  void Derive(const Bindings& bindings, int64_t head, int64_t count, int64_t padded,
              const float* dscores) const;
  void Store(const Bindings& bindings, int64_t token) const;

  const IndexerTensors t_;
  const ProductsOfKeys scores_of_, queries_of_, keys_of_;
  blocks::RowSums key_sums_;
  WorkspaceSlot<uint16_t> queries_, keys_;
  WorkspaceSlot<float> weights_, products_, dweights_, dqueries_, parts_;
  WorkspaceSlot<char> scratch_;
};

}  // namespace anyacl::sparse_attention
